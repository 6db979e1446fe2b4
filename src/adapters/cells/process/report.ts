// What bubblewrap reports about the process it started: a stream of JSON texts, read as they come.
import type { Readable } from 'node:stream';

export type BubblewrapReport = {
  /** The host's number of the cell's first process; never settles when there is none. */
  readonly begun: Promise<{ readonly pid: number }>;
  /** Undefined when the command never ran: then nothing is reported. */
  readonly exitCode: Promise<number | undefined>;
};

const STATUS_CHARACTERS_MAX = 4096;

export function readReport(stream: Readable): BubblewrapReport {
  let text = '';
  let begin: (begun: { pid: number }) => void;
  const begun = new Promise<{ pid: number }>((resolve) => (begin = resolve));
  stream.setEncoding('latin1').on('data', (more: string) => {
    if (text.length < STATUS_CHARACTERS_MAX) text += more;
    const pid = numberAfter(text, 'child-pid');
    if (pid !== undefined) begin({ pid });
  });
  const exitCode = new Promise<number | undefined>((resolve) => {
    stream.once('error', () => resolve(undefined));
    stream.once('close', () => resolve(numberAfter(text, 'exit-code')));
  });
  return { begun, exitCode };
}

function numberAfter(text: string, name: string): number | undefined {
  const found = new RegExp(`"${name}": (\\d+)[,\\s}]`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}
