// Networks for cells: each a namespace with nothing but loopback, and in it one socket that this process listens on. Nobody of
// ours stays inside: a holder opens the socket, hands it over and is gone, and two descriptors keep the namespace until the
// participant is in it. Made one ahead, because a program has to make them; each is used once.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { Server } from 'node:net';
import type { Readable } from 'node:stream';
import { Failure } from '../../../failure.ts';
import { collect } from '../errand.ts';
import { namespaceOf } from './namespaces.ts';

export type Network = {
  /** Listens at 127.0.0.1:3128 inside. Nothing of it is taken before somebody serves it. */
  readonly listening: Server;
  /** As /proc names the namespace; what a participant is in is compared with it. */
  readonly id: string;
  /** Arguments of nsenter that lead there, for whom we are or for the user that a cell becomes. */
  readonly enter: (user: { readonly uid: number; readonly gid: number } | undefined) => readonly string[];
  /** Once somebody is in it, or nobody ever will be. The socket goes with whoever serves it. */
  readonly letGo: () => void;
};

export type Networks = { readonly take: () => Promise<Network>; readonly stock: () => Promise<void> };

export const LISTENER_PORT = 3128;
const BACKLOG = 64;
const TIMEOUT_MS = 10_000;

/** `programs`: where bwrap is looked for. */
export function networks(programs: string): Networks {
  let ahead: Promise<Network> | undefined;
  const make = fewAtOnce(() => makeNetwork(programs));
  return {
    take() {
      const taken = ahead;
      ahead = undefined;
      // What went wrong with one that was made ahead may have been over long ago.
      return taken === undefined ? make() : taken.catch(make);
    },
    async stock() {
      ahead ??= make();
      await ahead.catch(() => undefined);
    },
  };
}

/**
 * Each takes a start of Node. Fifty at once would take two gigabytes, and on two cores so long that the time of each was up
 * before it had said a word.
 */
const MAKING_MAX = 2;

function fewAtOnce<T>(make: () => Promise<T>): () => Promise<T> {
  const waiting: (() => void)[] = [];
  let making = 0;
  return async () => {
    if (making >= MAKING_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
    else making++;
    try {
      return await make();
    } finally {
      // Its place is the next one's, or free.
      const next = waiting.shift();
      if (next === undefined) making--;
      else next();
    }
  };
}

// Runs as whoever we are, in namespaces of its own, with nothing of the cell around it: the cell does not exist yet.
const HOLDER = `const server = require('node:net').createServer();
server.listen({ host: '127.0.0.1', port: ${LISTENER_PORT}, backlog: ${BACKLOG} }, () => process.send(process.pid, server));
process.once('disconnect', () => process.exit());`;

/** Bubblewrap brings loopback up. Everything of the host is there for the holder, which is our own text. */
async function makeNetwork(programs: string): Promise<Network> {
  const apart = ['--unshare-user', '--unshare-net', '--die-with-parent', '--dev-bind', '/', '/'];
  const holder = spawn('bwrap', [...apart, '--', process.execPath, '-e', HOLDER], {
    cwd: '/',
    env: { PATH: programs },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
  try {
    const { pid, listening } = await handedOver(holder);
    listening.unref();
    const fds: number[] = [];
    const hold = (kind: 'net' | 'user'): number => {
      fds.push(openNamespace(pid, kind));
      return fds.at(-1)!;
    };
    const [net, user] = [hold('net'), hold('user')];
    const id = `net:[${fstatSync(net).ino}]`;
    // The socket is where the holder is; a holder that is where we are would listen to this machine.
    if (id === namespaceOf('self', 'net')) throw new Failure('sandbox_unfit', { shared: ['net'] });
    // By a path of ours: a descriptor that it inherited would be the participant's as well.
    const at = (fd: number): string => `/proc/${process.pid}/fd/${fd}`;
    return {
      listening,
      id,
      enter: (who) =>
        who === undefined
          ? [`--user=${at(user)}`, `--net=${at(net)}`, '--preserve-credentials']
          : [`--net=${at(net)}`, '--setgid', String(who.gid), '--setuid', String(who.uid)],
      letGo: () => fds.splice(0).forEach((fd) => closeSync(fd)),
    };
  } finally {
    if (holder.connected) holder.disconnect();
  }
}

/** Its time may be up in the moment after it handed over. */
function openNamespace(pid: number, kind: 'net' | 'user'): number {
  try {
    return openSync(`/proc/${pid}/ns/${kind}`, constants.O_RDONLY);
  } catch (cause) {
    throw new Failure('sandbox_unfit', { why: 'no network for a listener: whoever opened it is gone' }, { cause });
  }
}

function handedOver(holder: ChildProcess): Promise<{ readonly pid: number; readonly listening: Server }> {
  const says = collect(holder.stderr as Readable);
  return new Promise((resolve, reject) => {
    holder.once('message', (pid, handle) => resolve({ pid: Number(pid), listening: handle as Server }));
    holder.once('error', (cause) => reject(new Failure('sandbox_missing', { program: 'bwrap' }, { cause })));
    holder.once('close', () => {
      void says.then((text) => reject(new Failure('sandbox_unfit', { why: `no network for a listener: ${text}` })));
    });
  });
}
