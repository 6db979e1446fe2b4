// The kernel port's host end: one JSON text per line from a participant. The line is a stranger's; what does not fit
// is counted and dropped, and nothing that is said here can stop the reader or fill the memory.
import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { fromBase64 } from '../../format/bytes.ts';
import { JSON_DEPTH_MAX } from '../../format/jcs.ts';
import type { PortMessage } from '../../ports/cells.ts';
import { redactText } from '../system/redact.ts';

/** As large as a done.json may be, in base64, and its frame. */
const LINE_CHARACTERS_MAX = 512 * 1024;
const MESSAGES_MAX = 10_000;

/** A shell cannot quote JSON inside JSON: `base64` carries a JSON text as it lies in a file. */
const Line = z.union([
  z.strictObject({ kind: z.enum(['heartbeat', 'done', 'blocked']), body: z.unknown() }),
  z.strictObject({ kind: z.enum(['heartbeat', 'done', 'blocked']), base64: z.string() }),
]);

export type PortCount = { messages: number; refused: number };

export function readPort(
  stream: Readable,
  canaries: readonly string[],
  count: PortCount,
  take: (message: PortMessage) => void,
): void {
  // A decoder of its own: a character may be split between two reads.
  const decoder = new StringDecoder('utf8');
  let line = '';
  let tooLong = false;
  stream.on('error', () => undefined);
  stream.on('data', (chunk: Buffer) => {
    if (count.messages >= MESSAGES_MAX) {
      count.refused += 1;
      return;
    }
    const pieces = decoder.write(chunk).split('\n');
    for (const [i, piece] of pieces.entries()) {
      if (line.length + piece.length > LINE_CHARACTERS_MAX) tooLong = true;
      line = tooLong ? '' : line + piece;
      if (i === pieces.length - 1) return;
      const message = tooLong ? undefined : parse(line, canaries);
      if (message === undefined || count.messages >= MESSAGES_MAX) count.refused += 1;
      else {
        count.messages += 1;
        take(message);
      }
      line = '';
      tooLong = false;
    }
  });
}

function parse(text: string, canaries: readonly string[]): PortMessage | undefined {
  const read = Line.safeParse(json(text));
  if (!read.success) return undefined;
  const { kind } = read.data;
  if (!('base64' in read.data))
    return { kind, body: json(redactText(JSON.stringify(read.data.body ?? null), canaries)) };
  const bytes = fromBase64(read.data.base64);
  if (bytes === undefined) return undefined;
  const body = json(redactText(Buffer.from(bytes).toString('utf8'), canaries));
  return body === undefined ? undefined : { kind, body };
}

/** Undefined for what is no JSON, or nested so deep that whoever writes it again exhausts the stack. */
function json(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Level by level: a recursion would end as the thing that is looked for. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > JSON_DEPTH_MAX) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
