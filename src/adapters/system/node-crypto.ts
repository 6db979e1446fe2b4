// Hashes and Ed25519 verification by node:crypto, shaped for hundreds of thousands of calls in a row.
// Holds no private key and signs nothing.
import { createPublicKey, hash, verify, type KeyObject } from 'node:crypto';
import type { Crypto, HashName } from '../../format/crypto.ts';

const PUBLIC_KEY_LENGTH_BYTES = 32;
const SIGNATURE_LENGTH_BYTES = 64;

// The constant part of an Ed25519 SubjectPublicKeyInfo (RFC 8410); the raw key follows it.
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

// Importing a key costs about as much as half a verification, and a ledger has few signers. The bound keeps a
// ledger of a million signers from filling memory.
const IMPORTED_KEYS_MAX = 1024;
const importedKeys = new Map<string, KeyObject>();

export const nodeCrypto: Crypto = {
  hash: hashBytes,
  hashHex: (name, bytes) => hash(name, bytes, 'hex'),
  verifyEd25519,
};

function hashBytes(name: HashName, bytes: Uint8Array): Uint8Array {
  // A digest that leaves OpenSSL as a string and is copied here takes half the time of one that becomes a Buffer.
  const digest = hash(name, bytes, 'binary');
  const copy = new Uint8Array(digest.length);
  for (let i = 0; i < copy.length; i++) copy[i] = digest.charCodeAt(i);
  return copy;
}

// OpenSSL itself refuses S ≥ L, so that a signature cannot be respelled; a test holds it to that.
function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== PUBLIC_KEY_LENGTH_BYTES || signature.length !== SIGNATURE_LENGTH_BYTES) return false;
  try {
    return verify(null, message, importKey(publicKey), signature);
  } catch {
    return false;
  }
}

function importKey(publicKey: Uint8Array): KeyObject {
  const name = Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.length).toString('latin1');
  const known = importedKeys.get(name);
  if (known !== undefined) return known;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  if (importedKeys.size === IMPORTED_KEYS_MAX) importedKeys.clear();
  importedKeys.set(name, key);
  return key;
}
