import * as fc from 'fast-check';
import { enums, armor as openpgpArmor, unarmor } from 'openpgp';
import { describe, expect, it } from 'vitest';
import { armor, dearmor } from '../../../src/format/openpgp/armor.ts';
import { refusal } from './refusal.ts';

const bytes = Uint8Array.from({ length: 150 }, (_, i) => (i * 7) & 0xff);
const text = armor('SIGNATURE', bytes);

describe('armor', () => {
  it('is what OpenPGP.js reads back', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (sample) => {
        const read = await unarmor(armor('SIGNATURE', sample));
        expect(new Uint8Array(read.data as Uint8Array)).toEqual(sample);
      }),
    );
  });

  it('has lines of 64 columns, a checksum, and one final newline', () => {
    const lines = text.split('\n');
    expect(lines.slice(0, 2)).toEqual(['-----BEGIN PGP SIGNATURE-----', '']);
    expect(lines.slice(2, 6).map((line) => line.length)).toEqual([64, 64, 64, 8]);
    expect(lines[6]).toMatch(/^=[A-Za-z0-9+/]{4}$/);
    expect(lines.slice(7)).toEqual(['-----END PGP SIGNATURE-----', '']);
  });
});

describe('dearmor', () => {
  it('reads back what armor writes, and keys as OpenPGP.js writes them, with a checksum and without', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.boolean(), (sample, checksum) => {
        const theirs = openpgpArmor(enums.armor.publicKey, sample, undefined, undefined, undefined, checksum);
        expect(dearmor('PUBLIC KEY BLOCK', theirs.replaceAll('\r\n', '\n'))).toEqual(sample);
        expect(dearmor('SIGNATURE', armor('SIGNATURE', sample))).toEqual(sample);
      }),
    );
  });

  it('accepts a block whose final newline was taken off, as in a commit header', () => {
    expect(dearmor('SIGNATURE', text.trimEnd())).toEqual(bytes);
  });

  const lines = text.split('\n');
  const respelled = (columns: number): string => {
    const body = lines
      .slice(2, 6)
      .join('')
      .match(new RegExp(`.{1,${columns}}`, 'g'))!;
    return [...lines.slice(0, 2), ...body, ...lines.slice(6)].join('\n');
  };
  const broken: Record<string, string> = {
    'text before': `hello\n${text}`,
    'text after': `${text}hello\n`,
    'a second block': text + text,
    'a second newline': `${text}\n`,
    'another kind': armor('PUBLIC KEY BLOCK', bytes),
    'mixed kinds': text.replace('END PGP SIGNATURE', 'END PGP PUBLIC KEY BLOCK'),
    'a comment header with free text': text.replace('\n\n', '\nComment: hello\n\n'),
    'windows line ends': text.replaceAll('\n', '\r\n'),
    'a trailing space': text.replace(lines[2] as string, `${lines[2]} `),
    'lines broken elsewhere': text.replace(
      `${lines[2]}\n${lines[3]}`,
      `${lines[2]}${lines[3]?.slice(0, 4)}\n${lines[3]?.slice(4)}`,
    ),
    'an empty line inside': text.replace(`${lines[3]}\n`, `${lines[3]}\n\n`),
    'one long line': text.replace(`${lines[2]}\n${lines[3]}\n`, `${lines[2]}${lines[3]}`),
    'no checksum': text.replace(`${lines[6]}\n`, ''),
    'other columns': respelled(76),
    'fewer columns': respelled(60),
    'a wrong checksum': text.replace(lines[6] as string, '=AAAA'),
    'two checksums': text.replace(lines[6] as string, `${lines[6]}\n${lines[6]}`),
    'a checksum and nothing else': `${lines[0]}\n\n${lines[6]}\n${lines[7]}\n`,
    'nothing inside': `${lines[0]}\n\n${lines[7]}\n`,
    'no end': text.slice(0, 100),
    'nothing at all': '',
  };
  it.each(Object.entries(broken))('refuses %s', (_name, sample) => {
    expect(refusal(() => dearmor('SIGNATURE', sample))).toBe('armor_malformed');
  });

  it('refuses base64 whose unused bits are set: a second spelling of the same bytes', () => {
    const one = armor('SIGNATURE', Uint8Array.of(1));
    expect(one).toContain('\nAQ==\n');
    expect(refusal(() => dearmor('SIGNATURE', one.replace('AQ==', 'AR==')))).toBe('armor_malformed');
  });
});
