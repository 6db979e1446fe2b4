// A work tree that somebody prepared: links that lead elsewhere, settings that name programs, work that is half staged.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkTree } from '../../../src/adapters/git/work-tree.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

const PATH = '.gitea/lazarus/policy.yml';
const AUTHOR = { name: 'uma', email: 'F@lazarus.invalid' };
const file = (text: string) => ({ path: PATH, content: utf8(text) });
const wanted = (text = 'a: 1\n') => ({ files: [file(text)], message: 'set up\n', author: AUTHOR });

function repository(): string {
  const folder = scratchRepository();
  writeFileSync(join(folder, 'mine.txt'), 'one\n');
  git(folder, ['add', '.']);
  git(folder, ['commit', '-q', '-m', 'begin']);
  return folder;
}

describe('files', () => {
  it('are written whole with their folders, read back, and absent ones are undefined', async () => {
    const folder = repository();
    mkdirSync(join(folder, 'deep/down'), { recursive: true });
    const tree = await openWorkTree(join(folder, 'deep/down'));
    expect(tree.folder).toBe(folder);
    expect(await tree.read(PATH)).toBeUndefined();
    await tree.write(file('a: 1\n'));
    expect(await tree.read(PATH)).toEqual(utf8('a: 1\n'));
    expect(git(folder, ['status', '--porcelain', '-uall'])).toBe(`?? ${PATH}`);
  });

  it.each([
    ['the folder', '.gitea'],
    ['a folder below', '.gitea/lazarus'],
  ])('never leave the tree through %s that is a link', async (_, link) => {
    const folder = repository();
    const elsewhere = scratch('elsewhere');
    mkdirSync(join(elsewhere, 'lazarus'));
    mkdirSync(join(folder, link, '..'), { recursive: true });
    symlinkSync(elsewhere, join(folder, link));
    const tree = await openWorkTree(folder);
    await expect(tree.write(file('a: 1\n'))).rejects.toMatchObject({ code: 'file_not_plain', facts: { path: link } });
    await expect(tree.read(PATH)).rejects.toMatchObject({ code: 'file_not_plain' });
    expect(existsSync(join(elsewhere, 'policy.yml')) || existsSync(join(elsewhere, 'lazarus/policy.yml'))).toBe(false);
  });

  it('that are links are neither followed nor replaced', async () => {
    const folder = repository();
    const secret = join(scratch('elsewhere'), 'secret');
    writeFileSync(secret, 'token');
    mkdirSync(join(folder, '.gitea/lazarus'), { recursive: true });
    symlinkSync(secret, join(folder, PATH));
    const tree = await openWorkTree(folder);
    await expect(tree.read(PATH)).rejects.toMatchObject({ code: 'file_not_plain' });
    await expect(tree.write(file('a: 1\n'))).rejects.toMatchObject({ code: 'file_not_plain' });
    expect(readFileSync(secret, 'utf8')).toBe('token');
  });

  it('have no place in a bare repository', async () => {
    await expect(openWorkTree(scratchRepository('--bare'))).rejects.toMatchObject({ code: 'no_work_tree' });
  });
});

