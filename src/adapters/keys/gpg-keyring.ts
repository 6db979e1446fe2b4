// The person's own gpg keyring: which of its keys can sign for lazarus, and signing with one through its agent.
// GNUPGHOME of the given environment is respected; nothing is imported, changed or stopped there.
import type { Crypto } from '../../format/crypto.ts';
import { parsePublicKey } from '../../format/openpgp/public-key.ts';
import { readKeyBody } from '../../format/openpgp/key-packet.ts';
import { encryptionKeysIn } from '../../format/openpgp/encryption-key.ts';
import { assertForKeys } from '../../format/openpgp/message.ts';
import { readPacket } from '../../format/openpgp/packet.ts';
import { Failure } from '../../failure.ts';
import type { EncryptionKey, GpgKey, GpgKeyring, Signer } from '../../ports/keys.ts';
import { agentRawSigner } from './gpg-agent.ts';
import { runGpg } from './gpg-process.ts';
import { certify, signerOf } from './signer.ts';

type Listed = { readonly key: GpgKey; readonly keygrip: string };

const FINGERPRINT = /^[0-9A-F]{40}$/;
const EDDSA = '22';
/** Names by RFC 9580 §9.1, for the person whose key is refused. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  1: 'rsa',
  16: 'elgamal',
  17: 'dsa',
  18: 'ecdh',
  19: 'ecdsa',
  22: 'eddsa',
  25: 'x25519',
  27: 'ed25519 (algorithm 27)',
  28: 'ed448',
};

export function gpgKeyring(env: NodeJS.ProcessEnv, crypto: Crypto): GpgKeyring {
  const gpg = (args: readonly string[], input = '') =>
    runGpg({ program: 'gpg', env }, ['--batch', '--no-tty', ...args], input);

  async function listed(only: readonly string[]): Promise<Listed[]> {
    const args = ['--with-colons', '--fixed-list-mode', '--with-keygrip', '--list-secret-keys', ...only];
    return readListing((await gpg(args)).toString('utf8'));
  }

  async function usable(fingerprint: string): Promise<Listed> {
    if (!FINGERPRINT.test(fingerprint)) throw new Failure('key_not_found', { fingerprint });
    const keys = await listed([fingerprint]).catch((cause: unknown) => {
      if (cause instanceof Failure && cause.code === 'gpg_missing') throw cause;
      throw new Failure('key_not_found', { fingerprint }, { cause });
    });
    const found = keys.find(({ key }) => key.fingerprint === fingerprint);
    if (found === undefined) throw new Failure('key_not_found', { fingerprint });
    const { refused, algorithm } = found.key;
    if (refused !== undefined) throw new Failure(refused, { fingerprint, algorithm });
    return found;
  }

  async function certifyKey(fingerprint: string, principalId: string): Promise<Uint8Array> {
    const { keygrip } = await usable(fingerprint);
    const exported = await gpg(['--export-options', 'export-minimal', '--export', fingerprint]);
    const point = readKeyBody(readPacket(exported, 0, 'key_malformed').body);
    return certify(crypto, point, principalId, agentRawSigner(keygrip, env));
  }

  async function signer(publicKey: Uint8Array): Promise<Signer> {
    const key = parsePublicKey(publicKey, crypto);
    const { keygrip } = await usable(key.fingerprint);
    return signerOf(crypto, key, agentRawSigner(keygrip, env));
  }

  async function encryptionKey(publicKey: Uint8Array): Promise<EncryptionKey | undefined> {
    const key = parsePublicKey(publicKey, crypto);
    await usable(key.fingerprint);
    const exported = await gpg(['--export-options', 'export-minimal', '--export', key.fingerprint]);
    return encryptionKeysIn(exported, key, crypto).at(-1);
  }

  async function decrypt(message: string, encryptedTo: readonly string[]): Promise<Uint8Array | undefined> {
    // Whoever has no gpg, or no keyring, has no key there.
    const listing = await gpg(['--with-colons', '--fixed-list-mode', '--list-secret-keys']).catch(() => Buffer.of());
    const own = subkeysIn(listing.toString('utf8')).find((fingerprint) => encryptedTo.includes(fingerprint));
    if (own === undefined) return undefined;
    assertForKeys(message);
    try {
      return await gpg(['--decrypt'], message);
    } catch (cause) {
      throw new Failure('message_unreadable', { fingerprint: own }, { cause });
    }
  }

  const list = async () => (await listed([])).map(({ key }) => key);
  return { list, certify: certifyKey, encryptionKey, decrypt, signer };
}

/** Of those whose private half is here: neither a stub nor on a key that is gone. */
function subkeysIn(listing: string): string[] {
  const found: string[] = [];
  let isHere = false;
  for (const line of listing.split('\n')) {
    const fields = line.split(':');
    if (fields[0] === 'sec' || fields[0] === 'ssb') isHere = fields[0] === 'ssb' && fields[14] !== '#';
    else if (isHere && fields[0] === 'fpr') found.push(fields[9] ?? '');
  }
  return found;
}

/** Reads gpg's colon listing: a `sec` record, followed by its own `fpr` and `grp` before any subkey's. */
function readListing(listing: string): Listed[] {
  const keys: Listed[] = [];
  let sec: readonly string[] | undefined;
  let fingerprint = '';
  for (const line of listing.split('\n')) {
    const fields = line.split(':');
    if (fields[0] === 'sec') sec = fields;
    else if (fields[0] === 'ssb') sec = undefined;
    else if (sec !== undefined && fields[0] === 'fpr') fingerprint = fields[9] ?? '';
    else if (sec !== undefined && fields[0] === 'grp') keys.push(listedKey(sec, fingerprint, fields[9] ?? ''));
  }
  return keys;
}

function listedKey(sec: readonly string[], fingerprint: string, keygrip: string): Listed {
  const [number = '', curve = ''] = [sec[3], sec[16]];
  const algorithm = curve === '' ? (ALGORITHMS[number] ?? `algorithm ${number}`) : curve;
  const refused = refusal(number, curve, sec);
  const key = { fingerprint, createdAtSeconds: Number(sec[5]), algorithm };
  return { key: refused === undefined ? key : { ...key, refused }, keygrip };
}

function refusal(number: string, curve: string, sec: readonly string[]): GpgKey['refused'] {
  if (number !== EDDSA || curve !== 'ed25519') return 'key_algorithm_unsupported';
  // revoked, expired, disabled or invalid: gpg itself would not sign with it
  if (/[reidn]/.test(sec[1] ?? '') || (sec[11] ?? '').includes('D')) return 'key_unusable';
  if (sec[14] === '#') return 'key_secret_absent';
  // Lower-case letters are the primary key's own capabilities; upper-case ones those of the whole key.
  return (sec[11] ?? '').includes('s') ? undefined : 'key_cannot_sign';
}
