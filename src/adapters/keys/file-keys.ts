// Keys as files of the person's configuration directory: `<FINGERPRINT>.asc` is the private half, `<FINGERPRINT>.pub.asc` the public one.
// A public half alone means that the private one lives in gpg-agent. Knows no roster: any number of keys may lie here.
import { sign } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { concat, equalBytes } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { armor, dearmor } from '../../format/openpgp/armor.ts';
import { parsePublicKey } from '../../format/openpgp/public-key.ts';
import type { PublicKey } from '../../format/openpgp/public-key.ts';
import { Failure } from '../../failure.ts';
import type { Custody, GpgKeyring, KeyStore, Protection, Signer, StoredKey } from '../../ports/keys.ts';
import { keyDirectory } from './key-directory.ts';
import { bareSecretKeyPacket, isProtected, newSecret, openSecret } from './secret-key.ts';
import type { Secret } from './secret-key.ts';
import { certify, signerOf } from './signer.ts';
import type { RawSign } from './signer.ts';

const PUBLIC_FILE = /^([0-9A-F]{40})\.pub\.asc$/;

export function keyPath(env: NodeJS.ProcessEnv): string {
  const configured = env['XDG_CONFIG_HOME'];
  // The XDG specification tells to ignore a relative path.
  const config = configured?.startsWith('/') === true ? configured : join(env['HOME'] ?? homedir(), '.config');
  return join(config, 'lazarus', 'keys');
}

export function fileKeys(path: string, { gpg, crypto }: { gpg: GpgKeyring; crypto: Crypto }): KeyStore {
  const directory = keyDirectory(path);

  async function keep(secret: Secret, principalId: string, protection: Protection): Promise<StoredKey> {
    const publicBytes = await certify(crypto, secret, principalId, rawSignerOf(secret));
    const key = parsePublicKey(publicBytes, crypto);
    await refuseSecond(key.fingerprint);
    const rest = publicBytes.subarray(2 + (publicBytes[1] ?? 0));
    const bare = concat([bareSecretKeyPacket(secret), rest]);
    // The private half first: a crash in between leaves a file that no list shows, never a key without its secret.
    await directory.write(`${key.fingerprint}.asc`, await atRest(bare, protection));
    await directory.write(`${key.fingerprint}.pub.asc`, armor('PUBLIC KEY BLOCK', publicBytes));
    return stored(key, 'unprotected' in protection ? 'unprotected' : 'passphrase');
  }

  async function refuseSecond(fingerprint: string): Promise<void> {
    if ((await directory.read(`${fingerprint}.pub.asc`)) !== undefined)
      throw new Failure('key_exists', { fingerprint });
  }

  async function publicHalf(fingerprint: string): Promise<PublicKey> {
    const text = await directory.read(`${fingerprint}.pub.asc`);
    if (text === undefined) throw new Failure('key_not_found', { fingerprint });
    const key = parsePublicKey(dearmor('PUBLIC KEY BLOCK', text), crypto);
    if (key.fingerprint !== fingerprint) throw new Failure('key_malformed', { what: 'file name', fingerprint });
    return key;
  }

  async function privateHalf(fingerprint: string): Promise<Uint8Array | undefined> {
    const text = await directory.read(`${fingerprint}.asc`);
    return text === undefined ? undefined : dearmor('PRIVATE KEY BLOCK', text);
  }

  async function open(fingerprint: string, ask: () => Promise<string>): Promise<Signer> {
    const key = await publicHalf(fingerprint);
    const kept = await privateHalf(fingerprint);
    if (kept === undefined) return gpg.signer(key.bytes);
    const secret = await openSecret(kept, ask);
    if (!equalBytes(secret.ed25519, key.ed25519)) {
      throw new Failure('key_malformed', { what: 'halves do not belong together', fingerprint });
    }
    return signerOf(crypto, key, rawSignerOf(secret));
  }

  async function exportPrivate(fingerprint: string): Promise<string> {
    await publicHalf(fingerprint);
    const kept = await privateHalf(fingerprint);
    if (kept === undefined) throw new Failure('key_secret_absent', { fingerprint });
    return armor('PRIVATE KEY BLOCK', kept);
  }

  return {
    generate: (principalId, atSeconds, protection) => keep(newSecret(atSeconds), principalId, protection),
    async importPrivate(armored, principalId, ask, protection) {
      const { foreignSecret } = await import('./openpgp-keys.ts');
      return keep(await foreignSecret(armored, ask), principalId, protection);
    },
    async adoptFromGpg(fingerprint, principalId) {
      await refuseSecond(fingerprint);
      const key = parsePublicKey(await gpg.certify(fingerprint, principalId), crypto);
      await directory.write(`${key.fingerprint}.pub.asc`, armor('PUBLIC KEY BLOCK', key.bytes));
      return stored(key, 'gpg_agent');
    },
    async list() {
      const keys: StoredKey[] = [];
      for (const name of await directory.names()) {
        const fingerprint = PUBLIC_FILE.exec(name)?.[1];
        if (fingerprint === undefined) continue;
        keys.push(stored(await publicHalf(fingerprint), custodyOf(await privateHalf(fingerprint))));
      }
      return keys;
    },
    open,
    exportPublic: async (fingerprint) => armor('PUBLIC KEY BLOCK', (await publicHalf(fingerprint)).bytes),
    exportPrivate,
    async remove(fingerprint) {
      await publicHalf(fingerprint);
      const kept = await privateHalf(fingerprint);
      if (kept !== undefined) await directory.remove(`${fingerprint}.asc`);
      await directory.remove(`${fingerprint}.pub.asc`);
    },
  };
}

async function atRest(bare: Uint8Array, protection: Protection): Promise<string> {
  if ('unprotected' in protection) return armor('PRIVATE KEY BLOCK', bare);
  if (protection.passphrase === '') throw new Failure('passphrase_empty');
  const { protectedPrivateKey } = await import('./openpgp-keys.ts');
  return protectedPrivateKey(bare, protection.passphrase);
}

function rawSignerOf(secret: Secret): RawSign {
  return async (digest) => sign(null, digest, secret.privateKey);
}

function custodyOf(kept: Uint8Array | undefined): Custody {
  if (kept === undefined) return 'gpg_agent';
  return isProtected(kept) ? 'passphrase' : 'unprotected';
}

function stored(key: PublicKey, custody: Custody): StoredKey {
  const { fingerprint, userId, createdAtSeconds, bytes } = key;
  return { fingerprint, userId, createdAtSeconds, custody, publicKey: bytes };
}
