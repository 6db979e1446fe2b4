// A commit of files as git itself would make it: folders included, whatever the order in which files were named.
import { expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { filesCommit } from '../../../src/format/git/files-commit.ts';
import { git, scratchRepository } from '../../support/repos.ts';

const FILES = { 'b.json': 'b\n', 'pages/all/two': '2\n', a: '', 'pages/one': '1\n', 'pages/all/one': '1\n' };

it('is the commit that git makes of the same files, with every object that it has', () => {
  const folder = scratchRepository();
  const put = (path: string, text: string): void => {
    const blob = git(folder, ['hash-object', '-w', '--stdin'], text).trim();
    git(folder, ['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  };
  for (const [path, text] of Object.entries(FILES)) put(path, text);
  const tree = git(folder, ['write-tree']).trim();
  const parent = git(folder, ['commit-tree', tree, '-m', 'before']).trim();

  const files = Object.entries(FILES).map(([path, text]) => [path, utf8(text)] as const);
  const about = { by: 'known', message: 'known\n', atSeconds: 1_700_000_000, parents: [parent] };
  const { commit, objects } = filesCommit(nodeCrypto, files, about);
  const who = 'lazarus <known@lazarus.invalid> 1700000000 +0000';
  const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\nknown\n`;
  expect(commit).toBe(git(folder, ['hash-object', '-t', 'commit', '--stdin'], text).trim());
  const inGit = git(folder, ['rev-list', '--objects', '--no-object-names', tree]).trim().split('\n');
  expect(new Set(objects.map(({ oid }) => oid))).toEqual(new Set([...inGit, commit]));
});
