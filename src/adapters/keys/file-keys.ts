// Keys as files of the person's configuration directory: `<FINGERPRINT>.asc` is the private half, `<FINGERPRINT>.pub.asc` the public one.
// A public half alone means that the private one lives in gpg-agent. Knows no roster: any number of keys may lie here.
import { sign } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { concat, equalBytes } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { armor, dearmor } from '../../format/openpgp/armor.ts';
import { bindEncryptionKey, parseEncryptionKey } from '../../format/openpgp/encryption-key.ts';
import { parsePublicKey, parsePublicKeys, type PublicKeys, type PublicKey } from '../../format/openpgp/public-key.ts';
import { Failure } from '../../failure.ts';
import type { Custody, EncryptionKey, GpgKeyring, KeyStore, Protection, Signer, StoredKey } from '../../ports/keys.ts';
import { bareSecretSubkeyPacket, newEncryptionSecret, type EncryptionSecret } from './encryption-secret.ts';
import { keyDirectory } from '../system/key-directory.ts';
import { bareSecretKeyPacket, isProtected, newSecret, openSecret, type Secret } from './secret-key.ts';
import { certify, signerOf, type RawSign } from './signer.ts';

const PUBLIC_FILE = /^([0-9A-F]{40})\.pub\.asc$/;

export function keyPath(env: NodeJS.ProcessEnv): string {
  const configured = env['XDG_CONFIG_HOME'];
  // The XDG specification tells to ignore a relative path.
  const config = configured?.startsWith('/') === true ? configured : join(env['HOME'] ?? homedir(), '.config');
  return join(config, 'lazarus', 'keys');
}

