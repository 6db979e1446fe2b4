import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { passphraseFrom } from '../../../src/adapters/keys/passphrase.ts';
import { refusalOf } from './homes.ts';

const directory = mkdtempSync(join(tmpdir(), 'lazarus-passphrase-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function withFile<T>(content: string, act: (fd: number) => Promise<T>): Promise<T> {
  const path = join(directory, 'secret');
  writeFileSync(path, content, { mode: 0o600 });
  const fd = openSync(path, 'r');
  try {
    return await act(fd);
  } finally {
    closeSync(fd);
  }
}

describe('a passphrase', () => {
  it('is one line of the descriptor, whatever ends it, and leaves the rest to others', async () => {
    const read = (content: string) => withFile(content, (fd) => passphraseFrom({ fd, env: {} }));
    expect(await read('päss word')).toBe('päss word');
    expect(await read('one\r\n')).toBe('one');
    await withFile('one\ntwo', async (fd) => {
      expect(await passphraseFrom({ fd, env: {} })).toBe('one');
      const rest = Buffer.alloc(10);
      expect(rest.toString('utf8', 0, readSync(fd, rest))).toBe('two');
    });
  });

  it('from a descriptor wins over the environment, which wins over asking', async () => {
    const env = { LAZARUS_PASSPHRASE: 'from env' };
    expect(await withFile('from fd\n', (fd) => passphraseFrom({ fd, env }))).toBe('from fd');
    expect(await passphraseFrom({ env, prompt: 'Passphrase' })).toBe('from env');
  });

  it('is never silently empty, endless or absent', async () => {
    const read = (content: string) => withFile(content, (fd) => refusalOf(passphraseFrom({ fd, env: {} })));
    expect(await read('\n')).toBe('passphrase_empty');
    expect(await read('')).toBe('passphrase_empty');
    expect(await read('x'.repeat(2000))).toBe('passphrase_needed');
    expect(await refusalOf(passphraseFrom({ fd: 987, env: {} }))).toBe('passphrase_needed');
    expect(await refusalOf(passphraseFrom({ env: { LAZARUS_PASSPHRASE: '' } }))).toBe('passphrase_needed');
  });
});
