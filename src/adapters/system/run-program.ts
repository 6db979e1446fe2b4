// Runs one program to its end: arguments as a list, exactly the environment given, a bound on what it may say, and no
// longer than it is allowed to. An exit code is an answer, and so is a program that is not there. Knows no program.
//
// What stays and is talked to (git's batch processes, packs, cells) is started where it is talked to, not here.
import { existsSync } from 'node:fs';
import type { execa as Execa } from 'execa';

export type Program = {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All that it gets. Nothing of this process's own environment is passed on beside it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array | undefined;
  /** Without one it may take as long as it needs: a person is asked for a passphrase, a history is long. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly stdoutBytesMax?: number | undefined;
  /**
   * Whether it, or what it starts, may ask a person at the terminal: ssh does. Then it stays in our session and is ended
   * alone. Any other is the head of a process group, and is ended with all that it started.
   */
  readonly mayAskPerson?: boolean | undefined;
};

export type Ran =
  /** `exitCode` is the signal's name when one ended it. Of a long `stderr` the end is kept. */
  | { readonly is: 'ended'; readonly exitCode: number | string; readonly stdout: Buffer; readonly stderr: string }
  | { readonly is: 'stopped'; readonly why: Stop }
  | NotStarted;

export type NotStarted = {
  readonly is: 'not_started';
  readonly why: 'no_program' | 'no_folder' | 'refused';
  /** The system's word for it. */
  readonly code: string;
};

type Stop = 'timeout' | 'aborted' | 'too_long';

const STDOUT_BYTES_MAX = 64 << 20;
const STDERR_BYTES_KEPT = 64 << 10;
/** From the request to end to the end: git removes its locks meanwhile. */
const GRACE_MS = 1000;

export async function runProgram(asked: Program): Promise<Ran> {
  if (asked.signal?.aborted === true) return { is: 'stopped', why: 'aborted' };
  // Read with the first program that runs: it takes half as long to load as lazarus itself.
  const { execa } = await import('execa');
  const isHead = asked.mayAskPerson !== true;
  let child: Child;
  try {
    child = begin(execa, asked, isHead);
  } catch {
    // What cannot be an argument at all, such as a NUL. The error quotes it, and is not passed on.
    return { is: 'not_started', why: 'refused', code: 'EINVAL' };
  }
  return untilEnd(child, asked, isHead);
}

type Child = ReturnType<typeof begin>;

function begin(execa: typeof Execa, asked: Program, isHead: boolean) {
  return execa(asked.program, [...asked.args], {
    cwd: asked.cwd,
    env: defined(asked.env),
    extendEnv: false,
    input: asked.input ?? '',
    detached: isHead,
    buffer: false,
    reject: false,
    // Its own way would change the signal handlers of this process; and NODE_DEBUG would have it print command lines.
    cleanup: false,
    verbose: 'none',
  });
}

async function untilEnd(child: Child, asked: Program, isHead: boolean): Promise<Ran> {
  const said = listen(child, asked.stdoutBytesMax ?? STDOUT_BYTES_MAX, () => stop('too_long'));
  let stopped: Stop | undefined;
  let hard: NodeJS.Timeout | undefined;
  let letGo: (() => void) | undefined;
  const gone = new Promise<undefined>((resolve) => (letGo = () => resolve(undefined)));
  const stop = (why: Stop): void => {
    if (stopped !== undefined) return;
    stopped = why;
    end(child, isHead, 'SIGTERM');
    hard = setTimeout(() => {
      end(child, isHead, 'SIGKILL');
      // Whoever left the group still holds the other ends, for as long as he likes.
      child.stdout.destroy();
      child.stderr.destroy();
      letGo?.();
    }, GRACE_MS);
  };
  const timer = asked.timeoutMs === undefined ? undefined : setTimeout(() => stop('timeout'), asked.timeoutMs);
  const onAbort = (): void => stop('aborted');
  asked.signal?.addEventListener('abort', onAbort, { once: true });
  if (isHead) endWithUs(child);
  try {
    const result = await Promise.race([child, gone]);
    if (stopped !== undefined) return { is: 'stopped', why: stopped };
    // Nothing else of the result is looked at: its message has the whole command line.
    const exitCode = result?.exitCode ?? result?.signal;
    return exitCode === undefined ? notStarted(result?.code ?? '', asked.cwd) : { is: 'ended', exitCode, ...said() };
  } finally {
    clearTimeout(timer);
    clearTimeout(hard);
    asked.signal?.removeEventListener('abort', onAbort);
    heads.delete(child);
  }
}

/** Collects what it says; a stdout without end is told once and not kept. */
function listen(child: Child, stdoutBytesMax: number, tooLong: () => void): () => { stdout: Buffer; stderr: string } {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stderr = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= stdoutBytesMax) chunks.push(chunk);
    else tooLong();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = Buffer.concat([stderr, chunk]).subarray(-STDERR_BYTES_KEPT);
  });
  return () => ({ stdout: Buffer.concat(chunks), stderr: stderr.toString('utf8') });
}

/** A number of a group is not given out again while anybody is in it. */
function end(child: Child, isHead: boolean, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(isHead ? -child.pid : child.pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

// Heads of groups do not hear a terminal's Ctrl-C, and would outlive a process that gave up waiting for them.
const heads = new Set<Child>();
let isWatching = false;

function endWithUs(child: Child): void {
  heads.add(child);
  if (isWatching) return;
  isWatching = true;
  process.once('exit', () => heads.forEach((head) => end(head, true, 'SIGTERM')));
}

/** The system says the same of a missing program and of a missing folder. */
export function notStarted(code: string, cwd: string): NotStarted {
  const isAbsent = code === 'ENOENT' || code === 'ENOTDIR';
  const why = !existsSync(cwd) ? 'no_folder' : isAbsent ? 'no_program' : 'refused';
  return { is: 'not_started', why, code };
}

function defined(env: Program['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
