// `lazarus inbox`: what waits for whom over several missions, by whose key lies here or who is named; what nobody is to do,
// what is over, and a ledger that cannot be read.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { json, ok, workshop, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

type Inbox = {
  readonly person: string | null;
  readonly waiting: readonly {
    readonly mission: string;
    readonly state: string;
    readonly waits_for: readonly string[] | null;
    readonly next: string | null;
  }[];
};

const inbox = (...args: string[]): Promise<Inbox> => json<Inbox>(at.run(['inbox', ...args, '--json']));
const missions = ({ waiting }: Inbox): readonly string[] => waiting.map(({ mission }) => mission);

it('each finds what waits for them, with a line that works as it is printed', async () => {
  expect((await ok(at.run(['inbox', '--as', 'bo']))).stdout).toBe('nothing waits for bo\n');
  const [asked, held, rejected, done] = [
    await at.propose(),
    await at.propose(),
    await at.propose(),
    await at.propose(),
  ];
  await at.approve(done);
  await ok(at.run(['run', done.mission]));
  await ok(at.run(['hold', held.mission, '--as', 'bo']));
  await ok(at.run(['reject', rejected.mission, rejected.digest, '--as', 'bo']));

  // Ana proposed all of them, and may approve none.
  const bos = await inbox('--as', 'bo');
  expect(bos.person).toBe('bo');
  expect(new Set(missions(bos))).toEqual(new Set([asked.mission, held.mission, rejected.mission]));
  const lineOf = (mission: string) => bos.waiting.find((one) => one.mission === mission)?.next;
  expect(lineOf(held.mission)).toBe(`lazarus unhold ${held.mission}`);
  expect(lineOf(rejected.mission)).toBe(`lazarus withdraw ${rejected.mission}`);
  expect(missions(await inbox('--as', 'ana'))).toEqual([rejected.mission]);
  expect(missions(await inbox('--all'))).toHaveLength(3);

  for (const { next } of bos.waiting) await ok(at.run([...next!.split(' ').slice(1), '--as', 'bo']));
  // What was approved may run, and that is whoever wanted it to do.
  expect(missions(await inbox('--as', 'ana'))).toEqual([asked.mission]);
  expect(new Set(missions(await inbox('--as', 'bo')))).toEqual(new Set([held.mission, rejected.mission]));
  const { stdout } = await ok(at.run(['inbox', '--all']));
  expect(stdout).toMatch(new RegExp(`${asked.mission}  queued, tier 1, waits for ana`));
  expect(stdout).toContain(`next: lazarus run ${asked.mission}`);
});

it('a ledger that cannot be read is in every inbox, and hides no other', async () => {
  const alone = await workshop();
  onTestFinished(() => alone.remove());
  const [here, gone] = [await alone.propose(), await alone.propose()];
  // Registered with its approval: a proposal that nobody agreed to is missed by nobody.
  await alone.approve(gone);
  execFileSync('git', ['update-ref', '-d', `refs/heads/lazarus/${gone.mission}`], { cwd: alone.folder });
  const { waiting } = await json<Inbox>(alone.run(['inbox', '--as', 'bo', '--json']));
  expect(waiting.find(({ mission }) => mission === gone.mission)).toMatchObject({ waits_for: null });
  expect(waiting.map(({ mission }) => mission)).toContain(here.mission);
});

it('a name that nobody has here is refused with what shows all', async () => {
  expect(await at.run(['inbox', '--as', 'nobody'])).toMatchObject({
    code: 7,
    stderr: expect.stringMatching(/^key_not_found: /),
  });
});

it('where several people have a key, whoever types is asked who they are', async () => {
  expect(await at.run(['inbox'])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^key_ambiguous: [^]*\n {2}next: the same command with --as <principal>\n$/),
  });
});
