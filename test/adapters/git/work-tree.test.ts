// A work tree that somebody prepared: links that lead elsewhere, settings that name programs, work that is half staged.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { look } from '../../../src/adapters/git/look.ts';
import { openWorkTree } from '../../../src/adapters/git/work-tree.ts';
import { Failure } from '../../../src/failure.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { isRefName } from '../../../src/format/git/ref-name.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';
import { trap } from '../../support/trap.ts';

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

describe('names that somebody chose to be taken for something else', () => {
  const commit = (folder: string, path: string, text: string): void => {
    writeFileSync(join(folder, path), text);
    git(folder, ['--literal-pathspecs', 'add', '--', path]);
    git(folder, ['commit', '-q', '-m', 'x']);
  };

  it('are paths when they look like options: nothing is written where they say', async () => {
    const folder = repository();
    const path = '--output=stolen';
    commit(folder, path, 'a');
    // The attack: git takes it for an option, and writes the file.
    git(folder, ['log', 'HEAD', path]);
    expect(existsSync(join(folder, 'stolen'))).toBe(true);
    rmSync(join(folder, 'stolen'));
    expect(await (await openWorkTree(folder)).versions(path)).toHaveLength(1);
    expect(existsSync(join(folder, 'stolen'))).toBe(false);
  });

  it.each([':(glob)**', ':!mine.txt', '*', 'a\nb', '-n1'])('stand for one file, and for no other: %j', async (path) => {
    const folder = repository();
    const tree = await openWorkTree(folder);
    expect(await tree.versions(path)).toEqual([]);
    commit(folder, path, 'x');
    expect(await tree.versions(path)).toHaveLength(1);
    expect(await tree.versions('mine.txt')).toHaveLength(1);
  });

  it.each([':/', ':(top)', '--', '.git/config'])('stand for no file at all: %j', async (path) => {
    expect(await (await openWorkTree(repository())).versions(path)).toEqual([]);
  });

  it('are told as they are when they are staged', async () => {
    const folder = repository();
    writeFileSync(join(folder, '--all\nmine.txt'), 'x');
    git(folder, ['add', '--', '--all\nmine.txt']);
    await expect((await openWorkTree(folder)).commit(wanted())).rejects.toMatchObject({
      code: 'index_in_use',
      facts: { files: ['--all\nmine.txt'] },
    });
  });

  it('are committed as they are', async () => {
    const folder = repository();
    const paths = ['--cacheinfo', ':(glob)*', 'a,b'];
    const files = paths.map((path) => ({ path, content: utf8(path) }));
    await (await openWorkTree(folder)).commit({ ...wanted(), files });
    expect(git(folder, ['ls-tree', '--name-only', 'HEAD']).split('\n')).toEqual([
      '--cacheinfo',
      ':(glob)*',
      'a,b',
      'mine.txt',
    ]);
  });

  it.each(['--upload-pack=touch sprung', '--exec-path=.', '-c', 'a..b', 'a\u0007b', 'x.lock'])(
    'are no options as a branch, and no branch where git allows none: %j',
    async (name) => {
      const folder = repository();
      const before = git(folder, ['rev-parse', 'HEAD']);
      writeFileSync(join(folder, '.git/HEAD'), `ref: refs/heads/${name}\n`);
      if (!['.', ' ', '\u0007'].some((one) => name.includes(one)))
        writeFileSync(join(folder, '.git/refs/heads', name), `${before}\n`);
      const made = await (await openWorkTree(folder)).commit(wanted()).catch((error: unknown) => error);
      if (isRefName(`refs/heads/${name}`))
        expect(readFileSync(join(folder, '.git/refs/heads', name), 'utf8')).toBe(`${String(made)}\n`);
      else expect(made).toBeInstanceOf(Failure);
      expect(git(folder, ['rev-parse', 'refs/heads/main'])).toBe(before);
      expect(existsSync(join(folder, 'sprung'))).toBe(false);
    },
  );

  it('commits onto no reference that is no branch, whatever HEAD says', async () => {
    const folder = repository();
    const before = git(folder, ['rev-parse', 'HEAD']);
    git(folder, ['update-ref', 'refs/lazarus/pin', before]);
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/lazarus/pin\n');
    await expect((await openWorkTree(folder)).commit(wanted())).rejects.toMatchObject({ code: 'head_detached' });
    expect(git(folder, ['rev-parse', 'refs/lazarus/pin'])).toBe(before);
  });
});

describe('the environment of a look', () => {
  const given = (settings: Readonly<Record<string, string>>): void => {
    for (const [name, value] of Object.entries(settings)) {
      const before = process.env[name];
      process.env[name] = value;
      onTestFinished(() => void (before === undefined ? delete process.env[name] : (process.env[name] = before)));
    }
  };

  it('keeps what a person says of trust and of their name, and nothing that names a program', async () => {
    const folder = repository();
    const { program, hasRun } = trap();
    given({
      GIT_CONFIG_COUNT: '3',
      GIT_CONFIG_KEY_0: 'core.fsmonitor',
      GIT_CONFIG_VALUE_0: program,
      GIT_CONFIG_KEY_1: 'user.name',
      GIT_CONFIG_VALUE_1: 'Uma of the environment',
      GIT_CONFIG_KEY_2: 'user.email',
      GIT_CONFIG_VALUE_2: 'uma@example.invalid',
      GIT_EXTERNAL_DIFF: program,
      GIT_PAGER: program,
      GIT_EDITOR: program,
    });
    const tree = await openWorkTree(folder);
    await tree.commit(wanted('a: 1\n'));
    await tree.commit(wanted('a: 2\n'));
    const [now, before] = await tree.versions(PATH);
    expect(await tree.difference(before!, now!)).toContain('+a: 2');
    expect(git(folder, ['log', '-1', '--format=%an'])).toBe('Uma of the environment');
    expect(hasRun()).toBe(false);
  });

  it('does not lead to another repository that a surrounding git named', async () => {
    const [folder, other] = [repository(), repository()];
    given({ GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other, GIT_INDEX_FILE: join(other, '.git/index') });
    expect((await openWorkTree(folder)).folder).toBe(folder);
  });

  it('says that there is no git, or no folder, as everywhere', async () => {
    const folder = repository();
    await expect(openWorkTree(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'not_a_repository' });
    given({ PATH: scratch('empty') });
    await expect(openWorkTree(folder)).rejects.toMatchObject({ code: 'git_missing' });
  });

  it.each([
    [
      'a setting that names a program',
      ['-c', 'core.sshCommand=touch sprung', 'fetch', 'ssh://x.invalid/y'],
      'git_failed',
    ],
    ['the program of the other end', ['fetch', '--upload-pack=touch sprung', '.'], 'git_failed'],
    // By git itself, which simple-git asks to know no abbreviation.
    ['an option cut short', ['fetch', '--upload-pa=touch sprung', '.'], 128],
  ])('has no way for %s, should one ever get there', async (_, question, refusal) => {
    const folder = repository();
    const asked = look({ cwd: folder }, question).then(({ exitCode }) => exitCode);
    expect(await asked.catch((error: unknown) => (error as Failure).code)).toBe(refusal);
    expect(existsSync(join(folder, 'sprung'))).toBe(false);
  });

  it('is left when nobody waits for its answer any more', async () => {
    const stopped = AbortSignal.abort();
    await expect(openWorkTree(repository(), stopped)).rejects.toMatchObject({ code: 'interrupted' });
  });
});
