// Level 0: the same work without any wall, for whoever asks for exactly that twice.
import { expect, test } from 'vitest';
import { makeCells } from '../../../src/adapters/cells/cells.ts';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { plainBackend } from '../../../src/adapters/cells/plain/backend.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { passableScratch, project, runIn, spawnIn } from '../../support/cells.ts';

function plainCells() {
  return makeCells({ folder: passableScratch(), repositories: workRepositories, backend: plainBackend() });
}

test('does the work, hears the port, and says that it is level 0', async () => {
  const cells = plainCells();
  const base = project({ 'a.txt': 'one\n', '.gitignore': '*.log\n' });
  const text =
    'echo two > a.txt; echo x > b.log; sh "$CELL_HOME/.lazarus/port" heartbeat 3; echo "{}" > $HOME/done.json; pwd >&2; echo ok';
  const { cell, out, exit } = await runIn(cells, text, { project: base, requiredLevel: 0 });
  expect({ out, exit }).toMatchObject({ out: 'ok\n', exit: { reason: 'exited', code: 0, usage: { portMessages: 1 } } });
  expect(cell.facts).toMatchObject({
    backend: 'none',
    level: 0,
    namespaces: [],
    seccomp: false,
    limits: { cpu: 'none', memory: 'none', processes: 'none' },
  });
  expect(await cell.claim()).toBe('{}\n');
  const identity = { name: 'runner', email: 'x@lazarus.invalid', atSeconds: 1, message: 'work\n' };
  const work = await cell.takeWork(identity);
  expect(await workRepositories.readDiff(work.repository, base.commit, work.tree)).toMatchObject([{ path: 'a.txt' }]);
  expect(await cell.close()).toMatchObject({ folders: 0 });
  const check = { project: { repository: work.repository, commit: work.commit }, shellText: 'cat a.txt' };
  expect(await cells.runCheck({ ...check, requiredLevel: 0 })).toMatchObject({ output: 'two\n', level: 0 });
});

test('ends a check that nobody waits for any more, however soon that is', async () => {
  const check = { project: project({ a: 'x' }), shellText: 'sleep 600', requiredLevel: 0 as const };
  const [early, late] = [AbortSignal.abort(), new AbortController()];
  const killed = { exitCode: null, reason: 'killed', residue: { processes: 0, folders: 0 } };
  expect(await plainCells().runCheck({ ...check, signal: early })).toMatchObject(killed);
  const running = plainCells().runCheck({ ...check, signal: late.signal });
  late.abort();
  expect(await running).toMatchObject(killed);
});

test('is refused to whoever asked for more', async () => {
  await expect(spawnIn(plainCells(), { requiredLevel: 2 })).rejects.toMatchObject({
    code: 'level_unmet',
    facts: { level: 0, required: 2 },
  });
});

test('keeps the clock, the output limit and the environment', async () => {
  const cells = plainCells();
  const timed = await runIn(cells, 'sleep 60', { requiredLevel: 0, limits: { wallMs: 300 } });
  expect(timed.exit.reason).toBe('timeout');
  const loud = await runIn(cells, 'yes', { requiredLevel: 0, limits: { outputBytes: 1000 } });
  expect(loud.exit.reason).toBe('output_limit');
  expect(loud.out).toHaveLength(1000);
  const named = await runIn(cells, 'env | cut -d= -f1 | sort | tr "\\n" " "', { requiredLevel: 0 });
  expect(named.out).not.toMatch(/TOKEN|SSH|NODE_/);
  for (const { cell } of [timed, loud, named]) await cell.close();
});

test('is never chosen by itself where a cell can be had', async () => {
  const folder = passableScratch();
  const probe = await (await openCells({ folder, repositories: workRepositories, allowLevel0: true })).probe();
  const strict = await (await openCells({ folder, repositories: workRepositories })).probe();
  expect(probe.is === 'fit' && probe.backend).toBe(strict.is === 'fit' ? 'process' : 'none');
});

test('refuses a reach: nothing would hold a process to its list of hosts', async () => {
  const folder = passableScratch();
  const listen = () => ({
    serve: () => undefined,
    use: () => ({ reached: [], spent: [] }),
    close: () => Promise.resolve(),
  });
  const cells = makeCells({ folder, repositories: workRepositories, backend: plainBackend(), listen });
  const started = spawnIn(cells, { requiredLevel: 0, reach: { hosts: [], routes: [] } });
  await expect(started).rejects.toMatchObject({ code: 'level_unmet' });
});
