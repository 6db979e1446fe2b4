// What a cell can do to Git: its repository, its rules, its files. The host must run nothing of it, lose nothing of the
// base, and get exactly the files, not what some configuration makes of them.
import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import type { ProjectBase } from '../../../src/ports/cells.ts';
import { project, runIn, testCells } from '../../support/cells.ts';
import { git, scratch } from '../../support/repos.ts';

const IDENTITY = { name: 'runner', email: 'ff@lazarus.invalid', atSeconds: 1_700_000_000, message: 'work\n' };

/** What a shell text in a cell made of the base, as `<mode> <path>` and contents. */
async function made(base: ProjectBase, shellText: string) {
  const { cell, err, exit } = await runIn(await testCells(), shellText, { project: base });
  expect({ err, code: exit.code }).toEqual({ err: '', code: 0 });
  try {
    const work = await cell.takeWork(IDENTITY);
    const changes = await workRepositories.readDiff(work.repository, base.commit, work.tree);
    return {
      work,
      changes: changes.map(({ path, newMode }) => `${newMode} ${path}`),
      content: (path: string) => git(work.repository, ['cat-file', 'blob', `${work.commit}:${path}`]),
    };
  } finally {
    await cell.close();
  }
}

/** Every way to make whoever opens this repository run a program, all at once. */
const PLANTED = `
  mark='touch /tmp/PWN'
  for hook in post-checkout pre-commit post-commit reference-transaction post-index-change; do
    mkdir -p .git/hooks; printf '#!/bin/sh\\n%s\\n' "$mark" > .git/hooks/$hook; chmod +x .git/hooks/$hook
  done
  git config core.fsmonitor "$mark"
  git config core.pager "$mark"
  git config diff.external "$mark"
  git config core.sshCommand "$mark"
  git config filter.evil.clean "$mark; cat"
  git config filter.evil.smudge "$mark; cat"
  git config core.attributesFile /cell/project/attributes
  git config include.path /cell/project/included
  printf '[core]\\n\\tfsmonitor = %s\\n' "$mark" > included
  echo '* filter=evil diff=evil' > attributes
  echo '* filter=evil ident eol=crlf text' > .gitattributes
  printf '$Id$\\none\\n' > a.txt`;

test('planted configuration, hooks, filters and includes run nowhere on the host, and change no byte', async () => {
  const base = project({ 'a.txt': 'base\n' });
  const { changes, content } = await made(base, PLANTED);
  expect(changes).toEqual(['100644 .gitattributes', '100644 a.txt', '100644 attributes', '100644 included']);
  expect(content('a.txt')).toBe('$Id$\none');
  expect(existsSync('/tmp/PWN')).toBe(false);
});

test('the same repository does run a program when a host opens it: that is why none is opened', () => {
  const folder = scratch('planted');
  const marker = join(folder, 'PWN');
  git(folder, ['init', '-q', '.']);
  writeFileSync(join(folder, 'a.txt'), 'one\n');
  git(folder, ['add', '-A']);
  execFileSync('git', ['config', 'core.fsmonitor', `touch ${marker}`], { cwd: folder });
  execFileSync('git', ['status'], { cwd: folder, stdio: 'pipe' });
  expect(existsSync(marker)).toBe(true);
});

describe('a repository that the cell ruined', () => {
  const ruins = {
    removed: 'rm -rf .git',
    'turned into a link': 'rm -rf .git; ln -s /etc .git',
    'pointed elsewhere': 'echo /etc > .git/commondir',
    'with objects overwritten':
      'chmod -R u+w .git/objects; for f in $(find .git/objects -type f); do echo x > $f; done',
    'with an index of its own': 'cp a.txt .git/index',
    'with another HEAD': 'echo 0000000000000000000000000000000000000000 > .git/HEAD',
  };
  test.each(Object.entries(ruins))('%s', async (_, ruin) => {
    const base = project({ 'a.txt': 'base\n', 'b.txt': 'b\n' });
    const { changes, content } = await made(base, `echo two > a.txt\n${ruin}`);
    expect(changes).toEqual(['100644 a.txt']);
    expect(content('a.txt')).toBe('two');
    expect(git(base.repository, ['fsck', '--strict'])).toBe('');
  });
});

test('objects of the host are copies: overwriting those in the cell leaves the host’s whole', async () => {
  const base = project({ 'a.txt': 'base\n' });
  await made(base, 'chmod u+w .git/objects/pack/*; for p in .git/objects/pack/*; do echo > $p; done');
  expect(git(base.repository, ['fsck', '--strict', '--full'])).toBe('');
  // What a local clone does by itself, and why it is not used: the same file under two names.
  const clone = scratch('clone');
  git(clone, ['clone', '-q', '--local', base.repository, 'c']);
  const object = git(clone, ['-C', 'c', 'rev-parse', 'HEAD']);
  const path = join('objects', object.slice(0, 2), object.slice(2));
  execFileSync('chmod', ['u+w', join(clone, 'c', '.git', path)]);
  writeFileSync(join(clone, 'c', '.git', path), 'ruined');
  expect(() => git(base.repository, ['fsck', '--strict', '--full'])).toThrow();
});

