// What an artifact's digest covers, and the one spelling of a key file.
import { describe, expect, it } from 'vitest';
import { createHash } from 'node:crypto';
import {
  artifactDigest,
  digestHex,
  encodeArtifactKey,
  parseArtifactKey,
  saltedBlob,
  storedPart,
} from '../../src/format/artifact.ts';
import { utf8 } from '../../src/format/bytes.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';

const SALT = Uint8Array.from({ length: 16 }, (_, i) => i);
const DIGEST = `sha256:${'ab'.repeat(32)}`;
const KEY = new Uint8Array(32).fill(7);
const TEXT = encodeArtifactKey({ digest: DIGEST, key: KEY });

describe('an artifact’s bytes', () => {
  it('are salt and content, both under the digest', () => {
    const blob = saltedBlob(SALT, utf8('yes'));
    expect(storedPart(blob)).toEqual(utf8('yes'));
    const whole = createHash('sha256').update(SALT).update('yes').digest('hex');
    expect(artifactDigest(nodeCrypto, blob)).toBe(`sha256:${whole}`);
    expect(digestHex(artifactDigest(nodeCrypto, blob))).toBe(whole);
  });

  it('have a salt of 16 bytes, never less', () => {
    expect(() => saltedBlob(SALT.subarray(1), utf8('yes'))).toThrow(RangeError);
    expect(storedPart(SALT)).toEqual(new Uint8Array(0));
    expect(storedPart(SALT.subarray(1))).toBeUndefined();
  });
});

describe('a key file', () => {
  it('is read as it was written', () => {
    expect(parseArtifactKey(TEXT)).toEqual({ digest: DIGEST, key: KEY });
  });

  it.each([
    ['nothing', ''],
    ['another purpose', TEXT.replace('artifact-key', 'roster')],
    ['a newer version', TEXT.replace('v1', 'v2')],
    ['a digest in capitals', TEXT.replace(DIGEST, DIGEST.toUpperCase())],
    ['a short key', encodeArtifactKey({ digest: DIGEST, key: KEY.subarray(1) })],
    ['no last line end', TEXT.slice(0, -1)],
    ['a line more', `${TEXT}x\n`],
    ['Windows line ends', TEXT.replaceAll('\n', '\r\n')],
  ])('is refused with %s', (_, text) => {
    expect(parseArtifactKey(text)).toBeUndefined();
  });
});
