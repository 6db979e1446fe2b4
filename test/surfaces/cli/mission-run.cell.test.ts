// Missions run as they are typed, in real cells: what a person sees, what becomes of it, and every way it is broken off.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { cellsFolder } from '../../../src/adapters/cells/open-cells.ts';
import { processNamespace, thisProcess } from '../../../src/adapters/system/processes.ts';
import { runWithout } from '../../support/lacking.ts';
import { git } from '../../support/repos.ts';
import { json, ok, workshop, type Shown, type Workshop } from '../../support/workshop.ts';

let at: Workshop;
beforeAll(async () => {
  at = await workshop();
});
afterAll(() => at.remove());

const WORKS = 'echo working; while :; do sleep 0.1; done';

/** Approved, with an agent of its own that may write one file nobody else wants. */
let files = 0;
async function approved(agent: string, file = `made-${files++}`): Promise<{ mission: string; file: string }> {
  const one = await at.propose({
    'agent: example': `agent: [/bin/sh, -c, ${JSON.stringify(agent)}]`,
    'src/greet.sh\n': `${file}\n`,
    '  - docs/**\n': '',
    'verify_command: sh test/greet.test.sh': `verify_command: test -f ${file}`,
    'acceptance:\n  - grep -q greet.sh docs/usage.md\n  - test "$(sh src/greet.sh Ada)" = "Hello, Ada!"':
      'acceptance: []',
  });
  await at.approve(one);
  return { mission: one.mission, file };
}

