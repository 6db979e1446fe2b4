// An artifact as bytes: what is stored, what its digest covers, how the key of an encrypted one is written down.
// Draws no randomness and encrypts nothing; knows no ledger and no reference.
import { base64, concat, fromBase64, utf8 } from './bytes.ts';
import type { Crypto } from './crypto.ts';

/**
 * Sixteen random bytes stand before the content and inside the digest. The digest stays in the ledger for ever: without
 * them, whoever reads it could try "yes", "no" and every name in a list after the bytes themselves were erased.
 */
export const SALT_BYTES = 16;
export const ARTIFACT_KEY_BYTES = 32;

export function saltedBlob(salt: Uint8Array, stored: Uint8Array): Uint8Array {
  if (salt.length !== SALT_BYTES) throw new RangeError(`a salt has ${SALT_BYTES} bytes`);
  return concat([salt, stored]);
}

/** What follows the salt; undefined when there is not even a salt. */
export function storedPart(blob: Uint8Array): Uint8Array | undefined {
  return blob.length < SALT_BYTES ? undefined : blob.subarray(SALT_BYTES);
}

export function artifactDigest(crypto: Crypto, blob: Uint8Array): string {
  return DIGEST_PREFIX + crypto.hashHex('sha256', blob);
}

/** The 64 hex digits of a digest. */
export function digestHex(digest: string): string {
  return digest.slice(DIGEST_PREFIX.length);
}

export function digestOfHex(digits: string): string {
  return DIGEST_PREFIX + digits;
}

/** What an encrypted artifact is bound to: sealed as an image, it cannot be presented as a script. */
export function associatedData(mediaType: string): Uint8Array {
  return utf8(`lazarus artifact v1\n${mediaType}\n`);
}

export type ArtifactKey = { readonly digest: string; readonly key: Uint8Array };

/** The key file, at rest and when it is handed to a colleague: three lines. */
export function encodeArtifactKey({ digest, key }: ArtifactKey): string {
  return `${KEY_CONTEXT}\n${digest}\n${base64(key)}\n`;
}

/** Undefined for anything but what encodeArtifactKey writes. */
export function parseArtifactKey(text: string): ArtifactKey | undefined {
  const [context, digest, digits, rest, ...more] = text.split('\n');
  if (context !== KEY_CONTEXT || rest !== '' || more.length > 0) return undefined;
  const key = fromBase64(digits ?? '');
  if (digest === undefined || !/^sha256:[0-9a-f]{64}$/.test(digest)) return undefined;
  return key?.length === ARTIFACT_KEY_BYTES ? { digest, key } : undefined;
}

const DIGEST_PREFIX = 'sha256:';
const KEY_CONTEXT = 'lazarus artifact-key v1';
