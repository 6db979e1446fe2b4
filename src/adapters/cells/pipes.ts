// Real pipes for a cell's output. Node's own are socket pairs: inside, `> /dev/stderr` fails on one. And they belong to
// the cell's user, so that it may open them again by name. Made a few ahead, because a program has to make them; each is
// used once, and has no name from the moment it is open.
import { randomUUID } from 'node:crypto';
import { constants, fchownSync, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Failure } from '../../failure.ts';
import { saysFull } from '../system/disk.ts';
import { runProgram } from '../system/run-program.ts';
import type { User } from './folders.ts';

export type Pipe = { readonly write: number; readonly read: Readable };
type Ends = { readonly writing: number; readonly reading: number };

/** What a cell with a project needs from its first step to its last, and one step more. */
const STOCK = 8;
const TIMEOUT_MS = 10_000;
const stock: Ends[] = [];
let making: Promise<void> | undefined;

/**
 * `folder`: one of ours and no cell's own, where they have names for a moment if there are none left. A participant can
 * read what its pipe was called once.
 */
export async function makePipes(folder: string, user: User | undefined): Promise<{ out: Pipe; err: Pipe }> {
  while (stock.length < 2) await stockPipes(folder);
  const take = (): Pipe => {
    const { writing, reading } = stock.shift()!;
    if (user !== undefined) fchownSync(writing, user.uid, user.gid);
    return { write: writing, read: new Socket({ fd: reading, readable: true, writable: false }) };
  };
  return { out: take(), err: take() };
}

/** Makes as many as were taken, for whoever comes next; for all who ask at once, only once. */
export function stockPipes(folder: string): Promise<void> {
  making ??= make(folder).finally(() => (making = undefined));
  return making;
}

async function make(folder: string): Promise<void> {
  const paths = Array.from({ length: STOCK - stock.length }, () => join(folder, `pipe-${randomUUID()}`));
  if (paths.length === 0) return;
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' };
  const args = ['-m', '600', '--', ...paths];
  const ran = await runProgram({ program: 'mkfifo', args, cwd: folder, env, timeoutMs: TIMEOUT_MS });
  if (ran.is !== 'ended' || ran.exitCode !== 0) {
    const says = ran.is === 'ended' ? ran.stderr.trim() : `mkfifo: ${ran.why}`;
    throw new Failure(saysFull(says) ? 'disk_full' : 'cell_start_failed', { says });
  }
  for (const path of paths) {
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const writing = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
    unlinkSync(path);
    stock.push({ writing, reading });
  }
}
