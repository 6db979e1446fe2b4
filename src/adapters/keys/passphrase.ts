// Where a passphrase comes from: a file descriptor, the environment, or the terminal without echo. Never an argument,
// which every process of the machine could read. The value of a provider's key comes the same way, but never out of the
// environment, which other processes can read as well. Knows nothing of keys.
import { constants, read } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import { Failure } from '../../failure.ts';

export type PassphraseSource = {
  /** A descriptor to read one line from. */
  readonly fd?: number;
  readonly env: NodeJS.ProcessEnv;
  /** What to ask on the terminal; without it the terminal is not used. */
  readonly prompt?: string;
  /** Ask twice: for a new passphrase a typing error would lock the key for ever. */
  readonly isNew?: boolean;
};

const STANDARD_INPUT = 0;
const LINE_BYTES_MAX = 1024;
const READ_AGAIN_MS = 20;
const CONTROL_C = 3;
const CONTROL_D = 4;
const BACKSPACE = 8;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const CONTROL_U = 21;
const DELETE = 127;
const readBytes = promisify(read);

export async function passphraseFrom(source: PassphraseSource): Promise<string> {
  if (source.fd !== undefined) return refuseEmpty(await lineOf(source.fd));
  const fromEnvironment = source.env['LAZARUS_PASSPHRASE'];
  if (fromEnvironment !== undefined && fromEnvironment !== '') return fromEnvironment;
  if (source.prompt === undefined) throw new Failure('passphrase_needed');
  const first = refuseEmpty(await typed(`${source.prompt}: `));
  if (source.isNew === true && (await typed(`${source.prompt} (again): `)) !== first) {
    throw new Failure('passphrase_mismatch');
  }
  return first;
}

type SecretSource = { readonly isPiped: boolean; readonly prompt: string | undefined };

/** A value for the vault. */
export async function secretFrom({ isPiped, prompt }: SecretSource): Promise<string> {
  try {
    const where = isPiped ? { fd: STANDARD_INPUT } : prompt === undefined ? {} : { prompt };
    return await passphraseFrom({ env: {}, ...where });
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    const isThere = cause.code === 'passphrase_empty' || 'lineBytesMax' in cause.facts;
    if (isThere) throw new Failure('secret_unusable', cause.facts, { cause });
    if (cause.code === 'passphrase_needed') throw new Failure('secret_needed', {}, { cause });
    throw cause;
  }
}

// Byte by byte: whatever follows the line, on standard input say, belongs to somebody else.
async function lineOf(fd: number): Promise<string> {
  const line: number[] = [];
  const byte = Buffer.alloc(1);
  for (;;) {
    if ((await readOne(fd, byte)) === 0 || byte[0] === LINE_FEED) break;
    line.push(byte[0] ?? 0);
    if (line.length > LINE_BYTES_MAX) throw new Failure('passphrase_needed', { lineBytesMax: LINE_BYTES_MAX });
  }
  if (line.at(-1) === CARRIAGE_RETURN) line.pop();
  return Buffer.from(line).toString('utf8');
}

async function readOne(fd: number, byte: Buffer): Promise<number> {
  for (;;) {
    try {
      return (await readBytes(fd, byte, 0, 1, null)).bytesRead;
    } catch (cause) {
      // A pipe that its other end made non-blocking has nothing yet.
      if (!isAgain(cause)) throw new Failure('passphrase_needed', { fd }, { cause });
      await wait(READ_AGAIN_MS);
    }
  }
}

async function typed(prompt: string): Promise<string> {
  const terminal = await open('/dev/tty', constants.O_RDWR | constants.O_NOCTTY).catch((cause: unknown) => {
    throw new Failure('passphrase_needed', {}, { cause });
  });
  const keyboard = new ReadStream(terminal.fd);
  try {
    keyboard.setRawMode(true);
    await terminal.write(prompt);
    return await lineTyped(keyboard);
  } finally {
    keyboard.setRawMode(false);
    await terminal.write('\n');
    keyboard.destroy();
    await terminal.close().catch(() => undefined);
  }
}

async function lineTyped(keyboard: ReadStream): Promise<string> {
  const line: number[] = [];
  for await (const chunk of keyboard as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      if (byte === CONTROL_C) throw new Failure('interrupted');
      if (byte === CARRIAGE_RETURN || byte === LINE_FEED || byte === CONTROL_D)
        return Buffer.from(line).toString('utf8');
      edit(line, byte);
    }
    if (line.length > LINE_BYTES_MAX) throw new Failure('passphrase_needed', { lineBytesMax: LINE_BYTES_MAX });
  }
  return Buffer.from(line).toString('utf8');
}

function edit(line: number[], byte: number): void {
  if (byte === CONTROL_U) line.length = 0;
  else if (byte === BACKSPACE || byte === DELETE) dropCharacter(line);
  else line.push(byte);
}

// One UTF-8 character may be several bytes: continuation bytes go with their first.
function dropCharacter(line: number[]): void {
  let dropped = line.pop();
  while (dropped !== undefined && (dropped & 0xc0) === 0x80) dropped = line.pop();
}

function refuseEmpty(passphrase: string): string {
  if (passphrase === '') throw new Failure('passphrase_empty');
  return passphrase;
}

function isAgain(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'EAGAIN';
}
