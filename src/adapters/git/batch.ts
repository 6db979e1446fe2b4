// Reads what `git cat-file --batch` prints, as it arrives: a run of objects for each chunk. Bodies are views of the chunks
// read: nothing is copied unless an object spans two chunks. Hashes nothing.
import type { Readable } from 'node:stream';
import { Failure } from '../../failure.ts';
import { concat } from '../../format/bytes.ts';
import type { GitObject, ObjectType, Oid } from '../../format/git/object.ts';

export type Missing = { readonly missing: Oid };
type Run = readonly (GitObject | Missing)[];

/** A ledger's largest object is a bounded snapshot; a foreign one must not fill the memory of whoever looks at it. */
const OBJECT_BYTES_MAX = 64 << 20;

const LF = 10;
const HEADER = /^([0-9a-f]{40}) (?:(missing)|([a-z]+) ([0-9]+))$/;
const HEADER_BYTES_MAX = 512;

export async function* readBatch(output: Readable): AsyncGenerator<Run, void, undefined> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let wantedBytes = 1;
  for await (const chunk of output as AsyncIterable<Uint8Array>) {
    held.push(chunk);
    heldBytes += chunk.length;
    // Joined only once the next object is complete: a large one would else be copied for each of its chunks.
    if (heldBytes < wantedBytes) continue;
    const buffer = held.length === 1 ? chunk : concat(held);
    const run = parseRun(buffer);
    yield run.found;
    if (run.flaw !== undefined) throw run.flaw;
    wantedBytes = run.wantedBytes;
    held = [buffer.subarray(run.end)];
    heldBytes = buffer.length - run.end;
  }
}

/** The same without absences: throws `object_missing` where one would come, after what stands before it. */
export async function* presentIn(
  runs: AsyncIterable<Run> | Iterable<Run>,
): AsyncGenerator<readonly GitObject[], void, undefined> {
  for await (const run of runs) {
    const objects: GitObject[] = [];
    for (const item of run) {
      if ('missing' in item) {
        yield objects;
        throw new Failure('object_missing', { oid: item.missing });
      }
      objects.push(item);
    }
    yield objects;
  }
}

type ParsedRun = {
  readonly found: Run;
  /** Where the last whole item ends, and how many bytes behind that are needed before it is worth looking again. */
  readonly end: number;
  readonly wantedBytes: number;
  /** What the next item is, if it is nothing that can be read: told after those before it. */
  readonly flaw: unknown;
};

function parseRun(buffer: Uint8Array): ParsedRun {
  const found: (GitObject | Missing)[] = [];
  let end = 0;
  try {
    for (;;) {
      const item = parseItem(buffer, end);
      if (typeof item === 'number') return { found, end, wantedBytes: item, flaw: undefined };
      found.push(item.found);
      end = item.end;
    }
  } catch (flaw) {
    return { found, end, wantedBytes: 0, flaw };
  }
}

/** The object or absence at `at`, or how many bytes are needed from there before it is worth looking again. */
function parseItem(buffer: Uint8Array, at: number): { found: GitObject | Missing; end: number } | number {
  const lf = buffer.indexOf(LF, at);
  if (lf < 0) {
    if (buffer.length - at > HEADER_BYTES_MAX) throw new Failure('git_failed', { says: 'cat-file: endless header' });
    return buffer.length - at + 1;
  }
  const [, oid = '', missing, type = '', size = ''] = HEADER.exec(latin1(buffer, at, lf)) ?? [];
  if (missing !== undefined) return { found: { missing: oid }, end: lf + 1 };
  const length = Number(size);
  if (length > OBJECT_BYTES_MAX)
    throw new Failure('object_too_large', { oid, bytes: length, bytesMax: OBJECT_BYTES_MAX });
  const end = lf + 1 + length;
  if (end + 1 > buffer.length) return end + 1 - at;
  if (!isObjectType(type)) throw new Failure('object_corrupt', { oid, type });
  const body = new Uint8Array(buffer.buffer, buffer.byteOffset + lf + 1, length);
  return { found: { oid, type, body }, end: end + 1 };
}

function isObjectType(type: string): type is ObjectType {
  return type === 'blob' || type === 'tree' || type === 'commit';
}

function latin1(buffer: Uint8Array, from: number, to: number): string {
  const header = buffer.subarray(from, Math.min(to, from + HEADER_BYTES_MAX));
  return Buffer.from(header.buffer, header.byteOffset, header.length).toString('latin1');
}
