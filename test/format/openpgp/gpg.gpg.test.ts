// Stock gpg as the other opinion: anyone with gpg and git must be able to check our signatures, and gpg's must count here.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gpgHome } from '../../support/gpg-home.ts';
import type { GpgHome } from '../../support/gpg-home.ts';
import { armor, dearmor } from '../../../src/format/openpgp/armor.ts';
import { armoredKeyring, parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import type { PublicKey } from '../../../src/format/openpgp/public-key.ts';
import { parseSignature, verifySignature } from '../../../src/format/openpgp/signature.ts';
import { refusal } from './refusal.ts';
import { crypto, testKey } from './signing.ts';

const RUNS = 50;
const bytes = fc.uint8Array({ maxLength: 1200 });
const ana = testKey('ana');
const ben = testKey('ben');
let home: GpgHome;
let key: PublicKey;

beforeAll(() => {
  home = gpgHome();
  home.gpg(['--import'], armoredKeyring([ana.publicKey, ben.publicKey]));
  const fingerprint = home.newKey('cy <cy@example.invalid>', 'ed25519', 'sign');
  key = parsePublicKey(new Uint8Array(home.gpg(['--export', fingerprint])), crypto);
});
afterAll(() => home.remove());

function acceptedByGpg(packet: Uint8Array, data: Uint8Array): boolean {
  writeFileSync(join(home.path, 'sig.asc'), armor('SIGNATURE', packet));
  try {
    const status = home.gpg(['--status-fd', '1', '--verify', join(home.path, 'sig.asc'), '-'], data).toString();
    return status.includes('[GNUPG:] VALIDSIG ');
  } catch {
    return false;
  }
}

describe('one armored keyring', () => {
  it('is imported by gpg, every key whole and valid', () => {
    const listing = home.gpg(['--with-colons', '--check-sigs', ana.fingerprint, ben.fingerprint]).toString();
    for (const { fingerprint } of [ana, ben]) expect(listing).toContain(`:${fingerprint}:`);
    expect(listing.match(/^sig:!:/gm)).toHaveLength(2);
    expect(listing).toContain(`ana <${ana.fingerprint}@lazarus.invalid>`);
  });
});

describe('our signatures', () => {
  it('are accepted by gpg over any data', () => {
    fc.assert(
      fc.property(bytes, (data) => {
        expect(acceptedByGpg(ana.sign(data), data)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it('are refused by gpg and here alike after a change of the data', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (data, at, mask) => {
          const packet = ana.sign(data);
          const altered = data.slice();
          altered[at % data.length] = (altered[at % data.length] as number) ^ mask;
          expect(acceptedByGpg(packet, altered)).toBe(false);
          const verdict = verifySignature(crypto, parseSignature(packet), ana.ed25519, ana.fingerprint, altered);
          expect(verdict).toBe('signature_invalid');
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('signatures of gpg', () => {
  it('are accepted over any data with its default hash and with SHA-512', () => {
    fc.assert(
      fc.property(
        bytes,
        fc.constantFrom([], ['--digest-algo', 'SHA384'], ['--digest-algo', 'SHA512']),
        (data, hash) => {
          const armored = home
            .gpg([...hash, '--armor', '--local-user', key.fingerprint, '--detach-sign'], data)
            .toString();
          const signature = parseSignature(dearmor('SIGNATURE', armored));
          expect(verifySignature(crypto, signature, key.ed25519, key.fingerprint, data)).toBeUndefined();
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('in text mode, with an expiry time or with a critical notation are refused by name', () => {
    const cases = {
      signature_text_mode: ['--textmode'],
      signature_expires: ['--default-sig-expire', '2y'],
      signature_critical_subpacket: ['--sig-notation', '!check@example.invalid=1'],
    };
    for (const [code, options] of Object.entries(cases)) {
      const args = [...options, '--armor', '--local-user', key.fingerprint, '--detach-sign'];
      const armored = home.gpg(args, 'data').toString();
      expect(refusal(() => parseSignature(dearmor('SIGNATURE', armored)))).toBe(code);
    }
  });

  it('by an RSA key are refused by name', () => {
    const rsa = home.newKey('rsa <rsa@example.invalid>', 'rsa2048', 'sign');
    const armored = home.gpg(['--armor', '--local-user', rsa, '--detach-sign'], 'data').toString();
    expect(refusal(() => parseSignature(dearmor('SIGNATURE', armored)))).toBe('signature_algorithm');
    expect(refusal(() => parsePublicKey(new Uint8Array(home.gpg(['--export', rsa])), crypto))).toBe(
      'key_algorithm_unsupported',
    );
  });
});
