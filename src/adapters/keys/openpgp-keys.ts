// Private keys as others write them, read with OpenPGP.js; and the protection of ours, written with it.
// Loaded only to import or to protect a key: signing never pays for it.
import type { PrivateKey, SecretKeyPacket, Subkey } from 'openpgp';
import { armor } from '../../format/openpgp/armor.ts';
import { Failure } from '../../failure.ts';
import type { EncryptionSecret } from './encryption-secret.ts';
import { secretFromSeed } from './secret-key.ts';
import type { Secret } from './secret-key.ts';

/** The armored private key, its secret part under `passphrase` (AES-256, iterated SHA-256). */
export async function protectedPrivateKey(bare: Uint8Array, passphrase: string): Promise<string> {
  const { encryptKey, readPrivateKey } = await import('openpgp');
  const privateKey = await readPrivateKey({ binaryKey: bare });
  const locked = await encryptKey({ privateKey, passphrase, config: { aeadProtect: false } });
  return armor('PRIVATE KEY BLOCK', locked.write());
}

export type ForeignSecrets = { readonly signing: Secret; readonly encryption: EncryptionSecret | undefined };

/**
 * The primary key of an armored private key from gpg, OpenPGP.js or lazarus, which must be v4 ed25519, and its newest
 * cv25519 subkey: without it a backup that is read back could open nothing that was encrypted to its owner.
 */
export async function foreignSecrets(armored: string, ask: () => Promise<string>): Promise<ForeignSecrets> {
  const key = await readForeign(armored);
  const { version, created } = key.keyPacket;
  if (version !== 4) throw new Failure('key_version_unsupported', { version });
  const { algorithm, curve } = key.getAlgorithmInfo();
  if (algorithm !== 'eddsaLegacy') throw new Failure('key_algorithm_unsupported', { algorithm: curve ?? algorithm });
  const fingerprint = key.getFingerprint().toUpperCase();
  if (isStub(key)) throw new Failure('key_secret_absent', { fingerprint });
  await refuseUnusable(key, fingerprint);
  const opened = key.isDecrypted() ? key : await unlock(key, await ask());
  const signing = secretFromSeed(seedOf(opened), created.getTime() / 1000);
  return { signing, encryption: await encryptionOf(opened) };
}

async function encryptionOf(key: PrivateKey): Promise<EncryptionSecret | undefined> {
  for (const subkey of key.getSubkeys().toReversed()) {
    const { version, created } = subkey.keyPacket;
    const { algorithm, curve } = subkey.getAlgorithmInfo();
    if (version !== 4 || algorithm !== 'ecdh' || curve !== 'curve25519Legacy') continue;
    const { privateParams, publicParams } = subkey.keyPacket as unknown as EcdhParameters;
    const isWhole = privateParams?.d !== undefined && publicParams.Q.length === 33;
    // Another derivation would be another fingerprint than that of the key which others know.
    const isOurs = publicParams.kdfParams.hash === 8 && publicParams.kdfParams.cipher === 7;
    if (!isWhole || !isOurs || !(await isGood(subkey))) continue;
    const scalar = new Uint8Array(32);
    scalar.set(privateParams.d, 32 - privateParams.d.length);
    return { x25519: publicParams.Q.slice(1), createdAtSeconds: created.getTime() / 1000, scalar };
  }
  return undefined;
}

async function isGood(subkey: Subkey): Promise<boolean> {
  try {
    await subkey.verify();
    return true;
  } catch {
    // Expired, revoked or badly bound.
    return false;
  }
}

/** OpenPGP.js does not type what an ECDH packet holds. */
type EcdhParameters = {
  readonly privateParams?: { readonly d?: Uint8Array };
  readonly publicParams: {
    readonly Q: Uint8Array;
    readonly kdfParams: { readonly hash: number; readonly cipher: number };
  };
};

/** What gpg itself would not sign with: the same keys that an import from gpg refuses. */
async function refuseUnusable(key: PrivateKey, fingerprint: string): Promise<void> {
  const ends = await key.getExpirationTime();
  const isOver = ends === null || (ends instanceof Date && ends.getTime() <= Date.now());
  if (isOver || (await key.isRevoked())) throw new Failure('key_unusable', { fingerprint, algorithm: 'ed25519' });
  const { selfCertification } = await key.getPrimaryUser();
  const flags = selfCertification?.keyFlags?.[0];
  if (flags !== undefined && (flags & MAY_SIGN) === 0) throw new Failure('key_cannot_sign', { fingerprint });
}

/** The flag of a key that signs data. */
const MAY_SIGN = 0x02;

/** The armored private key without its passphrase, for as long as it is used. */
export async function openedPrivateKey(armored: string, ask: () => Promise<string>): Promise<string> {
  const key = await readForeign(armored);
  return key.isDecrypted() ? armored : (await unlock(key, await ask())).armor();
}

async function readForeign(armored: string): Promise<PrivateKey> {
  const { readKey } = await import('openpgp');
  try {
    const key = await readKey({ armoredKey: armored });
    if (key.isPrivate()) return key;
  } catch (cause) {
    throw new Failure('key_malformed', { what: 'not one armored key' }, { cause });
  }
  throw new Failure('key_secret_absent');
}

async function unlock(key: PrivateKey, passphrase: string): Promise<PrivateKey> {
  const { decryptKey } = await import('openpgp');
  try {
    return await decryptKey({ privateKey: key, passphrase });
  } catch (cause) {
    throw new Failure('passphrase_wrong', {}, { cause });
  }
}

// gpg writes a stub where the secret is on a card or was left out on purpose. isPrivate() was checked: it is a secret packet.
function isStub(key: PrivateKey): boolean {
  return (key.keyPacket as SecretKeyPacket).isDummy();
}

// OpenPGP.js does not type the parameters of a secret key packet; their presence is what is checked here.
function seedOf(key: PrivateKey): Uint8Array {
  const { privateParams } = key.keyPacket as unknown as { privateParams?: { seed?: Uint8Array } };
  const seed = privateParams?.seed;
  if (seed?.length !== 32) throw new Failure('key_malformed', { what: 'secret integer' });
  return seed;
}
