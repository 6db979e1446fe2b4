// Throwaway key directories and the answers a person would give.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from '../../../src/failure.ts';
import { fileKeys } from '../../../src/adapters/keys/file-keys.ts';
import { gpgKeyring } from '../../../src/adapters/keys/gpg-keyring.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { KeyStore } from '../../../src/ports/keys.ts';

export const AT_SECONDS = 1_760_000_000;
export const UNPROTECTED = { unprotected: true } as const;

export type KeyHome = { readonly path: string; readonly keys: KeyStore; readonly remove: () => void };

export function keyHome(env: NodeJS.ProcessEnv = { ...process.env, GNUPGHOME: '/nonexistent' }): KeyHome {
  const root = mkdtempSync(join(tmpdir(), 'lazarus-keys-'));
  const path = join(root, 'lazarus', 'keys');
  const keys = fileKeys(path, { gpg: gpgKeyring(env, nodeCrypto), crypto: nodeCrypto });
  return { path, keys, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export function answer(passphrase: string): () => Promise<string> {
  return async () => passphrase;
}

export async function neverAsked(): Promise<string> {
  throw new Error('asked for a passphrase that was not needed');
}

/** The code with which a promise fails; anything but a Failure is a bug and is thrown on. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return 'accepted';
}

/** A store of keys in this folder and nowhere else. */
export function vaultKeys(path: string): KeyStore {
  return fileKeys(path, {
    gpg: gpgKeyring({ ...process.env, GNUPGHOME: '/nonexistent' }, nodeCrypto),
    crypto: nodeCrypto,
  });
}
