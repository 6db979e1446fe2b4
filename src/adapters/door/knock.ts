// A job's side of the supervisor's socket: says one line, hears lines until the other end hangs up. Believes that whoever
// keeps the machine put the socket there, and refuses one that keeps nothing from this very user.
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { Failure } from '../../failure.ts';

type Hearing = {
  readonly onLine: (line: string) => void;
  /** Told to leave: the supervisor hands over what was begun, and says what came of it. */
  readonly leaving: AbortSignal;
};

const LINE_CHARACTERS_MAX = 4 << 20;

export async function isDoor(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isSocket(),
    () => false,
  );
}

/** Who made the socket, and whether anybody is behind it that we may speak to; asks it nothing. */
export async function whoAnswers(path: string): Promise<{ path: string; uid: number | undefined; is: Answering }> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isSocket() !== true) return { path, uid: undefined, is: 'none' };
  const is = await new Promise<Answering>((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve('answers')).once('error', () => resolve('silent'));
    socket.once('connect', () => socket.destroy());
  });
  return { path, uid: found.uid, is };
}
type Answering = 'none' | 'answers' | 'silent';

/** Throws `supervisor_unreachable`, and `supervisor_unfit` where jobs are root or the supervisor's own user. */
export async function knock(path: string, asked: string, { onLine, leaving }: Hearing): Promise<void> {
  const { uid } = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    throw unreachable(path, cause);
  });
  const own = process.geteuid?.() ?? 0;
  if (own === 0 || own === uid)
    throw new Failure('supervisor_unfit', { path, because: `jobs run as its own user or as root (${own})` });
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true });
    const leave = (): void => void socket.end();
    let heard = '';
    socket.setEncoding('utf8');
    socket.once('connect', () => {
      socket.write(`${asked}\n`);
      if (leaving.aborted) leave();
      else leaving.addEventListener('abort', leave, { once: true });
    });
    socket.on('data', (text: string) => {
      const lines = (heard + text).split('\n');
      heard = lines.pop() ?? '';
      try {
        for (const line of lines) onLine(line);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        socket.destroy();
      }
      if (heard.length > LINE_CHARACTERS_MAX) socket.destroy();
    });
    socket.once('end', leave);
    socket.once('error', (cause: NodeJS.ErrnoException) => reject(unreachable(path, cause)));
    socket.once('close', () => {
      leaving.removeEventListener('abort', leave);
      resolve();
    });
  });
}

function unreachable(path: string, cause: NodeJS.ErrnoException): Failure {
  return new Failure('supervisor_unreachable', { path, error: cause.code ?? cause.message }, { cause });
}
