// A check finds the revision and cannot change it: what it runs on is what was handed over, to its last command, and what it
// writes elsewhere goes with it.
import { expect, test } from 'vitest';
import { makeCells } from '../../../src/adapters/cells/cells.ts';
import { plainBackend } from '../../../src/adapters/cells/plain/backend.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { passableScratch, project, testCells } from '../../support/cells.ts';

const LEVEL_2 = { requiredLevel: 2 } as const;

test('work that rewrites the tests while they run passes where the tree can be written, and fails in a cell', async () => {
  // The work is wrong, and its build step knows which test would say so.
  const hostile = project({
    'build.sh': 'printf "exit 0\\n" > test.sh || true\n',
    'test.sh': 'test "$(cat answer)" = 42\n',
    answer: '41\n',
  });
  const check = { project: hostile, shellText: 'sh build.sh; sh test.sh' };
  const open = makeCells({ folder: passableScratch(), repositories: workRepositories, backend: plainBackend() });
  expect(await open.runCheck({ ...check, requiredLevel: 0 })).toMatchObject({ exitCode: 0, level: 0 });

  const run = await (await testCells()).runCheck({ ...check, ...LEVEL_2 });
  expect(run).toMatchObject({ exitCode: 1, level: 2 });
  expect(run.output).toContain('Read-only file system');
});

test.each([
  ['changes a file', 'echo x >> src/a'],
  ['takes one away', 'rm src/a'],
  ['puts another in its place', 'echo x > "$TMPDIR/a" && mv -f "$TMPDIR/a" src/a'],
  ['adds one', 'touch conftest.py'],
  ['makes it writable first', 'chmod -R u+w . ; echo x >> src/a'],
  ['mounts over it', 'mount -o remount,rw /cell/project || unshare -rm true'],
  ['moves the branch it stands on', 'git commit -q --allow-empty -m x'],
  ['writes into a folder beside one that it may fill', 'mkdir src/out2'],
])('a check that %s is told that it may not', async (_, shellText) => {
  const base = project({ 'src/a': 'one\n' });
  const run = await (await testCells()).runCheck({ project: base, shellText, writable: ['src/out'], ...LEVEL_2 });
  expect(run.exitCode, run.output).not.toBe(0);
});

test('the folders that it may fill are as the revision has them, or empty, and for every check anew', async () => {
  const base = project({ 'gen/kept': 'one\n', 'web/src/a': 'x\n' });
  const cells = await testCells();
  const shellText =
    'cat gen/kept; ls -A dist web/dist; echo two > gen/kept; rm gen/kept; touch dist/x web/dist/x && ls dist web/dist';
  const check = { project: base, shellText, writable: ['gen', 'dist', 'web/dist'], ...LEVEL_2 };
  const runs = [await cells.runCheck(check), await cells.runCheck(check)];
  for (const run of runs)
    expect(run).toMatchObject({ exitCode: 0, output: 'one\ndist:\n\nweb/dist:\ndist:\nx\n\nweb/dist:\nx\n' });
  expect(runs[1]!.residue).toMatchObject({ folders: 0, mounts: 0, processes: 0 });
});

test('its home, $TMPDIR and what Python and git write by themselves are elsewhere', async () => {
  const base = project({ 'lib.py': 'A = 1\n', 'run.py': 'import lib, sys; print(sys.pycache_prefix)\n' });
  const shellText =
    'touch "$HOME/x" "$TMPDIR/y" && python3 run.py && find "$HOME/.cache/python" -name "lib*.pyc" | wc -l && touch -c lib.py; git status --porcelain && git diff --stat && git log --oneline | wc -l';
  const run = await (await testCells()).runCheck({ project: base, shellText, ...LEVEL_2 });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(run.output).toMatch(/^\/cell\/home\/check\/\.cache\/python\n1\n/);
  expect(run.output).not.toMatch(/index\.lock|fatal|warning/);
});

test('a place that the tree has something else at is refused, and nothing runs', async () => {
  const cells = await testCells();
  const check = { project: project({ dist: 'a file\n' }), shellText: 'true', ...LEVEL_2 };
  await expect(cells.runCheck({ ...check, writable: ['dist'] })).rejects.toMatchObject({
    code: 'check_place_taken',
    facts: { path: 'dist' },
  });
  await expect(cells.runCheck({ ...check, writable: ['dist/below'] })).rejects.toMatchObject({
    code: 'check_place_taken',
  });
  for (const path of ['../x', '/etc', '.git/hooks', 'a//b', '*'])
    await expect(cells.runCheck({ ...check, writable: [path] })).rejects.toMatchObject({ code: 'cell_spec_invalid' });
});
