// Runs the git program on a repository that somebody else may have prepared: to its end, or as a process whose streams
// somebody reads (process.ts). Knows processes, not objects.
//
// The attacker of this file owns `.git`: a config or hook there must not make reading or appending run a program,
// reach the network or see another history than the objects tell. A person's own configuration stays in force,
// because git looks for `safe.directory` only there.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { Failure } from '../../failure.ts';
import type { Facts } from '../../reasons.ts';
import { saysFull } from '../system/disk.ts';
import { notStarted, runProgram, type NotStarted } from '../system/run-program.ts';
import { NO_HOOKS } from './no-hooks.ts';

export type GitAt = {
  readonly cwd: string;
  /** Found once by discovery; naming it afterwards keeps every later process from discovering something else. */
  readonly gitDir?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Only then may git talk to a remote; hooks and file watchers stay off either way. */
  readonly network?: boolean | undefined;
  /** No single allocation of git may be larger: for objects that a stranger sized. */
  readonly allocationBytesMax?: number | undefined;
};

/** A git that stays, or whose streams somebody reads. */
export type GitChild = ChildProcessWithoutNullStreams;

export type GitResult = { readonly exitCode: number | string; readonly stdout: string; readonly stderr: string };

const STDERR_BYTES_MAX = 8192;
const SAYS_LENGTH_MAX = 600;

/** Settings under which no file of the repository starts a program or changes what its objects say. */
export const HARDENED: readonly string[] = [
  ...NO_HOOKS, // reference-transaction would run on every append
  'core.fsmonitor=false', // names a program
  'core.fsync=all', // an acknowledged append survives a power cut
  'core.fsyncMethod=fsync',
  'core.commitGraph=false', // a forged graph file tells other parents than the commits do
  'core.logAllRefUpdates=false',
  'core.warnAmbiguousRefs=false',
  'log.showSignature=false', // runs gpg.program for each signed commit
  'gc.auto=0',
  'maintenance.auto=false',
  'pack.packSizeLimit=0',
];

/** Starts git with fixed arguments; the caller owns its streams. Never a shell. */
export function spawnGit(place: GitAt, args: readonly string[]): GitChild {
  const { args: all, cwd, env } = commandLine(place, args);
  const child = spawn('git', all, {
    cwd,
    env,
    stdio: 'pipe',
    ...(place.signal === undefined ? {} : { signal: place.signal }),
  });
  // A git that dies early closes its input; its exit code tells why, the broken pipe does not.
  child.stdin.on('error', () => undefined);
  return child;
}

function commandLine(place: GitAt, args: readonly string[]) {
  const where = place.gitDir === undefined ? [] : [`--git-dir=${place.gitDir}`];
  const limit = place.allocationBytesMax === undefined ? {} : { GIT_ALLOC_LIMIT: String(place.allocationBytesMax) };
  const env = { ...gitEnvironment(process.env, place.network ?? false), ...limit };
  return { args: [...where, ...HARDENED.flatMap((setting) => ['-c', setting]), ...args], cwd: place.cwd, env };
}

/** Runs git to its end. Any exit code is an answer; only a git that could not run or was stopped throws. */
export async function runGit(
  place: GitAt,
  args: readonly string[],
  input: string | Uint8Array = '',
): Promise<GitResult> {
  const ran = await runProgram({ program: 'git', ...commandLine(place, args), input, signal: place.signal });
  if (ran.is === 'ended')
    return { exitCode: ran.exitCode, stdout: ran.stdout.toString('utf8'), stderr: readable(ran.stderr) };
  if (ran.is === 'not_started') throw startFailure(ran);
  if (ran.why === 'aborted') throw new Failure('interrupted');
  throw new Failure('git_failed', { command: args[0] ?? '', says: 'too much output' });
}

/** Runs git and returns its output; any exit code but 0 is a Failure with git's own words. */
export async function askGit(place: GitAt, args: readonly string[], input: string | Uint8Array = ''): Promise<string> {
  const result = await runGit(place, args, input);
  if (result.exitCode !== 0) throw gitFailure(args[0] ?? '', result);
  return result.stdout;
}

/** Resolves when the process has ended and its output is read; rejects by name when it never ran or was aborted. */
export function exitOf(child: GitChild, place: GitAt): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', (cause: NodeJS.ErrnoException) => reject(spawnFailure(cause, place)));
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'unknown'));
  });
}

export function collectStderr(child: GitChild): () => string {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < STDERR_BYTES_MAX) text += more;
  });
  return () => readable(text);
}

