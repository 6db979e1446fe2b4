// What is joined to be hashed: the same bytes as a lasting join would have, whatever came before.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concat, concatBriefly, equalBytes, utf8, writeBase64 } from '../../src/format/bytes.ts';

describe('concatBriefly', () => {
  it('joins what concat joins, also right after a longer joint', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.array(fc.uint8Array({ maxLength: 300 })), (ascii, parts) => {
        concatBriefly('x'.repeat(400), [new Uint8Array(1000).fill(255)]);
        expect(equalBytes(concatBriefly(ascii, parts), concat([utf8(ascii), ...parts]))).toBe(true);
      }),
    );
  });

  it('joins what is larger than any memory it keeps', () => {
    const artifact = new Uint8Array(1024 * 1024).fill(7);
    const lasting = concat([utf8('blob 1048576\0'), artifact]);
    expect(equalBytes(concatBriefly('blob 1048576\0', [artifact]), lasting)).toBe(true);
  });
});

describe('utf8', () => {
  it('spells short and long texts as Buffer does, ASCII or not', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600, size: 'max' }), (text) => {
        expect(equalBytes(utf8(text), Buffer.from(text, 'utf8'))).toBe(true);
      }),
    );
  });
});

describe('writeBase64', () => {
  it('writes exactly its digits and padding and leaves its neighbours alone', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const digits = Buffer.from(bytes).toString('base64');
        const into = new Uint8Array(digits.length + 2).fill(10);
        writeBase64(bytes, into, 1);
        expect(Buffer.from(into).toString('latin1')).toBe(`\n${digits}\n`);
      }),
    );
  });
});
