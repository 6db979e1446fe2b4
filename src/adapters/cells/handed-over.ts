// Reads what the last step of a cell prints: a tree, the names of what was left out, and a pack. All of it is a
// stranger's, so every length is bounded before it is believed.
import type { Readable } from 'node:stream';
import { Failure } from '../../failure.ts';

export type HandOver = {
  readonly tree: string;
  readonly dropped: { readonly count: number; readonly paths: readonly string[] };
  readonly pack: AsyncIterable<Uint8Array>;
};

const HEADER_BYTES_MAX = 200;
const SHOWN_BYTES_MAX = 512 * 1024;
const HEADER = /^tree (?<tree>[0-9a-f]{40})\ndropped (?<count>\d{1,9}) (?<bytes>\d{1,6})\n/;

export async function readHandOver(stream: Readable): Promise<HandOver> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held = Buffer.alloc(0);
  const more = async (): Promise<void> => {
    const next = await chunks.next();
    if (next.done === true) throw new Failure('work_refused', { why: 'nothing was handed over' });
    held = Buffer.concat([held, next.value]);
  };
  let header = HEADER.exec(held.toString('latin1'));
  while (header === null) {
    if (held.length > HEADER_BYTES_MAX) throw new Failure('work_refused', { why: 'malformed hand-over' });
    await more();
    header = HEADER.exec(held.toString('latin1', 0, HEADER_BYTES_MAX));
  }
  const { tree = '', count, bytes } = header.groups ?? {};
  const length = Number(bytes);
  if (length > SHOWN_BYTES_MAX) throw new Failure('work_refused', { why: 'malformed hand-over' });
  const start = header[0].length;
  while (held.length < start + length) await more();
  const names = held.toString('utf8', start, start + length);
  const rest = held.subarray(start + length);
  return {
    tree,
    dropped: { count: Number(count), paths: names.split('\0').filter((name) => name !== '') },
    pack: remaining(rest, chunks),
  };
}

async function* remaining(first: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
}
