// Files that people name on the command line: read whole and bounded, written whole. Knows no format.
import { randomUUID } from 'node:crypto';
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { Failure } from '../../failure.ts';
import type { Context } from './command.ts';

const TEXT_BYTES_MAX = 2 * 1024 * 1024;

/** `-` is standard input. */
export async function readNamed(ctx: Context, name: string): Promise<string> {
  if (name === '-') return text(process.stdin);
  const path = resolve(ctx.cwd, name);
  try {
    const { size } = await stat(path);
    if (size <= TEXT_BYTES_MAX) return await readFile(path, 'utf8');
  } catch (cause) {
    throw new Failure('file_unreadable', { file: name, why: whyOf(cause) }, { cause });
  }
  throw new Failure('file_unreadable', { file: name, bytes_max: TEXT_BYTES_MAX });
}

/** A new file: one that is there already is somebody's work. */
export async function writeNew(ctx: Context, name: string, body: string, mode = 0o644): Promise<void> {
  try {
    const file = await open(resolve(ctx.cwd, name), 'wx', mode);
    try {
      await file.writeFile(body);
    } finally {
      await file.close();
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw new Failure('file_exists', { file: name }, { cause });
    throw new Failure('file_unwritable', { file: name, why: whyOf(cause) }, { cause });
  }
}

/** Replaced at once: a full disk must not cost the signatures that were in it. */
export async function replaceFile(ctx: Context, name: string, body: string): Promise<void> {
  const path = resolve(ctx.cwd, name);
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, body, { flag: 'wx' });
    await rename(temporary, path);
  } catch (cause) {
    throw new Failure('file_unwritable', { file: name, why: whyOf(cause) }, { cause });
  }
}

function whyOf(cause: unknown): string {
  return (cause as NodeJS.ErrnoException).code ?? 'unknown';
}
