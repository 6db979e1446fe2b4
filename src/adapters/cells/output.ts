// Counts, redacts and decodes what a cell prints, and calls out when it is too much. Control characters stay: whoever
// shows the text escapes it.
import type { Readable } from 'node:stream';
import type { OutputChunk } from '../../ports/cells.ts';
import { redactor } from '../system/redact.ts';

export type Meter = { bytes: number; redactions: number };

/** Resolves when the stream has ended and everything was passed on. */
export function watchOutput(
  source: Readable,
  options: {
    readonly stream: OutputChunk['stream'];
    readonly canaries: readonly string[];
    readonly meter: Meter;
    readonly bytesMax: number;
    readonly tooMuch: () => void;
    readonly take: (chunk: OutputChunk) => void;
  },
): Promise<void> {
  const { stream, meter, bytesMax } = options;
  const redact = redactor(options.canaries);
  const decoder = new TextDecoder('utf-8');
  const pass = (latin1: string, last: boolean): void => {
    const text = decoder.decode(Buffer.from(latin1, 'latin1'), { stream: !last });
    if (text !== '') options.take({ stream, text });
  };
  source.on('data', (chunk: Buffer) => {
    const room = bytesMax - meter.bytes;
    meter.bytes += chunk.length;
    if (room > 0) pass(redact.push(chunk.subarray(0, room).toString('latin1')), false);
    if (meter.bytes > bytesMax) options.tooMuch();
  });
  return new Promise((resolve) => {
    source.on('error', () => undefined);
    source.once('close', () => {
      pass(redact.end(), true);
      meter.redactions += redact.count();
      resolve();
    });
  });
}