describe('lazarus run', () => {
  it('goes from the cell to the receipts, and the same again changes nothing', async () => {
    const one = await at.propose();
    await at.approve(one);
    const { stdout, stderr } = await ok(at.run(['run', one.mission]));
    expect(stderr).toMatch(/the agent works in its cell: process, level [2-4]\n/);
    expect(stderr).toContain('exit 0  in a fresh cell: sh test/greet.test.sh\n');
    expect(stdout).toMatch(
      /^m-[0-9a-f]+ {2}done\n[^]*approved +bo [^]*receipt +[0-9a-f-]{36} +command_execution: succeeded/,
    );
    const branch = `lazarus-work/${one.mission}/1`;
    expect(stdout).toMatch(new RegExp(`\\n  next: git diff main...${branch}\\n$`));
    expect(git(at.folder, ['diff', '--name-only', `main...${branch}`])).toBe('docs/usage.md\nsrc/greet.sh');

    // What was handed over goes away: it is a branch now.
    const refs = (): readonly string[] =>
      git(at.folder, ['for-each-ref'])
        .split('\n')
        .filter((line) => !line.includes('\trefs/lazarus/incoming/'));
    const before = refs();
    await ok(at.run(['run', one.mission]));
    expect((await ok(at.run(['reconcile']))).stdout).toBe('nothing is owed\n');
    expect(refs()).toEqual(before);
    expect((await ok(at.run(['verify']))).stdout).toMatch(/^ok project: [^]*ok m-/);

    const { receipts } = await json<{ receipts: { id: string; receipt_class: string }[] }>(
      at.run(['receipt', 'list', one.mission, '--json']),
    );
    const ran = receipts.find(({ receipt_class }) => receipt_class === 'command_execution')!;
    const { stdout: shown } = await ok(at.run(['receipt', 'show', one.mission, ran.id.slice(0, 13)]));
    expect(shown).toMatch(/result_code +succeeded\n[^]*cell +process, level [2-4], user \d+\n/);
    expect(await at.run(['receipt', 'show', one.mission, 'ffff'])).toMatchObject({ code: 7 });
  });

  it('shows what the agent prints line by line, and obeys nothing of it', async () => {
    // The attack: a line that clears itself and says what lazarus would say.
    const { mission, file } = await approved(
      `printf 'one\\ntw'; sleep 0.2; printf 'o\\033[2K\\rdone\\n'; echo x > FILE`,
    );
    const { stderr } = await at.run(['run', mission]);
    expect(file).toMatch(/^made-/);
    expect(stderr).toMatch(/\n {2}agent \| one\n/);
    // eslint-disable-next-line no-control-regex -- that there is none is the point
    expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(stderr).toMatch(/\n {2}agent \| two.*done\n/);
  });

  it('shows the beginning of a flood and keeps going', async () => {
    const { mission } = await approved('seq 1 3000; echo end > made-flood', 'made-flood');
    const { stderr } = await ok(at.run(['run', mission]));
    expect(stderr.match(/ {2}agent \| /g)!.length).toBe(501);
    expect(stderr).toContain('more lines; the ledger keeps them');
  });

  it('says who waited for the path that it let go of, with the line that goes on, and nobody where nobody waits', async () => {
    const first = await approved('echo x > shared', 'shared');
    const second = await approved('echo x > shared', 'shared');
    await approved('echo x > other', 'other');
    expect((await at.run(['run', second.mission])).stderr).toContain(`held_by: ${first.mission}`);
    const { stdout } = await ok(at.run(['run', first.mission]));
    const lines = stdout.split('\n').filter((line) => line.includes('waited for these paths'));
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${second.mission} .*: lazarus run ${second.mission}$`))]);
    const { freed } = await json<{ freed: string[] }>(at.run(['run', second.mission, '--json']));
    expect(freed).toEqual([]);
  });

  it('leaves the work it handed over until reconcile finds the mission over, and it can be looked at all the same', async () => {
    const incoming = (): string => git(at.folder, ['for-each-ref', 'refs/lazarus/incoming']);
    await ok(at.run(['reconcile']));
    const { mission } = await approved('echo x > made-incoming', 'made-incoming');
    await ok(at.run(['run', mission]));
    expect(incoming()).not.toBe('');
    await ok(at.run(['reconcile']));
    expect(incoming()).toBe('');
    expect((await ok(at.run(['diff', mission, '--stat']))).stdout).toContain('made-incoming');
  });

  it('ends with the reason’s exit code when the work is refused, and leaves the target as it was', async () => {
    const { mission } = await approved('echo x > README.md');
    const before = git(at.folder, ['for-each-ref', 'refs/heads/main', 'refs/heads/lazarus-work']);
    const { code, stdout } = await at.run(['run', mission]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/failed\n[^]*because +scope_violated: [^]*next: lazarus followup m-[0-9a-f]+ /);
    expect(git(at.folder, ['for-each-ref', 'refs/heads/main', 'refs/heads/lazarus-work'])).toBe(before);
  });

  it('refuses where bubblewrap is missing, names the package, and leaves the mission as it was', async () => {
    const { mission } = await approved('true');
    const before = git(at.folder, ['for-each-ref']);
    const ran = runWithout('bwrap', ['run', mission], { cwd: at.folder, home: at.home });
    expect(ran).toMatchObject({
      status: 9,
      stderr: expect.stringMatching(/sandbox_missing: [^]*next: apt install bubblewrap\n$/),
    });
    expect(git(at.folder, ['for-each-ref'])).toBe(before);
    expect((await at.show(mission)).state).toBe('queued');
  });
});

describe('a mission of tier 2', () => {
  it('is approved twice by two people: the plan before it runs, the exact effects after', async () => {
    const team = await workshop({ people: ['bo', 'cy'] });
    onTestFinished(() => team.remove());
    const { mission, digest } = await team.propose({ 'tier: 1': 'tier: 2' });
    const approve = (what: string, who: string) => team.run(['approve', mission, what, '--as', who]);
    await ok(approve(digest, 'bo'));
    expect((await team.run(['run', mission])).stderr).toMatch(/^quorum_missing: .*missing: 1; from: cy\)/);
    await ok(approve(digest, 'cy'));
    const stopped = await team.run(['run', mission]);
    expect(stopped.code).toBe(8);
    const [, effects] = /effects_approval_missing: [^]*next: lazarus approve m-[0-9a-f]+ ([0-9a-f]{12})\n$/.exec(
      stopped.stderr,
    )!;
    expect(effects).not.toBe(digest);
    expect(git(team.folder, ['for-each-ref', 'refs/heads/lazarus-work'])).toBe('');
    await ok(approve(effects!, 'bo'));
    await ok(approve(effects!, 'cy'));
    const { stdout } = await ok(team.run(['run', mission]));
    expect(stdout.match(/approved +(bo|cy) \(the (plan|effects), signed/g)).toHaveLength(4);
  });
});

describe('a run that is broken off', () => {
  it('by Ctrl-C ends its cell, is handed over as interrupted, and the ledger verifies', async () => {
    const { mission } = await approved(WORKS);
    const { code, stderr } = await at.run(['run', mission], {
      signalOn: { text: 'agent | working', signal: 'SIGINT' },
    });
    expect(code).toBe(130);
    expect(stderr).toContain('interrupted: ');
    // As after a kill: the work was not judged, and may be begun again.
    expect(await at.show(mission)).toMatchObject({ state: 'queued', because: { code: 'interrupted' } });
    await ok(at.run(['verify', mission]));
  });

  it('by Ctrl-C is begun again by the next one, under the same approval', async () => {
    const { mission, file } = await approved(`echo working; sleep 3; echo x > made-again`, 'made-again');
    expect((await at.run(['run', mission], { signalOn: { text: 'agent | working', signal: 'SIGINT' } })).code).toBe(
      130,
    );
    await ok(at.run(['run', mission]));
    expect(await at.show(mission)).toMatchObject({ state: 'done', attempt: { no: 2 } });
    expect(git(at.folder, ['show', `lazarus-work/${mission}/2:${file}`])).toBe('x');
    await ok(at.run(['verify', mission]));
  });

  it('by a kill is taken over by the next one, under the same approval', async () => {
    const { mission, file } = await approved(`echo working; sleep 3; echo x > made-killed`, 'made-killed');
    const killed = await at.run(['run', mission], { signalOn: { text: 'agent | working', signal: 'SIGKILL' } });
    expect(killed.code).toBe(null);
    // Its lease lasts, and nobody is sent to watch it run out.
    expect(await at.show(mission)).toMatchObject({ state: 'running', next: `lazarus run ${mission}` });
    const { stderr } = await ok(at.run(['run', mission]));
    expect(stderr).toContain('taking over from a run that was broken off\n');
    expect(await at.show(mission)).toMatchObject({ state: 'done', attempt: { no: 2 } });
    expect(git(at.folder, ['show', `lazarus-work/${mission}/2:${file}`])).toBe('x');
    await ok(at.run(['verify', mission]));
  });

  it('by a kill leaves nothing that reconcile does not sweep up; what a living one has stays', async () => {
    const cells = join(cellsFolder({ HOME: at.home }), 'cells');
    const here = await processNamespace();
    const { pid, began } = await thisProcess();
    // A process that cannot live: its number is beyond all that the kernel gives out.
    const [dead, living] = [`4194999.1`, `${pid}.${began}`].map((who) =>
      join(cells, `${randomUUID()}.1.${here}.${who}`),
    );
    for (const folder of [dead!, living!]) mkdirSync(join(folder, 'project'), { recursive: true });
    onTestFinished(() => rmSync(living!, { recursive: true, force: true }));
    await ok(at.run(['reconcile']));
    expect([existsSync(dead!), existsSync(living!)]).toEqual([false, true]);
  });

  it('is not joined by a second one on the same computer', async () => {
    const { mission } = await approved(WORKS);
    const second = { code: 0 as number | null, stderr: '' };
    const first = at.run(['run', mission], {
      onText: {
        text: 'agent | working',
        react: async (end) => {
          Object.assign(second, await at.run(['run', mission]));
          expect(await at.show(mission)).toMatchObject({ state: 'running', next: `lazarus watch ${mission}` });
          end('SIGINT');
        },
      },
    });
    expect((await first).code).toBe(130);
    expect(second.code).toBe(5);
    expect(second.stderr).toMatch(new RegExp(`^mission_running: [^]*next: lazarus watch ${mission}\n$`));
  });
});

describe('two missions that claim one path', () => {
  it('exactly one runs; the other says who holds it, and runs after reconcile', async () => {
    const agent = 'echo x >> made-twice';
    const [first, second] = [await approved(agent, 'made-twice'), await approved(agent, 'made-twice')];
    const refused = await at.run(['run', second.mission]);
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(`held_by: ${first.mission}`) });
    await ok(at.run(['run', first.mission]));
    const { next } = await json<Shown>(at.run(['reconcile', second.mission, '--json']));
    expect(next).toBe(`lazarus run ${second.mission}`);
    await ok(at.run(['run', second.mission]));
  });
});

describe('lazarus watch', () => {
  it('tells what happens as it happens, and ends with the mission', async () => {
    const { mission } = await approved('echo x > made-watched', 'made-watched');
    const watching = at.run(['watch', mission], {
      onText: { text: 'granted execute_command', react: async () => void (await ok(at.run(['run', mission]))) },
    });
    const { code, stdout, stderr } = await watching;
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /started the agent in a cell: process, level \d\n[^]*the mission is over: done \(verified\)\n$/,
    );
    expect(stdout).toMatch(/^m-[0-9a-f]+ {2}done\n/);
  });
});
