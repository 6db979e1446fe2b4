// Sealed bytes open with their key and as what they were sealed, and not otherwise.
import { describe, expect, it } from 'vitest';
import { aesCipher } from '../../../src/adapters/artifacts/aes-cipher.ts';
import { associatedData } from '../../../src/format/artifact.ts';
import { utf8 } from '../../../src/format/bytes.ts';

const KEY = aesCipher.newKey();
const AS_TEXT = associatedData('text/plain');
const sealed = (content: string): Uint8Array => aesCipher.seal(KEY, utf8(content), AS_TEXT);

describe('the artifact cipher', () => {
  it.each(['', 'x', 'a text\n'.repeat(10_000)])('opens what it sealed', (content) => {
    const bytes = sealed(content);
    expect(aesCipher.open(KEY, bytes, AS_TEXT)).toEqual(utf8(content));
    expect(bytes.length).toBe(content.length + 28);
  });

  it('never seals the same text to the same bytes', () => {
    expect(sealed('yes')).not.toEqual(sealed('yes'));
    expect(aesCipher.salt()).not.toEqual(aesCipher.salt());
  });

  it('opens nothing once a single bit is another one, wherever it is', () => {
    const bytes = sealed('yes');
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const flipped = bytes.slice();
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      expect(aesCipher.open(KEY, flipped, AS_TEXT)).toBeUndefined();
    }
  });

  it('opens nothing that was cut short: a tag of four bytes could be guessed', () => {
    const bytes = sealed('yes');
    for (let length = 0; length < bytes.length; length++)
      expect(aesCipher.open(KEY, bytes.subarray(0, length), AS_TEXT)).toBeUndefined();
  });

  it('opens nothing as another media type, or with another key', () => {
    expect(aesCipher.open(KEY, sealed('yes'), associatedData('text/html'))).toBeUndefined();
    expect(aesCipher.open(aesCipher.newKey(), sealed('yes'), AS_TEXT)).toBeUndefined();
  });
});
