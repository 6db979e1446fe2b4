// Several roots over one document. Persons count, not keys; what does not count is refused, never passed over.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { base64, fromBase64 } from '../../src/format/bytes.ts';
import { checkThreshold, type Purpose, type RootSignature } from '../../src/kernel/roster/threshold.ts';
import type { Roster } from '../../src/kernel/roster/roster.ts';
import type { ReasonCode } from '../../src/reasons.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { PROJECT } from '../support/given.ts';
import { member, roster, rosterKey, testKey, signedBy, type TestKey } from '../support/people.ts';

const ana = testKey('ana');
const anaLaptop = testKey('ana', 'ana’s second key');
const bo = testKey('bo');
const anaBot = testKey('ana-bot');
const gate = testKey('gate');

const JUDGES = roster(
  PROJECT,
  [
    member(ana, { roles: ['root'], keys: [rosterKey(ana), rosterKey(anaLaptop)] }),
    member(anaBot, { roles: ['root'], person_id: 'ana' }),
    member(bo, { roles: ['root'], keys: [rosterKey(bo, { from: 5, until: 20 })] }),
    member(gate, { roles: ['gate'] }),
  ],
  { threshold: 2 },
);
const DOCUMENT = { n: 7 };

type Signed = { document: unknown; signatures: readonly RootSignature[]; basis: number; purpose: Purpose };

function judge(keys: readonly TestKey[], changes: Partial<Signed> = {}, by: Roster = JUDGES, barred = '') {
  const made = {
    purpose: 'roster',
    document: DOCUMENT,
    basis: 10,
    signatures: signedBy(keys, 'roster', DOCUMENT),
  } as const;
  return checkThreshold(nodeCrypto, by, (fingerprint) => fingerprint === barred, { ...made, ...changes });
}

function refusal(code: ReasonCode, facts: object = {}): object {
  return { is: 'refused', code, facts: expect.objectContaining(facts) as unknown };
}

function expectInvalid(verdict: Verdict<number>, flaw: string): void {
  expect(verdict).toMatchObject(refusal('threshold_signature_invalid', { flaw }));
}

describe('a threshold of two', () => {
  it('is met by two persons', () => {
    expect(judge([ana, bo])).toEqual({ is: 'accepted', value: 2 });
  });

  it('is not met by one person with two keys', () => {
    expect(judge([ana, anaLaptop])).toMatchObject(
      refusal('threshold_not_met', { persons: 1, signatures: 2, threshold: 2 }),
    );
  });

  it('is not met by one person under two principals', () => {
    expect(judge([ana, anaBot])).toMatchObject(refusal('threshold_not_met', { persons: 1 }));
  });

  it('is met by three signatures of two persons', () => {
    expect(judge([ana, anaLaptop, bo])).toEqual({ is: 'accepted', value: 2 });
  });
});

describe('a signature', () => {
  it('that stands twice is refused', () => {
    const [one] = signedBy([ana], 'roster', DOCUMENT);
    expect(judge([], { signatures: [one!, one!] })).toMatchObject(refusal('threshold_not_canonical'));
  });

  it('out of order is refused: one set of signatures has one spelling', () => {
    const made = signedBy([ana, bo], 'roster', DOCUMENT);
    expect(judge([], { signatures: made.toReversed() })).toMatchObject(refusal('threshold_not_canonical'));
  });

  it('of somebody who is no root is refused, even when enough others signed', () => {
    const nobody = testKey('nobody');
    for (const extra of [gate, nobody])
      expect(judge([ana, bo, extra])).toMatchObject(
        refusal('threshold_signer_not_root', { fingerprint: extra.fingerprint }),
      );
  });

  it.each([
    [4, false],
    [5, true],
    [19, true],
    [20, false],
  ])('of a key valid from 5 until 20 at %i counts: %s', (basis, counts) => {
    const verdict = judge([ana, bo], { basis });
    if (counts) expect(verdict.is).toBe('accepted');
    else expect(verdict).toMatchObject(refusal('threshold_signer_outside_validity', { basis }));
  });

  it('of a key that is cut off is refused, even when enough others signed', () => {
    const lower = { ...JUDGES, threshold: 1 };
    expect(judge([ana, bo], {}, lower, bo.fingerprint)).toMatchObject(
      refusal('threshold_signer_outside_validity', { fingerprint: bo.fingerprint }),
    );
  });

  it('over another document is refused', () => {
    expectInvalid(judge([ana, bo], { document: { n: 8 } }), 'signature_invalid');
  });

  it('for one purpose does not serve another', () => {
    expectInvalid(judge([ana, bo], { purpose: 'cut-off' }), 'signature_invalid');
  });

  it('under another signer’s name is refused', () => {
    const [first, second] = signedBy([ana, bo], 'roster', DOCUMENT);
    const swapped = [
      { ...first!, signature: second!.signature },
      { ...second!, signature: first!.signature },
    ];
    expectInvalid(judge([], { signatures: swapped }), 'signature_issuer_wrong');
  });

  it('with a byte more, a bit changed or no signature at all is refused', () => {
    const [one] = signedBy([ana], 'roster', DOCUMENT);
    const packet = fromBase64(one!.signature)!;
    const longer = Uint8Array.from([...packet, 0]);
    const flipped = packet.map((byte, i) => (i === packet.length - 5 ? byte ^ 1 : byte));
    const lower = { ...JUDGES, threshold: 1 };
    const of = (signature: string) => judge([], { signatures: [{ ...one!, signature }] }, lower);
    expectInvalid(of(base64(longer)), 'signature_trailing_bytes');
    expectInvalid(of(base64(flipped)), 'signature_invalid');
    expectInvalid(of('AAAA'), 'signature_malformed');
    expectInvalid(of(one!.signature.replace(/=*$/, '===')), 'signature_malformed');
  });
});
