import * as fc from 'fast-check';
import { sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { protectedPrivateKey } from '../../../src/adapters/keys/openpgp-keys.ts';
import { bareSecretKeyPacket, newSecret, openSecret, secretFromSeed } from '../../../src/adapters/keys/secret-key.ts';
import { dearmor } from '../../../src/format/openpgp/armor.ts';
import { AT_SECONDS, answer, neverAsked, refusalOf } from './homes.ts';

describe('a secret key packet', () => {
  it('opens to the same key for every seed, those with leading zero bytes included', async () => {
    const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const withZeros = fc.tuple(fc.nat(4), seeds).map(([zeros, seed]) => seed.fill(0, 0, zeros));
    await fc.assert(
      fc.asyncProperty(withZeros, async (seed) => {
        const secret = secretFromSeed(seed, AT_SECONDS);
        const opened = await openSecret(bareSecretKeyPacket(secret), neverAsked);
        expect(opened.ed25519).toEqual(secret.ed25519);
        expect(opened.privateKey.equals(secret.privateKey)).toBe(true);
      }),
    );
  });

  it('locked by OpenPGP.js opens here with any passphrase it was locked with', async () => {
    const passphrases = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
    await fc.assert(
      fc.asyncProperty(passphrases, async (passphrase) => {
        const secret = newSecret(AT_SECONDS);
        const locked = dearmor('PRIVATE KEY BLOCK', await protectedPrivateKey(bareSecretKeyPacket(secret), passphrase));
        const opened = await openSecret(locked, answer(passphrase));
        expect(opened.privateKey.equals(secret.privateKey)).toBe(true);
        expect(await refusalOf(openSecret(locked, answer(`${passphrase} `)))).toBe('passphrase_wrong');
      }),
      { numRuns: 8 },
    );
  });

  it('is refused after a change of any of its bytes', async () => {
    const secret = newSecret(AT_SECONDS);
    const packet = bareSecretKeyPacket(secret);
    for (let at = 0; at < packet.length; at++) {
      const altered = packet.slice();
      altered[at] = (altered[at] as number) ^ 1;
      const opened = await openSecret(altered, neverAsked).catch(() => undefined);
      // Four bytes of creation time are not bound to the secret: they change the fingerprint, which the file's name holds.
      const isTime = at >= 3 && at < 7;
      expect(opened === undefined || isTime, `byte ${at}`).toBe(true);
    }
  });

  it('makes signatures that node verifies', () => {
    const { privateKey, ed25519 } = newSecret(AT_SECONDS);
    const x = Buffer.from(ed25519).toString('base64url');
    const message = Buffer.from('hello');
    const key = { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' } as const;
    expect(verify(null, message, key, sign(null, message, privateKey))).toBe(true);
  });
});