describe('a commit', () => {
  it('holds these files and nothing else, by the person whom git knows', async () => {
    const folder = repository();
    git(folder, ['config', 'user.name', 'Uma']);
    git(folder, ['config', 'user.email', 'uma@example.invalid']);
    writeFileSync(join(folder, 'mine.txt'), 'two\n');
    writeFileSync(join(folder, 'new.txt'), 'new\n');
    const tree = await openWorkTree(folder);
    await tree.write(file('a: 1\n'));
    const commit = await tree.commit(wanted());
    expect(git(folder, ['rev-parse', 'main'])).toBe(commit);
    expect(git(folder, ['show', '--name-only', '--format=%an %ae %s', commit])).toBe(
      `Uma uma@example.invalid set up\n\n${PATH}`,
    );
    expect(git(folder, ['status', '--porcelain'])).toBe(' M mine.txt\n?? new.txt');
  });

  it('carries exactly the bytes given, whatever git would make of line ends', async () => {
    const folder = repository();
    git(folder, ['config', 'core.autocrlf', 'true']);
    const tree = await openWorkTree(folder);
    await tree.commit(wanted('a: 1\r\nb: 2\n'));
    expect(git(folder, ['cat-file', 'blob', `HEAD:${PATH}`])).toBe('a: 1\r\nb: 2');
  });

  it('is refused while something else is staged, and leaves it staged', async () => {
    const folder = repository();
    writeFileSync(join(folder, 'mine.txt'), 'two\n');
    git(folder, ['add', 'mine.txt']);
    const before = git(folder, ['rev-parse', 'HEAD']);
    const tree = await openWorkTree(folder);
    await expect(tree.commit(wanted())).rejects.toMatchObject({ code: 'index_in_use', facts: { files: ['mine.txt'] } });
    expect(git(folder, ['rev-parse', 'HEAD'])).toBe(before);
    expect(git(folder, ['diff', '--cached', '--name-only'])).toBe('mine.txt');
  });

  it('is made all the same by a rerun after a crash that left the file staged', async () => {
    const folder = repository();
    const tree = await openWorkTree(folder);
    await tree.write(file('a: 1\n'));
    git(folder, ['add', '--', PATH]);
    await tree.commit(wanted());
    expect(git(folder, ['status', '--porcelain'])).toBe('');
  });

  it('is refused where a filter could not be switched off', async () => {
    const folder = repository();
    git(folder, ['config', 'filter.a=b.clean', 'trap']);
    await expect((await openWorkTree(folder)).commit(wanted())).rejects.toMatchObject({ code: 'git_failed' });
  });

  it('is refused where no branch would keep it', async () => {
    const folder = repository();
    git(folder, ['checkout', '-q', '--detach']);
    await expect((await openWorkTree(folder)).commit(wanted())).rejects.toMatchObject({ code: 'head_detached' });
  });

  it('runs no program that the repository names: no hook, no filter, no watcher', async () => {
    const folder = repository();
    // As new as the index itself: git looks at the content of such a file whenever it writes the index.
    utimesSync(join(folder, 'mine.txt'), Date.now() / 1000 + 100, Date.now() / 1000 + 100);
    git(folder, ['add', 'mine.txt']);
    const trap = join(folder, 'trap.sh');
    const sprung = join(folder, 'sprung');
    writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> '${sprung}'\ncat\n`);
    chmodSync(trap, 0o755);
    for (const hook of ['pre-commit', 'post-commit', 'commit-msg', 'reference-transaction', 'post-index-change']) {
      mkdirSync(join(folder, '.git/hooks'), { recursive: true });
      writeFileSync(join(folder, '.git/hooks', hook), `#!/bin/sh\nexec '${trap}' ${hook}\n`, { mode: 0o755 });
    }
    for (const [name, value] of [
      ['filter.evil.clean', trap],
      ['filter.evil.smudge', trap],
      ['core.fsmonitor', trap],
      ['diff.external', trap],
      ['diff.evil.textconv', trap],
      ['diff.evil.command', trap],
    ] as const)
      git(folder, ['config', name, value]);
    writeFileSync(join(folder, '.gitattributes'), '* filter=evil diff=evil\n');
    const tree = await openWorkTree(folder);
    await tree.write(file('a: 1\n'));
    await tree.commit(wanted('a: 1\n'));
    await tree.commit(wanted('a: 2\n'));
    const [now, before] = await tree.versions(PATH);
    expect(await tree.difference(before!, now!)).toContain('-a: 1\n+a: 2');
    expect(existsSync(sprung) ? readFileSync(sprung, 'utf8') : 'nothing').toBe('nothing');
    // The traps are good ones: the same repository springs them for anybody who just commits.
    git(folder, ['commit', '-q', '--allow-empty', '-m', 'x']);
    expect(readFileSync(sprung, 'utf8')).toMatch(/trap.sh \n[^]*trap.sh pre-commit/);
  });
});
