// Real pipes for a cell's output. Node's own are socket pairs: inside, `> /dev/stderr` fails on one. And they belong to
// the cell's user, so that it may open them again by name.
import { execFile } from 'node:child_process';
import { constants, fchownSync, openSync, unlinkSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { User } from './folders.ts';

export type Pipe = { readonly write: number; readonly read: Readable };

const run = promisify(execFile);

export async function makePipes(folder: string, names: readonly string[], user: User | undefined): Promise<Pipe[]> {
  const paths = names.map((name) => join(folder, `${name}.pipe`));
  await run('mkfifo', ['-m', '600', '--', ...paths]);
  return paths.map((path) => {
    const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const write = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
    if (user !== undefined) fchownSync(write, user.uid, user.gid);
    unlinkSync(path);
    return { write, read: new Socket({ fd: reading, readable: true, writable: false }) };
  });
}
