// The difference between two commits as people read it, made by stock git in a folder of ours that only borrows the objects:
// whoever wrote the repository's settings or attributes could otherwise hide a change, or have a program run to show it.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { Oid } from '../../format/git/object.ts';
import { runProgram } from '../system/run-program.ts';
import { gitEnvironment, gitFailure, HARDENED } from './git.ts';
import { requireOid } from './reader.ts';

const PATCH_BYTES_MAX = 64 << 20;

export async function showDiff(repository: string, base: Oid, commit: Oid, how: 'patch' | 'stat'): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'lazarus-diff-'));
  try {
    await borrowing(folder, repository);
    return await run(folder, [
      'diff-tree',
      '-r',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--no-renames',
      '--src-prefix=a/',
      '--dst-prefix=b/',
      ...(how === 'patch' ? ['--patch', '--binary'] : ['--stat=120']),
      requireOid(base),
      requireOid(commit),
      '--',
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function borrowing(folder: string, repository: string): Promise<void> {
  await run(folder, ['init', '--quiet', '--bare', '--template=', '.']);
  await mkdir(join(folder, 'objects', 'info'), { recursive: true });
  await writeFile(join(folder, 'objects', 'info', 'alternates'), `${join(repository, 'objects')}\n`);
}

/** The person's own settings for git are left out as well: an external diff of theirs is for their own work. */
async function run(folder: string, args: readonly string[]): Promise<Uint8Array> {
  const ran = await runProgram({
    program: 'git',
    args: [...HARDENED.flatMap((setting) => ['-c', setting]), ...args],
    cwd: folder,
    env: { ...gitEnvironment(process.env, false), GIT_CONFIG_GLOBAL: '/dev/null', GIT_ATTR_NOSYSTEM: '1' },
    stdoutBytesMax: PATCH_BYTES_MAX,
  });
  if (ran.is === 'ended' && ran.exitCode === 0) return ran.stdout;
  if (ran.is === 'ended') throw gitFailure(args[0]!, ran);
  if (ran.is === 'not_started') throw new Failure('git_missing');
  throw new Failure('diff_too_large', { bytes_max: PATCH_BYTES_MAX });
}
