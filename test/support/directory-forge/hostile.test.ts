// The plain folder as a forge is shared by processes and, perhaps, edited by hand: nothing gets lost, nothing gets out.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDirectoryForge } from './directory-forge.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { git, scratch } from '../repos.ts';

const NAME = { owner: 'team', name: 'r' };

async function opened() {
  const folder = scratch('forge');
  const forge = openDirectoryForge(folder, 'ana', nodeCrypto);
  await forge.createRepository(NAME, { isPrivate: true });
  return { folder, forge, repository: forge.repository(NAME) };
}

it('loses no comment of two accounts that write at the same moment', async () => {
  const { folder, forge, repository } = await opened();
  const number = await forge.fileIssue(NAME, { title: 't', body: '' });
  const ben = openDirectoryForge(folder, 'ben', nodeCrypto).repository(NAME);
  const writing = Array.from({ length: 20 }, async (_, i) =>
    (i % 2 === 0 ? ben : repository).createComment(number, `${i}`),
  );
  const written = await Promise.all(writing);
  expect(new Set(written.map(({ id }) => id)).size).toBe(20);
  expect(await repository.comments(number)).toHaveLength(20);
});

it('goes on after a process that died while it held the lock, and waits for one that lives', async () => {
  const { folder, forge } = await opened();
  const { pid } = JSON.parse(
    execFileSync(process.execPath, ['-p', 'JSON.stringify({pid: process.pid})'], { encoding: 'utf8' }),
  );
  writeFileSync(join(folder, 'team/r.json.lock'), String(pid));
  expect(await forge.fileIssue(NAME, { title: 't', body: '' })).toBe(1);
  expect(readdirSync(join(folder, 'team')).toSorted()).toEqual(['r.git', 'r.json']);
});

it('refuses a document that was edited into something else, and leaves it', async () => {
  const { folder, forge, repository } = await opened();
  writeFileSync(join(folder, 'team/r.json'), '{"id": "one"}');
  await expect(repository.comments(1)).rejects.toMatchObject({ code: 'forge_answer_unexpected' });
  writeFileSync(join(folder, 'team/r.json'), '{');
  await expect(forge.fileIssue(NAME, { title: 't', body: '' })).rejects.toMatchObject({
    code: 'forge_answer_unexpected',
  });
});

it.each([
  { owner: '..', name: 'r' },
  { owner: 'team', name: '../../r' },
  { owner: 'team/x', name: 'r' },
  { owner: '', name: 'r' },
  { owner: 'team', name: 'r.git' },
  { owner: 'team', name: 'r\n' },
])('makes no repository outside its folder: %j', async (name) => {
  const folder = scratch('outside');
  const forge = openDirectoryForge(join(folder, 'root'), 'ana', nodeCrypto);
  const making = forge.createRepository(name, { isPrivate: true });
  await expect(making).rejects.toMatchObject({ code: 'forge_not_found' });
  expect(readdirSync(folder).filter((entry) => entry !== 'root')).toEqual([]);
});

it.each(['a\nM 100644 inline evil', '"evil"', 'x/\\"evil'])(
  'writes no file whose path would be read as something else: %j',
  async (path) => {
    const { repository } = await opened();
    const change = { branch: 'main', message: 'x', files: [{ path, content: utf8('x') }] };
    await expect(repository.commitFiles(change)).rejects.toThrow();
    expect(await repository.branch('main')).toBeUndefined();
  },
);

it('runs no hook and believes no message that looks like a command', async () => {
  const { folder, repository } = await opened();
  const bare = join(folder, 'team/r.git');
  const mark = join(folder, 'ran');
  execFileSync('mkdir', ['-p', join(bare, 'hooks')]);
  writeFileSync(join(bare, 'hooks/reference-transaction'), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
  const message = 'x\ndata 3\nM 100644 inline evil\n';
  const files = [{ path: 'a', content: utf8('a\ncommit refs/heads/evil\n') }];
  await repository.commitFiles({ branch: 'main', message, files });
  expect(existsSync(mark)).toBe(false);
  expect(git(bare, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main');
  expect(git(bare, ['ls-tree', '-r', '--name-only', 'main'])).toBe('a');
  git(bare, ['fsck', '--strict']);
});

it('does not follow a symbolic link where a file is expected', async () => {
  const { folder, repository } = await opened();
  const clone = join(scratch('clone'), 'work');
  await repository.commitFiles({ branch: 'main', message: 'x', files: [{ path: 'a', content: utf8('a') }] });
  git(folder, ['clone', '-q', join(folder, 'team/r.git'), clone]);
  symlinkSync('/etc/passwd', join(clone, 'policy.yml'));
  git(clone, ['add', '.']);
  git(clone, ['commit', '-qm', 'link']);
  git(clone, ['push', '-q', 'origin', 'HEAD:main']);
  await expect(repository.readFile('policy.yml')).rejects.toMatchObject({ code: 'forge_answer_unexpected' });
});
