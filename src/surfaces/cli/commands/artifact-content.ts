// The bytes of artifacts on their way in and out: read bounded, written whole, and never printed to a terminal when they
// could be something else than text.
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure } from '../../../failure.ts';
import { fromUtf8 } from '../../../format/bytes.ts';
import type { Context } from '../command.ts';
import { printable } from '../escape.ts';

/** `-` is standard input. Refuses what is too large before it is read, or as soon as more arrives than may. */
export async function readContent(ctx: Context, name: string, bytesMax: number): Promise<Uint8Array> {
  if (name === '-') return collect(process.stdin, name, bytesMax);
  try {
    const file = await open(resolve(ctx.cwd, name), 'r');
    try {
      const found = await file.stat();
      if (found.isDirectory()) throw new Failure('file_unreadable', { file: name, why: 'is a folder' });
      if (found.isFile() && found.size > bytesMax) throw tooLarge(name, found.size, bytesMax);
      // A file may grow while it is read, and a pipe has no size: counted either way.
      return await collect(file.createReadStream({ autoClose: false }), name, bytesMax);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure('file_unreadable', { file: name, why: codeOf(cause) }, { cause });
  }
}

/** A new file, for its owner alone: what was worth encrypting is not left readable by everybody. */
export async function writeContent(ctx: Context, name: string, bytes: Uint8Array): Promise<void> {
  try {
    const file = await open(resolve(ctx.cwd, name), 'wx', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') throw new Failure('file_exists', { file: name }, { cause });
    throw new Failure('file_unwritable', { file: name, why: codeOf(cause) }, { cause });
  }
}

/** Bytes as they are, for a pipe or somebody who insists; a terminal gets plain text only. */
export function printContent(bytes: Uint8Array, { raw }: { readonly raw: boolean }): void {
  if (process.stdout.isTTY && !raw && !isPlainText(bytes)) throw new Failure('artifact_unprintable');
  process.stdout.write(bytes);
}

/** Well-formed UTF-8 without anything that a terminal obeys or that reorders what is read. */
export function isPlainText(bytes: Uint8Array): boolean {
  try {
    const visible = fromUtf8(bytes).replaceAll(/[\n\t]/g, '');
    return printable(visible) === visible;
  } catch {
    return false;
  }
}

async function collect(stream: AsyncIterable<Uint8Array>, name: string, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > bytesMax) throw tooLarge(name, length, bytesMax);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function tooLarge(file: string, bytes: number, bytesMax: number): Failure {
  return new Failure('artifact_too_large', { file, bytes, bytes_max: bytesMax });
}

function codeOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? 'unknown';
}
