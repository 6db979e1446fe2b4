// OpenPGP.js as the other opinion: what we sign it must accept, what it signs we must accept, and what is altered neither may.
import * as fc from 'fast-check';
import { createMessage, enums, generateKey, readKey, readSignature, sign, verify } from 'openpgp';
import type { PrivateKey } from 'openpgp';
import { beforeAll, describe, expect, it } from 'vitest';
import { fingerprintOfBody, readKeyBody } from '../../../src/format/openpgp/key-packet.ts';
import { readPacket } from '../../../src/format/openpgp/packet.ts';
import { parsePublicKey } from '../../../src/format/openpgp/public-key.ts';
import type { PublicKey } from '../../../src/format/openpgp/public-key.ts';
import { inOneForm } from '../../../src/format/openpgp/signature-packet.ts';
import { parseSignature, verifySignature } from '../../../src/format/openpgp/signature.ts';
import { refusal } from './refusal.ts';
import { AT_SECONDS, crypto, testKey } from './signing.ts';

const RUNS = 150;
const bytes = fc.uint8Array({ maxLength: 1200 });

async function acceptedByOpenpgp(publicKey: Uint8Array, packet: Uint8Array, data: Uint8Array): Promise<boolean> {
  try {
    const { signatures } = await verify({
      message: await createMessage({ binary: data }),
      signature: await readSignature({ binarySignature: packet }),
      verificationKeys: await readKey({ binaryKey: publicKey }),
      date: new Date((AT_SECONDS + 10) * 1000),
    });
    return (await signatures[0]?.verified) === true;
  } catch {
    return false;
  }
}

describe('our signatures', () => {
  it('are accepted by OpenPGP.js over any data', async () => {
    const ana = testKey('ana');
    await fc.assert(
      fc.asyncProperty(bytes, async (data) => {
        expect(await acceptedByOpenpgp(ana.publicKey, ana.sign(data), data)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  // The first byte is left alone: gpg and OpenPGP.js spell the packet's header differently, and both are good.
  it('are refused by both after any change of the data or of the signed part', async () => {
    const ana = testKey('ana');
    const data = Uint8Array.of(1, 2, 3, 4);
    const packet = ana.sign(data);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: packet.length + data.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, mask) => {
          const whole = new Uint8Array([...packet, ...data]);
          whole[at] = (whole[at] as number) ^ mask;
          const [altered, over] = [whole.subarray(0, packet.length), whole.subarray(packet.length)];
          expect(judge(altered, ana, over)).not.toBe('good');
          // The signed area and the data. In the rest, digest prefix and bit counts say, OpenPGP.js is the more lenient one.
          const isSigned = (at >= 2 && at < 37) || at >= packet.length;
          if (isSigned) expect(await acceptedByOpenpgp(ana.publicKey, altered, over)).toBe(false);
        },
      ),
      { numRuns: RUNS },
    );
  });
});

describe('signatures of OpenPGP.js', () => {
  let theirs: PrivateKey;
  let key: Pick<PublicKey, 'ed25519' | 'fingerprint'>;
  beforeAll(async () => {
    const made = await generateKey({
      type: 'ecc',
      curve: 'ed25519Legacy',
      userIDs: [{ name: 'ana' }],
      subkeys: [],
      date: new Date(AT_SECONDS * 1000),
      format: 'object',
    });
    theirs = made.privateKey;
    const { body } = readPacket(made.publicKey.write(), 0, 'key_malformed');
    key = { ed25519: readKeyBody(body).ed25519, fingerprint: fingerprintOfBody(crypto, body) };
  });

  it('are accepted over any data with each hash that counts, once they are in the form that we write', async () => {
    const { sha256, sha384, sha512 } = enums.hash;
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(sha256, sha384, sha512), async (data, preferredHashAlgorithm) => {
        const packet = await sign({
          message: await createMessage({ binary: data }),
          signingKeys: theirs,
          detached: true,
          format: 'binary',
          config: { preferredHashAlgorithm },
        });
        expect(judge(packet, key, data)).toBe('signature_malformed');
        expect(judge(inOneForm(packet), key, data)).toBe('good');
      }),
      { numRuns: RUNS },
    );
  });

  it('in text mode are refused by name', async () => {
    const message = await createMessage({ text: 'one\ntwo\n' });
    const packet = await sign({ message, signingKeys: theirs, detached: true, format: 'binary' });
    expect(refusal(() => parseSignature(inOneForm(packet)))).toBe('signature_text_mode');
  });

  it('by newer kinds of key are refused by name', async () => {
    const made = await generateKey({ type: 'curve25519', userIDs: [{ name: 'ana' }], subkeys: [], format: 'object' });
    const message = await createMessage({ binary: new Uint8Array(1) });
    const packet = await sign({ message, signingKeys: made.privateKey, detached: true, format: 'binary' });
    expect(refusal(() => parseSignature(inOneForm(packet)))).toBe('signature_algorithm');
    expect(refusal(() => parsePublicKey(made.publicKey.write(), crypto))).toBe('key_algorithm_unsupported');
    const six = await generateKey({ userIDs: [{ name: 'a' }], format: 'object', config: { v6Keys: true } });
    expect(refusal(() => parsePublicKey(six.publicKey.write(), crypto))).toBe('key_version_unsupported');
  });
});

function judge(
  packet: Uint8Array,
  key: { readonly ed25519: Uint8Array; readonly fingerprint: string },
  data: Uint8Array,
): string {
  let verdict: string | undefined;
  const code = refusal(() => {
    verdict = verifySignature(crypto, parseSignature(packet), key.ed25519, key.fingerprint, data);
  });
  return code === 'accepted' ? (verdict ?? 'good') : code;
}
