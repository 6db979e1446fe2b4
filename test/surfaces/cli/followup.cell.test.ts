// `lazarus followup` as it is typed: after the end, from the work as long as nobody merged it, and never instead of the approval.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Shown, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

type Followed = Shown & { readonly follows: string | null; readonly plan: { readonly digest: string } };

it('proposes a mission that goes on from one that is over, asks for its approval, and both verify', async () => {
  const one = await at.propose();
  const early = await at.run(['followup', one.mission, 'More of it', '--as', 'ana']);
  expect(early).toMatchObject({ code: 3, stderr: expect.stringMatching(/^mission_not_over: /) });
  await at.approve(one);
  await ok(at.run(['run', one.mission]));
  const branch = `lazarus-work/${one.mission}/1`;

  const next = await json<Followed>(at.run(['followup', one.mission, 'More of it', '--as', 'bo', '--json']));
  expect(next).toMatchObject({ state: 'awaiting', follows: one.mission, goal: 'More of it' });
  expect(JSON.stringify(next)).toContain(branch);
  expect(await at.run(['approve', next.mission, next.plan.digest, '--as', 'bo'])).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/^self_approval: /),
  });
  await ok(at.run(['approve', next.mission, next.plan.digest, '--as', 'ana']));
  await ok(at.run(['verify']));
  expect((await ok(at.run(['status', next.mission]))).stdout).toMatch(new RegExp(`goes on from +${one.mission}`));
  // Back over the end of the other one, to the words that asked for that.
  const why = await ok(at.run(['explain', next.mission, '0']));
  expect(why.stdout).toMatch(
    new RegExp(`opened the mission.*\\nbecause of ${one.mission} .*the mission is over: done`),
  );

  git(at.folder, ['merge', '-q', branch]);
  const after = await ok(at.run(['followup', one.mission, 'Something else', '--as', 'ana']));
  expect(after.stdout).toMatch(/base +main at/);
});

it('says what stands in the way', async () => {
  expect(await at.run(['followup', 'm-00000000', 'More', '--as', 'ana'])).toMatchObject({ code: 7 });
  const { mission } = await at.propose();
  await ok(at.run(['cancel', mission, '--as', 'ana']));
  for (const goal of ['two\nlines', 'x'.repeat(201), 'hid\u202eden', ''])
    expect([goal.slice(0, 10), (await at.run(['followup', mission, goal, '--as', 'ana'])).code]).toEqual([
      goal.slice(0, 10),
      2,
    ]);
});