describe('what counts as work', () => {
  test('files are ignored by the base’s rules, never by rules the cell made', async () => {
    const base = project({ '.gitignore': '*.log\nbuild/\n', 'sub/.gitignore': '!keep.log\n/local\n' });
    const { changes, work } = await made(
      base,
      `echo '*' > .gitignore; mkdir -p .git/info; echo '*' > .git/info/exclude; echo '[core]excludesFile=/cell/project/all' > $HOME/.gitconfig; echo '*' > all
       mkdir -p build sub; echo 1 > hidden.txt; echo 1 > a.log; echo 1 > build/b; echo 1 > sub/keep.log; echo 1 > sub/local; echo 1 > sub/other`,
    );
    expect(changes).toEqual([
      '100644 .gitignore',
      '100644 all',
      '100644 hidden.txt',
      '100644 sub/keep.log',
      '100644 sub/other',
    ]);
    expect(work.dropped).toEqual({ count: 3, paths: ['a.log', 'build/b', 'sub/local'] });
  });

  test('a file the base ignores but has is compared all the same', async () => {
    const base = project({ '.gitignore': '*.log\n', 'a.log': 'tracked\n' });
    expect((await made(base, 'echo changed > a.log')).changes).toEqual(['100644 a.log']);
  });

  test('protected files that did not exist yet show up like any other', async () => {
    const base = project({ 'a.txt': 'x\n' });
    const { changes } = await made(
      base,
      'mkdir .claude .gitea; echo {} > .claude/settings.json; echo {} > .mcp.json; echo x > .gitea/w.yml',
    );
    expect(changes).toEqual(['100644 .claude/settings.json', '100644 .gitea/w.yml', '100644 .mcp.json']);
  });

  test('links stay links, a repository inside is a submodule, an empty one nothing; no set-uid bit, no pipe', async () => {
    const base = project({ 'a.txt': 'x\n', dir: 'a file\n' });
    const { changes, content } = await made(
      base,
      `ln -s /etc/passwd link; ln -s ../../.. up; mkfifo pipe
       mkdir nested; git -C nested init -q; git -C nested commit -q --allow-empty -m x; echo 1 > nested/f
       mkdir -p empty/.git; echo 1 > empty/f
       rm dir; mkdir dir; echo 1 > dir/inside; echo 1 > run.sh; chmod 755 run.sh`,
    );
    expect(changes).toEqual([
      '000000 dir',
      '100644 dir/inside',
      '100644 empty/f',
      '120000 link',
      '160000 nested',
      '100755 run.sh',
      '120000 up',
    ]);
    expect(content('link')).toBe('/etc/passwd');
  });

  test('nothing done is the base’s own tree', async () => {
    const base = project({ 'a.txt': 'x\r\n', '.gitattributes': '*.txt text eol=crlf\n' });
    const { work, changes } = await made(base, 'git status --porcelain; touch a.txt');
    expect(changes).toEqual([]);
    expect(work.tree).toBe(git(base.repository, ['rev-parse', `${base.commit}^{tree}`]));
  });

  test('a thousand files, and names that no shell likes', async () => {
    const { changes, work } = await made(
      project({ 'a.txt': 'x\n' }),
      String.raw`i=0; while [ $i -lt 1000 ]; do echo $i > f$i; i=$((i+1)); done; touch -- '-rf' 'a b' "$(printf 'new\nline')" 'ü' '"quoted"'`,
    );
    expect(changes).toHaveLength(1005);
    expect(changes).toEqual(expect.arrayContaining(['100644 -rf', '100644 a b', '100644 new\nline', '100644 ü']));
    expect(git(work.repository, ['fsck', '--strict', work.commit])).toBe('');
  });
});

test('a name that is no UTF-8 is refused by name, not guessed at', async () => {
  const base = project({ 'a.txt': 'x\n' });
  await expect(made(base, String.raw`touch "$(printf 'bad\377name')"`)).rejects.toMatchObject({
    code: 'path_undecodable',
    facts: { path_hex: Buffer.from('bad\xffname', 'latin1').toString('hex') },
  });
});

test('work is not taken from a cell that still runs', async () => {
  const cells = await testCells();
  const base = project({ 'a.txt': 'x\n' });
  const running = runIn(cells, 'sleep 60', { project: base, limits: { wallMs: 1500 } });
  const { cell, exit } = await running;
  expect(exit.reason).toBe('timeout');
  expect((await cell.takeWork(IDENTITY)).base).toBe(base.commit);
  await cell.close();
});
