// Signatures checked before their turn: the same answers as in turn, for exactly what was checked and nothing beside it.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { SignaturesAhead } from '../../../src/app/verify/signatures-ahead.ts';
import { fromUtf8, utf8 } from '../../../src/format/bytes.ts';
import type { Crypto } from '../../../src/format/crypto.ts';
import { gitObject, type GitObject } from '../../../src/format/git/object.ts';
import { emptyProject, type Tip } from '../../../src/ledger/tip.ts';
import { signatureToExpect, verifyCommit } from '../../../src/ledger/verify-commit.ts';
import type { SecondCore } from '../../../src/ports/second-core.ts';
import { CAST } from '../../support/given.ts';
import { patientSecondCore } from '../../support/second-core.ts';
import { notes, write, writtenMission, writtenProject, type Written } from '../../support/written.ts';
import { taken } from '../../support/taken.ts';

const mission = writtenMission(writtenProject().tip);
const steps: Written[] = [];
for (let { tip } = mission; steps.length < 5; { tip } = steps.at(-1)!)
  steps.push(write(tip, notes(1, tip.size), CAST.gate));

/** Real answers, and how often they were asked for. */
function counted(): Crypto & { asked: number } {
  const crypto = {
    ...nodeCrypto,
    asked: 0,
    verifyEd25519: (...[key, message, signature]: Parameters<Crypto['verifyEd25519']>): boolean => {
      crypto.asked += 1;
      return nodeCrypto.verifyEd25519(key, message, signature);
    },
  };
  return crypto;
}

/** The same commit with another commit's signature: well-formed, by the right key, over something else. */
function withSignatureOf(commit: GitObject, other: GitObject): GitObject {
  const armored = (object: GitObject): string => /gpgsig (?:.*\n )*.*\n/.exec(fromUtf8(object.body))![0];
  return gitObject(nodeCrypto, 'commit', utf8(fromUtf8(commit.body).replace(armored(commit), armored(other))));
}

function verdicts(
  crypto: Crypto,
  commits: readonly GitObject[],
  { tip = mission.tip, second }: { readonly tip?: Tip; readonly second?: SecondCore } = {},
): string[] {
  const links = commits.map((object) => ({ object }));
  const ahead = new SignaturesAhead(crypto, links, second);
  const found: string[] = [];
  for (const [i, { before, blobs }] of steps.entries()) {
    const read = ahead.read(i, tip);
    const verdict = read.is === 'refused' ? read : verifyCommit(ahead.crypto, before, read.value, blobs);
    found.push(verdict.is === 'refused' ? verdict.code : verdict.is);
  }
  return found;
}

/** Answers at once, and says so of every signature. */
function saying(answer: boolean | undefined): SecondCore {
  return { check: () => ({ take: () => answer }), close: () => Promise.resolve() };
}

describe('signatures checked ahead', () => {
  const commits = steps.map(({ commit }) => commit);

  it('are checked once each, and every commit is answered from that', async () => {
    const crypto = counted();
    expect(verdicts(crypto, commits)).toEqual(Array(5).fill('accepted'));
    expect(crypto.asked).toBe(5);
  });

  it('that are bad are so for their own commit, not for those before and behind it', async () => {
    const forged = commits.with(2, withSignatureOf(commits[2]!, commits[1]!));
    const expected = ['accepted', 'accepted', 'signature_invalid', 'accepted', 'accepted'];
    expect(verdicts(nodeCrypto, forged)).toEqual(expected);
    const second = await patientSecondCore();
    expect(verdicts(nodeCrypto, forged, { second })).toEqual(expected);
    await second.close();
  });

  it('are not checked here where the second core has', async () => {
    const crypto = counted();
    expect(verdicts(crypto, commits, { second: saying(true) })).toEqual(Array(5).fill('accepted'));
    expect(crypto.asked).toBe(0);
    expect(verdicts(crypto, commits, { second: saying(false) })).toEqual(Array(5).fill('signature_invalid'));
  });

  it('are checked here where the second core has not, or is lost', async () => {
    const crypto = counted();
    expect(verdicts(crypto, commits, { second: saying(undefined) })).toEqual(Array(5).fill('accepted'));
    expect(crypto.asked).toBe(5);
  });

  it('by keys that were not expected are checked in their turn', async () => {
    const crypto = counted();
    expect(verdicts(crypto, commits, { tip: emptyProject(nodeCrypto) })).toEqual(Array(5).fill('accepted'));
    expect(crypto.asked).toBe(5);
  });

  it('answer for the very same bytes only', async () => {
    const crypto = counted();
    const ahead = new SignaturesAhead(crypto, [{ object: commits[0]! }]);
    const read = taken(ahead.read(0, mission.tip));
    const { publicKey, message, signature } = signatureToExpect(nodeCrypto, mission.tip, read)!;
    expect([ahead.crypto.verifyEd25519(publicKey, message, signature), crypto.asked]).toEqual([true, 1]);
    const flipped = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1);
    expect(ahead.crypto.verifyEd25519(flipped(publicKey), message, signature)).toBe(false);
    expect(ahead.crypto.verifyEd25519(publicKey, flipped(message), signature)).toBe(false);
    expect(ahead.crypto.verifyEd25519(publicKey, message, flipped(signature))).toBe(false);
    expect(ahead.crypto.verifyEd25519(publicKey, message.subarray(1), signature)).toBe(false);
    expect(crypto.asked).toBe(5);
  });
});
