// Attacks on who counts: rosters that are old, not next, or not signed by enough roots. Somebody who may append a
// roster, but has not the roots' signatures, presents each.
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import { base64 } from '../../../../src/format/bytes.ts';
import { rosterDigest, type EncryptTo, type Roster } from '../../../../src/kernel/roster/roster.ts';
import type { ReasonCode } from '../../../../src/reasons.ts';
import { headOf } from '../../../../src/ledger/tip.ts';
import { encryptTo, encryptToPoint, nextRoster, signedBy, type TestKey } from '../../../support/people.ts';
import { KEY, ROSTER_0, ROSTER_1 } from '../../../support/forge/cast.ts';
import { everywhere, forgedOn, refused, type Attack, type Holds } from '../../../support/forge/attack.ts';
import { adopted, cutOff, rosterUpdate, said } from '../../../support/forge/facts.ts';
import { MISSION_ID } from '../../../support/forge/golden.ts';

/** What a forger wants in force: everybody as before, but one root is enough. */
const WANTED = nextRoster(ROSTER_1, { threshold: 1 });

export const ROSTER: readonly Attack[] = [
  presented(
    'roster-replayed',
    'presents the roster in force again, with its good signatures',
    'roster_replayed',
    ROSTER_1,
    [KEY.ana, KEY.ben],
  ),
  presented('roster-rolled-back', 'presents the first roster again, properly signed', 'roster_replayed', ROSTER_0, [
    KEY.ana,
    KEY.ben,
  ]),
  presented(
    'roster-skips-a-number',
    'presents a roster with a number left out',
    'roster_replayed',
    { ...WANTED, n: 3 },
    [KEY.ana, KEY.ben],
  ),
  presented(
    'roster-not-the-successor',
    'presents a roster that builds on another one than the one in force',
    'roster_not_successor',
    { ...WANTED, prev: rosterDigest(nodeCrypto, ROSTER_0) },
    [KEY.ana, KEY.ben],
  ),
  presented(
    'roster-below-the-threshold',
    'presents a roster that one of two roots signed',
    'threshold_not_met',
    WANTED,
    [KEY.ana],
  ),
  presented('threshold-of-one-person', 'signs a roster with both keys of one root', 'threshold_not_met', WANTED, [
    KEY.ana,
    KEY.anaSecond,
  ]),
  presented(
    'threshold-with-a-member',
    'adds the signature of a member who is no root',
    'threshold_signer_not_root',
    WANTED,
    [KEY.ana, KEY.sam],
  ),
  presented(
    'threshold-with-a-stranger',
    'adds the signature of a key on no roster',
    'threshold_signer_not_root',
    WANTED,
    [KEY.ana, KEY.mallory],
  ),
  presented(
    'encryption-key-beside-anothers-name',
    'puts an encryption key of its own beside another member’s name',
    'encryption_key_unbound',
    readBy('sam', encryptTo(KEY.ana, 'ana')),
    [KEY.ana, KEY.ben],
  ),
  presented(
    'encryption-key-in-anothers-name',
    'says that another member’s key had bound an encryption key of its own',
    'encryption_key_unbound',
    readBy('sam', encryptTo({ ...KEY.ana, fingerprint: KEY.sam.fingerprint }, 'ana')),
    [KEY.ana, KEY.ben],
  ),
  presented(
    'encryption-key-twice',
    'gives two members one encryption key',
    'roster_key_twice',
    readBy('sam', encryptTo(KEY.sam, 'lee')),
    [KEY.ana, KEY.ben],
  ),
  presented(
    'encryption-key-mislabelled',
    'lists an encryption key under the fingerprint of another',
    'roster_key_mislabelled',
    readBy('sam', { ...encryptTo(KEY.sam, 'sam'), fingerprint: encryptTo(KEY.sam, 'other').fingerprint }),
    [KEY.ana, KEY.ben],
  ),
  presented(
    'encryption-key-that-everybody-has',
    'binds a point of small order: what is encrypted to it anybody can read',
    'key_weak',
    readBy('sam', encryptToPoint(KEY.sam, Uint8Array.of(1, ...new Uint8Array(31)))),
    [KEY.ana, KEY.ben],
  ),
  presented(
    'encryption-key-that-signs',
    'lists a signing key as an encryption key',
    'key_malformed',
    readBy('sam', { fingerprint: KEY.sam.fingerprint, public_key: base64(KEY.sam.publicKey) }),
    [KEY.ana, KEY.ben],
  ),
  {
    name: 'encryption-key-of-a-stolen-key',
    does: 'keeps an encryption key on the roster that a key bound which was cut off as compromised',
    holds: 'the roots’ keys',
    forge: ({ bench, project }) => {
      const good = bench.honest(project.tip, KEY.ben, [cutOff(KEY.ben, KEY.kim, ROSTER_1, [])]);
      const event = rosterUpdate(KEY.ana, readBy('kim', encryptTo(KEY.kim, 'thief')));
      return forgedOn(bench, 'project', good, KEY.ana, { events: [event] });
    },
    ...everywhere(refused('encryption_key_unbound')),
  },
  {
    name: 'threshold-signature-for-another-purpose',
    does: 'presents signatures that the roots gave over the same words as a cut-off',
    holds: 'one root’s key',
    forge: ({ bench, project }) => {
      const payload = { roster: WANTED, signatures: signedBy([KEY.ana, KEY.ben], 'cut-off', WANTED) };
      return forgedOn(bench, 'project', project.tip, KEY.ana, { events: [said('roster.updated', payload, KEY.ana)] });
    },
    ...everywhere(refused('threshold_signature_invalid')),
  },
  {
    name: 'threshold-signatures-of-another-roster',
    does: 'changes a roster after the roots have signed it',
    holds: 'one root’s key',
    forge: ({ bench, project }) => {
      const signatures = signedBy([KEY.ana, KEY.ben], 'roster', { ...WANTED, threshold: 2 });
      const event = said('roster.updated', { roster: WANTED, signatures }, KEY.ana);
      return forgedOn(bench, 'project', project.tip, KEY.ana, { events: [event] });
    },
    ...everywhere(refused('threshold_signature_invalid')),
  },
  {
    name: 'threshold-signature-twice',
    does: 'presents one root’s signature twice',
    holds: 'one root’s key',
    forge: ({ bench, project }) => {
      const [signature] = signedBy([KEY.ana], 'roster', WANTED);
      const event = said('roster.updated', { roster: WANTED, signatures: [signature!, signature!] }, KEY.ana);
      return forgedOn(bench, 'project', project.tip, KEY.ana, { events: [event] });
    },
    ...everywhere(refused('threshold_not_canonical')),
  },
  {
    name: 'threshold-with-a-cut-off-root',
    does: 'signs a roster with a second root’s key that was cut off as compromised',
    holds: 'one root’s key',
    forge: ({ bench, project }) => {
      const good = bench.honest(project.tip, KEY.ben, [cutOff(KEY.ben, KEY.kim, ROSTER_1, [])]);
      const event = rosterUpdate(KEY.ana, WANTED, [KEY.ana, KEY.kim]);
      return forgedOn(bench, 'project', good, KEY.ana, { events: [event] });
    },
    ...everywhere(refused('threshold_signer_outside_validity')),
  },
  {
    name: 'cut-off-by-the-compromised-key',
    does: 'cuts off a root with the signature of the very key that is to be cut off',
    holds: 'one root’s key',
    forge: ({ bench, project }) => {
      const { payload } = cutOff(KEY.ana, KEY.kim, ROSTER_1, []);
      const signatures = signedBy([KEY.ana, KEY.kim], 'cut-off', payload.cut_off);
      const event = said('key.cut_off', { ...payload, signatures }, KEY.ana);
      return forgedOn(bench, 'project', project.tip, KEY.ana, { events: [event] });
    },
    ...everywhere(refused('threshold_signer_outside_validity')),
  },
  {
    name: 'cut-off-replayed',
    does: 'presents a cut-off that was signed under an older roster',
    holds: 'one root’s key',
    forge: ({ bench, project }) => {
      const event = cutOff(KEY.ana, KEY.ben, ROSTER_0, []);
      return forgedOn(bench, 'project', project.tip, KEY.ana, { events: [event] });
    },
    ...everywhere(refused('statement_stale')),
  },
  {
    name: 'roster-by-a-member',
    does: 'appends a roster that enough roots signed, without being root',
    holds: 'a member’s key',
    forge: ({ bench, project }) =>
      forgedOn(bench, 'project', project.tip, KEY.sam, { events: [rosterUpdate(KEY.sam, WANTED)] }),
    ...everywhere(refused('role_not_allowed')),
  },
  {
    name: 'adoption-below-the-threshold',
    does: 'has a mission take over a roster that one of two roots signed',
    holds: 'one root’s key',
    forge: ({ bench, gpg, project }) => {
      const wanted = nextRoster(ROSTER_0, { threshold: 1 });
      const event = adopted(
        KEY.ana,
        MISSION_ID.gpg,
        rosterUpdate(KEY.ana, wanted, [KEY.ana]),
        project.at('rotated').size - 1,
      );
      const lie = { events: [event], project: headOf(project.at('rotated')) };
      return forgedOn(bench, 'gpg', gpg.tip, KEY.ana, lie);
    },
    ...everywhere(refused('threshold_not_met')),
  },
];

/** The next roster, in which a member has this encryption key. */
function readBy(principal: string, encrypt_to: EncryptTo): Roster {
  const members = ROSTER_1.members.map((one) => (one.principal_id === principal ? { ...one, encrypt_to } : one));
  return nextRoster(ROSTER_1, { members });
}

export function presented(
  name: string,
  does: string,
  code: ReasonCode,
  roster: Roster,
  roots: readonly TestKey[],
): Attack {
  const holds: Holds = code === 'roster_not_successor' ? 'the roots’ keys' : 'one root’s key';
  return {
    name,
    does,
    holds,
    forge: ({ bench, project }) =>
      forgedOn(bench, 'project', project.tip, KEY.ana, { events: [rosterUpdate(KEY.ana, roster, roots)] }),
    ...everywhere(refused(code)),
  };
}
