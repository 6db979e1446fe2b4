// AES-256-GCM by node:crypto. Sealed bytes are nonce, ciphertext, tag. Keeps no key.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ARTIFACT_KEY_BYTES, SALT_BYTES } from '../../format/artifact.ts';
import { concat } from '../../format/bytes.ts';
import type { ArtifactCipher } from '../../ports/artifacts.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const aesCipher: ArtifactCipher = {
  salt: () => fresh(SALT_BYTES),
  newKey: () => fresh(ARTIFACT_KEY_BYTES),
  seal(key, content, associated) {
    const nonce = fresh(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associated);
    const ciphertext = cipher.update(content);
    return concat([nonce, ciphertext, cipher.final(), cipher.getAuthTag()]);
  },
  open(key, sealed, associated) {
    if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
    const end = sealed.length - TAG_BYTES;
    // The length is fixed here: left to the input, a tag of four bytes would be accepted, and guessed.
    const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(associated);
    decipher.setAuthTag(sealed.subarray(end));
    const content = decipher.update(sealed.subarray(NONCE_BYTES, end));
    try {
      return concat([content, decipher.final()]);
    } catch {
      return undefined;
    }
  },
};

function fresh(lengthBytes: number): Uint8Array {
  return new Uint8Array(randomBytes(lengthBytes));
}
