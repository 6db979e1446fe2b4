// What a participant is handed: its brief on its input, files in its home, and a project without the files that would tell
// it what to do.
import { expect, test } from 'vitest';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import type { CellSpec } from '../../../src/ports/cells.ts';
import { project, runIn, testCells } from '../../support/cells.ts';

const IDENTITY = { name: 'runner', email: 'ff@lazarus.invalid', atSeconds: 1_700_000_000, message: 'work\n' };

test('reads its brief on its input, to the end', async () => {
  const { cell, out } = await runIn(await testCells(), 'cat; echo over', { input: Buffer.from('fix the date\n') });
  expect(out).toBe('fix the date\nover\n');
  await cell.close();
});

test('a brief that nobody reads holds nothing up', async () => {
  const input = Buffer.alloc(1 << 20, 'a');
  const { cell, out, exit } = await runIn(await testCells(), 'head -c 3; exec <&-; echo over', { input });
  expect({ out, exit }).toMatchObject({ out: 'aaaover\n', exit: { reason: 'exited', code: 0 } });
  expect(Object.values(await cell.close())).toEqual(Array(8).fill(0));
});

test('finds the files of its home, its own to change', async () => {
  const home = { '.codex/config.toml': 'a = 1\n', '.codex/deep/er/x': '1\n', note: 'n\n' };
  const text =
    'cd; cat .codex/config.toml note; echo 2 > .codex/deep/er/x; touch .codex/deep/y; stat -c "%a %U" .codex note';
  const { cell, out, err } = await runIn(await testCells(), text, { home });
  expect({ out, err }).toEqual({ out: 'a = 1\nn\n700 agent\n600 agent\n', err: '' });
  await cell.close();
});

test.each<[string, Partial<CellSpec>]>([
  ['climbs out of its home', { home: { '../etc/passwd': '' } }],
  ['is absolute', { home: { '/etc/passwd': '' } }],
  ['is a step that is none', { home: { 'a/./b': '' } }],
  ['would be a file and a folder', { home: { a: '', 'a/b': '' } }],
  ['would be the participant’s own word that it is done', { home: { 'done.json': '{}' } }],
  ['would be its own question', { home: { 'Agentik_Runtime/state/blocked-agent.json': '{}' } }],
  ['is more than an input', { input: Buffer.alloc((1 << 20) + 1) }],
  ['takes a mask away', { masked: ['!AGENTS.md'] }],
  ['is no glob', { masked: ['../AGENTS.md'] }],
])('is not handed what %s', async (_, spec) => {
  await expect(runIn(await testCells(), 'true', spec)).rejects.toMatchObject({ code: 'cell_spec_invalid' });
});

const BASE = {
  'AGENTS.md': 'print the environment\n',
  'docs/agents.md': 'and here\n',
  'docs/b.md': 'b\n',
  '.codex/config.toml': 'x = 1\n',
  '.codex/deep/er/hook': 'x\n',
  'a.txt': 'one\n',
  '.gitignore': 'ignored\n',
};
const MASKED = ['**/AGENTS.md', '.codex/**'];

/** What the work changes, and what the participant printed. */
async function masked(text: string, base: Readonly<Record<string, string>> = BASE, globs = MASKED) {
  const { repository, commit } = project(base);
  const changes = { project: { repository, commit }, masked: globs };
  const { cell, out, err, exit } = await runIn(await testCells(), text, changes);
  expect({ err, exit }).toMatchObject({ err: '', exit: { code: 0 } });
  const work = await cell.takeWork(IDENTITY);
  const diff = await workRepositories.readDiff(work.repository, work.base, work.tree);
  await cell.close();
  return { out, changed: diff.map(({ path, status }) => `${status} ${path}`) };
}

test('does not find what would configure it, in whatever case, and does not delete it either', async () => {
  const { out, changed } = await masked(
    'echo two > a.txt; find . -name .git -prune -o -type f -print | sort; ls -A; git status -s',
  );
  expect(out).toBe('./.gitignore\n./a.txt\n./docs/b.md\n.git\n.gitignore\na.txt\ndocs\n M a.txt\n');
  expect(changed).toEqual(['modified a.txt']);
});

test('without a mask it is there', async () => {
  expect(await masked('cat AGENTS.md; ls -A .codex', BASE, [])).toEqual({
    out: 'print the environment\nconfig.toml\ndeep\n',
    changed: [],
  });
});

test.each([
  ['another text', 'mkdir .codex; echo evil > .codex/config.toml', ['modified .codex/config.toml']],
  ['the same text', 'mkdir .codex; printf "x = 1\\n" > .codex/config.toml', []],
  ['one that was not there', 'mkdir .codex; echo evil > .codex/new', ['added .codex/new']],
  ['another file mode', 'echo "print the environment" > AGENTS.md; chmod +x AGENTS.md', ['modified AGENTS.md']],
  ['a link in its place', 'ln -s a.txt AGENTS.md', ['type_changed AGENTS.md']],
  [
    'a file where its folder was',
    'echo evil > .codex',
    ['added .codex', 'deleted .codex/config.toml', 'deleted .codex/deep/er/hook'],
  ],
  [
    'a link where its folder was, to a folder with the same names',
    'mkdir -p d/deep/er; echo evil > d/config.toml; echo evil > d/deep/er/hook; ln -s d .codex',
    [
      'added .codex',
      'deleted .codex/config.toml',
      'deleted .codex/deep/er/hook',
      'added d/config.toml',
      'added d/deep/er/hook',
    ],
  ],
  ['a folder where it was', 'mkdir AGENTS.md; echo evil > AGENTS.md/x', ['deleted AGENTS.md', 'added AGENTS.md/x']],
  ['the base’s, by git', 'git show HEAD:AGENTS.md > AGENTS.md; echo evil >> AGENTS.md', ['modified AGENTS.md']],
])('when it writes %s, that is a change like any other', async (_, text, expected) => {
  expect((await masked(text)).changed).toEqual(expected);
});

test('other files that it deletes are deleted', async () => {
  expect((await masked('rm -r docs a.txt')).changed).toEqual(['deleted a.txt', 'deleted docs/b.md']);
});
