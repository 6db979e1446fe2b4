// Spellings of bytes: one value has one spelling, and everything else is refused.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64, concat, equalBytes, fromBase64, fromHex, fromUtf8, hex, utf8 } from '../../src/format/bytes.ts';

const bytes = fc.uint8Array({ maxLength: 20_000, size: 'max' });

describe('bytes', () => {
  it('come back from hex and base64, which Buffer spells the same', () => {
    fc.assert(
      fc.property(bytes, (bytes) => {
        expect(hex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
        expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect(equalBytes(fromHex(hex(bytes))!, bytes)).toBe(true);
        expect(equalBytes(fromBase64(base64(bytes))!, bytes)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each(['0', 'zz', '0x', ' 00', '00\n'])('%j is no hex', (text) => expect(fromHex(text)).toBeUndefined());

  it.each(['QQ', 'QQ=', 'QR==', 'Q===', 'QUI', 'QUJ=', 'QUFB\n', 'QU-_', '===='])(
    '%j is no canonical base64',
    (text) => {
      expect(fromBase64(text)).toBeUndefined();
    },
  );

  it('decode to text only where they are well-formed UTF-8', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fromUtf8(utf8(text)) === text));
    for (const wrong of ['c080', 'eda080', 'f8', 'e282', '80', 'f4908080']) {
      expect(() => fromUtf8(fromHex(wrong)!)).toThrow(TypeError);
    }
  });

  it('keep a byte order mark, so that two byte sequences never decode to one text', () => {
    expect(fromUtf8(fromHex('efbbbf41')!)).toBe('\ufeffA');
  });

  it('join and compare', () => {
    expect(concat([utf8('a'), utf8(''), utf8('bc')])).toEqual(utf8('abc'));
    expect(equalBytes(utf8('ab'), utf8('abc'))).toBe(false);
    expect(equalBytes(utf8('ab'), utf8('aB'))).toBe(false);
  });
});
