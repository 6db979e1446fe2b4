// The supervisor's side of a Unix socket that one group may connect to: one line from each caller, within limits of time,
// bytes and number. Knows no line.
import { chmod, chown, lstat, unlink } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Failure } from '../../failure.ts';
import type { Caller, Door } from '../../ports/door.ts';

type Place = {
  readonly path: string;
  /** Its members may connect; without one only the user that opens it. */
  readonly gid?: number | undefined;
};

type Limits = {
  /** Whoever waits for a turn is connected meanwhile. */
  readonly callersMax: number;
  readonly askedWithinMs: number;
  /** For the last line, once it is said. */
  readonly readWithinMs: number;
};

const LIMITS: Limits = { callersMax: 64, askedWithinMs: 10_000, readWithinMs: 10_000 };
const ASKED_BYTES_MAX = 8192;
/** Progress beyond that is lost on a caller who reads none of it. */
const UNREAD_BYTES_MAX = 256 * 1024;

export async function openDoor(
  { path, gid }: Place,
  onCaller: (caller: Caller) => void,
  limits: Limits = LIMITS,
): Promise<Door> {
  await clear(path);
  // A caller who was told to leave says so by ending what it says, and still hears what became of it.
  const server = createServer({ allowHalfOpen: true }, (socket) => onCaller(callerAt(socket, limits)));
  server.maxConnections = limits.callersMax;
  await listen(server, path);
  if (gid !== undefined) {
    await chown(path, -1, gid);
    await chmod(path, 0o660);
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
}

/** What a killed one left is removed; one that answers is left alone, and so is whatever is no socket. */
async function clear(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Failure('supervisor_unfit', { path, because: 'is there, and no socket' });
  if (await answers(path)) throw new Failure('supervisor_unfit', { path, because: 'another supervisor answers here' });
  await unlink(path);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const end = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => end(true)).once('error', () => end(false));
  });
}

/** Nobody else's from its first moment: the group is let in afterwards. */
function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException): void =>
      reject(new Failure('supervisor_unfit', { path, because: cause.code ?? cause.message }, { cause }));
    server.once('error', failed);
    const before = process.umask(0o177);
    try {
      server.listen(path, () => {
        server.off('error', failed);
        resolve();
      });
    } finally {
      process.umask(before);
    }
  });
}

function callerAt(socket: Socket, { askedWithinMs, readWithinMs }: Limits): Caller {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  socket.on('end', leave).on('close', leave).on('error', leave);
  return {
    asked: firstLine(socket, askedWithinMs),
    leaving: leaving.signal,
    tell(line) {
      if (socket.writable && socket.writableLength < UNREAD_BYTES_MAX) socket.write(`${line}\n`);
    },
    end: (line) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => socket.destroy(), readWithinMs);
        const gone = (): void => {
          clearTimeout(timer);
          resolve();
        };
        if (socket.destroyed) return gone();
        socket.once('close', gone);
        socket.end(`${line}\n`, () => socket.destroy());
      }),
  };
}

/** More than one line, or none in time, ends the call: nobody honest does that. */
function firstLine(socket: Socket, withinMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let asked: Buffer | undefined = Buffer.alloc(0);
    const refuse = (): void => {
      asked = undefined;
      resolve(undefined);
      socket.destroy();
    };
    const timer = setTimeout(refuse, withinMs);
    socket.once('end', () => asked !== undefined && refuse());
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    socket.on('data', (chunk: Buffer) => {
      if (asked === undefined || asked.length + chunk.length > ASKED_BYTES_MAX) return refuse();
      asked = Buffer.concat([asked, chunk]);
      const end = asked.indexOf('\n');
      if (end === -1) return;
      if (end !== asked.length - 1) return refuse();
      clearTimeout(timer);
      resolve(asked.toString('utf8', 0, end));
      asked = undefined;
    });
  });
}
