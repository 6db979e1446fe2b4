// Runs one of our own commands in a cell's sandbox and hands its output over as it comes. For what happens before the
// participant starts and after it ended; the participant itself is started in running-cell.ts.
import { dirname } from 'node:path';
import type { Failure } from '../../failure.ts';
import type { Launch, Running } from './launch.ts';
import { makePipes } from './pipes.ts';
import type { Readable } from 'node:stream';

export type Launcher = (launch: Launch) => Promise<Running>;

export type Errand = Omit<Launch, 'stdout' | 'stderr' | 'complaint' | 'input' | 'port'> & {
  /** The cell's own. */
  readonly folder: string;
  readonly timeoutMs: number;
  readonly input?: AsyncIterable<Uint8Array>;
  readonly failed: (facts: { readonly says: string; readonly exit: number | string }) => Failure;
};

/** Rejects with `failed` when the command does; whatever `read` made of its output until then is discarded. */
export async function runErrand<T>(
  launcher: Launcher,
  errand: Errand,
  read: (stdout: Readable) => Promise<T>,
): Promise<T> {
  const { out, err } = await makePipes(dirname(errand.folder), errand.user);
  const says = collect(err.read);
  let running: Running;
  try {
    running = await launcher({
      ...errand,
      stdout: out.write,
      stderr: err.write,
      port: false,
      input: errand.input === undefined ? undefined : true,
      complaint: () => says,
    });
  } catch (cause) {
    out.read.destroy();
    throw cause;
  }
  const timer = setTimeout(() => running.kill(), errand.timeoutMs);
  const reader = { hadEnough: false };
  try {
    const fed = feed(running, errand.input);
    const reading = read(out.read);
    // Whoever reads may have had enough: a command that goes on writing would wait for its time to be up.
    reading.catch(() => {
      reader.hadEnough = !out.read.readableEnded;
      if (reader.hadEnough) running.kill();
    });
    // All are awaited whatever the others do: a failed command says why better than a broken stream.
    const [made, given, end] = await Promise.allSettled([reading, fed, running.ended]);
    if (reader.hadEnough && made.status === 'rejected') throw made.reason;
    if (end.status === 'rejected') throw end.reason;
    if (given.status === 'rejected') throw given.reason;
    const { code, signal } = end.value;
    if (code !== 0) throw errand.failed({ says: await says, exit: code ?? signal ?? 'unknown' });
    if (made.status === 'rejected') throw made.reason;
    return made.value;
  } finally {
    clearTimeout(timer);
    running.kill();
    running.letGo();
    out.read.destroy();
  }
}

async function feed(running: Running, input: Errand['input']): Promise<void> {
  const into = running.input;
  if (into === undefined || input === undefined) return;
  const gone = running.ended.then(() => undefined);
  try {
    for await (const chunk of input) {
      if (into.destroyed) return;
      if (!into.write(chunk)) await Promise.race([gone, new Promise((resolve) => into.once('drain', resolve))]);
    }
    into.end();
  } catch (cause) {
    // The command would wait for the rest until its time is up.
    running.kill();
    throw cause;
  }
}

const SAYS_CHARACTERS_MAX = 300;

/** The beginning of a stream, fit for an error's facts. */
export function collect(stream: Readable): Promise<string> {
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    if (text.length < SAYS_CHARACTERS_MAX) text += chunk.toString('latin1');
  });
  return new Promise((resolve) => {
    const finish = (): void =>
      resolve(
        text
          .replaceAll(/[^ -~]+/g, ' ')
          .trim()
          .slice(0, SAYS_CHARACTERS_MAX),
      );
    stream.once('close', finish);
    stream.on('error', () => undefined);
  });
}