/** Turns what git said into the reason a person can act on. Its messages are English because LC_ALL is C. */
export function gitFailure(command: string, result: Pick<GitResult, 'exitCode' | 'stderr'>): Failure {
  const says = result.stderr;
  const lock = /Unable to create '(?<path>[^']+\.lock)': File exists/.exec(says)?.groups?.['path'];
  const facts: Facts = { command, exit: result.exitCode, says };
  if (lock !== undefined) return new Failure('lock_held', { lock }, { retry: 'later' });
  const inTheWay = /'(?<path>refs\/[^']+)' exists; cannot create/.exec(says)?.groups?.['path'];
  if (inTheWay !== undefined) return new Failure('reference_in_the_way', { reference: inTheWay });
  if (/not a git repository/i.test(says)) return new Failure('not_a_repository');
  if (says.includes('dubious ownership')) return new Failure('repository_not_trusted', { says });
  if (/refstorage|reftable/i.test(says)) return new Failure('ref_backend_unreadable', { says });
  if (saysFull(says) || result.exitCode === 'SIGXFSZ') return new Failure('disk_full', facts, { retry: 'later' });
  if (/Permission denied|Read-only file system|Operation not permitted/.test(says))
    return new Failure('not_writable', facts);
  if (
    /bad object|bad tree|bad parents|bogus commit|Could not read|Failed to traverse|not a tree object|missing blob|nonexistent object/i.test(
      says,
    )
  ) {
    return new Failure('object_missing', { ...facts, oid: /[0-9a-f]{40}/.exec(says)?.[0] ?? '' });
  }
  if (/corrupt|inflate|mismatch|bad packed object|cannot be read|unable to (stream|read)/i.test(says))
    return new Failure('object_corrupt', facts);
  return new Failure('git_failed', facts);
}

/** Git's words for a commit or tree that it cannot read, or that is not there: only the object itself tells which. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Failure && UNREADABLE.has(error.code);
}

const UNREADABLE: ReadonlySet<string> = new Set(['object_missing', 'object_corrupt']);

// GIT_DIR, GIT_INDEX_FILE, GIT_OBJECT_DIRECTORY and their like arrive here when lazarus runs inside a hook, and would
// silently point git at another repository: only what is named passes.
const PASSED_ON =
  /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|SSH_\w+|GNUPGHOME|XDG_\w+|(?:https?|all|no)_proxy|GIT_CONFIG_(?:NOSYSTEM|GLOBAL|SYSTEM|COUNT|KEY_\d+|VALUE_\d+)|GIT_CEILING_DIRECTORIES|GIT_SSL_\w+)$/i;
const PASSED_ON_TO_REMOTES = /^(?:GIT_SSH|GIT_SSH_COMMAND|GIT_ASKPASS)$/;

/** The environment of every git process: what a person set for git, minus what a surrounding git set for itself. */
export function gitEnvironment(from: NodeJS.ProcessEnv, network: boolean): NodeJS.ProcessEnv {
  const passed = Object.entries(from).filter(
    ([name]) => PASSED_ON.test(name) || (network && PASSED_ON_TO_REMOTES.test(name)),
  );
  return {
    ...Object.fromEntries(passed),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1', // refs/replace would show other bytes under a signed name
    GIT_GRAFT_FILE: '/dev/null/none', // and grafts other parents
    GIT_NO_LAZY_FETCH: '1',
    GIT_FLUSH: '0', // rev-list would hand on each line by itself; what answers questions one by one flushes all the same
    // Older gits know no GIT_NO_LAZY_FETCH: an absent object in a "partial clone" would run core.sshCommand.
    ...(network ? {} : { GIT_ALLOW_PROTOCOL: 'none' }),
  };
}

function spawnFailure(cause: NodeJS.ErrnoException, place: GitAt): Failure {
  if (cause.name === 'AbortError') return new Failure('interrupted', {}, { cause });
  return startFailure(notStarted(cause.code ?? '', place.cwd));
}

export function startFailure({ why, code }: NotStarted): Failure {
  if (why === 'no_folder') return new Failure('not_a_repository');
  return why === 'no_program' ? new Failure('git_missing') : new Failure('git_failed', { says: code });
}

/** What git printed, fit for a terminal and for a log: no control characters, no credentials of a URL, bounded. */
export function readable(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(/:\/\/[^/@\s]*@/g, '://')
    .trim()
    .slice(0, SAYS_LENGTH_MAX);
}