export function fileKeys(path: string, { gpg, crypto }: { gpg: GpgKeyring; crypto: Crypto }): KeyStore {
  const directory = keyDirectory(path);

  async function keep(
    secret: Secret,
    principalId: string,
    protection: Protection,
    encryption?: EncryptionSecret,
  ): Promise<StoredKey> {
    const publicBytes = await certify(crypto, secret, principalId, rawSignerOf(secret));
    const key = parsePublicKey(publicBytes, crypto);
    await refuseSecond(key.fingerprint);
    await write(key, secret, protection, encryption);
    return stored(key, 'unprotected' in protection ? 'unprotected' : 'passphrase');
  }

  /** The private half first: a crash in between leaves a file that no list shows, never a key without its secret. */
  async function write(
    { fingerprint, bytes }: PublicKey,
    secret: Secret,
    protection: Protection,
    encryption?: EncryptionSecret,
  ): Promise<Uint8Array | undefined> {
    const rest = bytes.subarray(2 + (bytes[1] ?? 0));
    const bound = encryption && (await bind(secret, { fingerprint, bytes }, encryption));
    const subkey = bound && encryption && [bareSecretSubkeyPacket(encryption), bound.subarray(2 + (bound[1] ?? 0))];
    const bare = concat([bareSecretKeyPacket(secret), rest, ...(subkey ?? [])]);
    await directory.write(`${fingerprint}.asc`, await atRest(bare, protection));
    if (bound !== undefined) await keepEncryptionKey(fingerprint, concat([bytes, bound]));
    await directory.write(`${fingerprint}.pub.asc`, armor('PUBLIC KEY BLOCK', bytes));
    return bound;
  }

  async function bind(secret: Secret, key: Pick<PublicKey, 'fingerprint' | 'bytes'>, encryption: EncryptionSecret) {
    const { toSign, finish } = bindEncryptionKey(encryption, key, crypto);
    return finish(await rawSignerOf(secret)(toSign));
  }

  function keepEncryptionKey(fingerprint: string, both: Uint8Array): Promise<void> {
    return directory.write(`${fingerprint}.encrypt-to.asc`, armor('PUBLIC KEY BLOCK', both));
  }

  /** Both public halves, where there is an encryption key. */
  async function bothHalves(key: PublicKey): Promise<PublicKeys> {
    const text = await directory.read(`${key.fingerprint}.encrypt-to.asc`);
    if (text === undefined) return { key };
    const both = parsePublicKeys(dearmor('PUBLIC KEY BLOCK', text), crypto);
    if (both.key.fingerprint !== key.fingerprint)
      throw new Failure('key_malformed', { what: 'file name', fingerprint: key.fingerprint });
    return both;
  }

  async function encryptTo(fingerprint: string, atSeconds: number, ask: () => Promise<string>): Promise<EncryptionKey> {
    const key = await publicHalf(fingerprint);
    const { encryption } = await bothHalves(key);
    if (encryption !== undefined) return encryption;
    const kept = await privateHalf(fingerprint);
    if (kept === undefined) {
      const found = await gpg.encryptionKey(key.bytes);
      if (found === undefined)
        throw new Failure('key_not_found', { fingerprint, wanted: 'a cv25519 encryption subkey' });
      await keepEncryptionKey(fingerprint, concat([key.bytes, found.bytes]));
      return found;
    }
    let passphrase = '';
    const secret = await openSecret(kept, async () => (passphrase = await ask()));
    const protection: Protection = isProtected(kept) ? { passphrase } : { unprotected: true };
    const bytes = await write(key, secret, protection, newEncryptionSecret(atSeconds));
    return parseEncryptionKey(bytes!, [key], crypto);
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

  async function decrypt(
    message: string,
    encryptedTo: readonly string[],
    ask: () => Promise<string>,
  ): Promise<Uint8Array> {
    const own = await fileWith(encryptedTo);
    const opened = own === undefined ? await gpg.decrypt(message, encryptedTo) : await openWith(own, message, ask);
    if (opened === undefined) throw new Failure('key_not_found', { fingerprints: encryptedTo });
    return opened;
  }

  /** The signing key whose file has the private half of one of these. */
  async function fileWith(encryptedTo: readonly string[]): Promise<string | undefined> {
    for (const name of await directory.names()) {
      const fingerprint = PUBLIC_FILE.exec(name)?.[1];
      if (fingerprint === undefined || (await privateHalf(fingerprint)) === undefined) continue;
      const { encryption } = await bothHalves(await publicHalf(fingerprint));
      if (encryption !== undefined && encryptedTo.includes(encryption.fingerprint)) return fingerprint;
    }
    return undefined;
  }

  async function openWith(fingerprint: string, message: string, ask: () => Promise<string>): Promise<Uint8Array> {
    const [{ openedPrivateKey }, { openMessage }] = await Promise.all([
      import('./openpgp-keys.ts'),
      import('./messages.ts'),
    ]);
    const opened = await openMessage(message, await openedPrivateKey(await exportPrivate(fingerprint), ask));
    if (opened === undefined) throw new Failure('message_unreadable', { fingerprint });
    return opened;
  }

  return {
    generate: (principalId, atSeconds, protection) => keep(newSecret(atSeconds), principalId, protection),
    async importPrivate(armored, principalId, ask, protection) {
      const { foreignSecrets } = await import('./openpgp-keys.ts');
      const { signing, encryption } = await foreignSecrets(armored, ask);
      return keep(signing, principalId, protection, encryption);
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
    encryptTo,
    decrypt,
    async exportPublic(fingerprint) {
      const { key, encryption } = await bothHalves(await publicHalf(fingerprint));
      return armor('PUBLIC KEY BLOCK', concat([key.bytes, encryption?.bytes ?? new Uint8Array(0)]));
    },
    exportPrivate,
    async remove(fingerprint) {
      await publicHalf(fingerprint);
      const kept = await privateHalf(fingerprint);
      if (kept !== undefined) await directory.remove(`${fingerprint}.asc`);
      if ((await directory.read(`${fingerprint}.encrypt-to.asc`)) !== undefined)
        await directory.remove(`${fingerprint}.encrypt-to.asc`);
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
