// Attacks on the order of transactions: what was written is left out, moved, replaced, or shown in part.
import type { Claims } from '../../../../src/ledger/trailers.ts';
import { KEY } from '../../../support/forge/cast.ts';
import { movedTo, signatureOf, transactionIn } from '../../../support/forge/edit.ts';
import { everywhere, forgedOn, on, refused, remade, type Attack } from '../../../support/forge/attack.ts';
import { note, notes } from '../../../support/forge/facts.ts';
import { MISSION_ID } from '../../../support/forge/golden.ts';

const CONSISTENT = 'every signature, root and rule holds; without a memory of the other head nothing contradicts it';

export const HISTORY: readonly Attack[] = [
  {
    name: 'event-dropped',
    does: 'leaves one event out of a transaction and keeps the signature',
    holds: 'nothing',
    forge: ({ bench, long }) => {
      const tip = long.at('fourth');
      const { events } = bench.made.get(tip.oid!)!;
      return remade(bench, 'long', tip, { events: events.slice(1), signature: () => signatureOf(bench, tip.oid!) });
    },
    ...everywhere(refused('signature_invalid')),
  },
  {
    name: 'events-reordered',
    does: 'turns the order of events inside a transaction around and keeps the signature',
    holds: 'nothing',
    forge: ({ bench, long }) => {
      const tip = long.at('fourth');
      const { events } = bench.made.get(tip.oid!)!;
      return remade(bench, 'long', tip, { events: events.toReversed(), signature: () => signatureOf(bench, tip.oid!) });
    },
    ...everywhere(refused('signature_invalid')),
  },
  {
    name: 'transaction-dropped',
    does: 'leaves a transaction out and hangs the next one onto the one before it',
    holds: 'nothing',
    forge: ({ bench, long }) =>
      on('long', long.at('third'), movedTo(bench, long.at('base').oid!, long.at('third').oid!)),
    ...everywhere(refused('prev_size_mismatch')),
    bundle: refused('consistency_invalid', 2),
  },
  {
    name: 'commits-reordered',
    does: 'swaps two transactions',
    holds: 'nothing',
    forge: ({ bench, long }) => {
      const later = movedTo(bench, long.at('second').oid!, long.at('fourth').oid!);
      return on('long', long.at('fourth'), movedTo(bench, long.at('third').oid!, later));
    },
    ...everywhere(refused('prev_size_mismatch')),
    bundle: refused('consistency_invalid', 1),
  },
  {
    name: 're-parented',
    does: 'signs a transaction that continues the head, but hangs it onto the commit before the head',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const parents = [long.at('second').oid!];
      return on('long', long.at('second'), bench.forged(long.at('base'), KEY.sam, { events: one(), parents }));
    },
    ...everywhere(refused('prev_size_mismatch')),
    bundle: refused('commit_reparented', 3),
  },
  {
    name: 'previous-root-wrong',
    does: 'signs a transaction that claims another Merkle root before it',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const claims = (honest: Claims): Claims => ({ ...honest, prevRoot: '00'.repeat(32) });
      return forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: one(), claims });
    },
    ...everywhere(refused('prev_root_mismatch')),
  },
  {
    name: 'own-transaction-rewritten',
    does: 'signs its own last transaction again without one of its events, in place of the first',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const tip = long.at('base');
      const { events } = bench.made.get(tip.oid!)!;
      return { ...remade(bench, 'long', tip, { events: events.slice(1) }), good: tip };
    },
    ...everywhere({ is: 'not_visible', why: CONSISTENT }),
    sincePin: refused('fork_detected', -1),
    cosigned: refused('rollback_detected', -1),
  },
  {
    name: 'head-forked',
    does: 'shows another history since the last but one transaction, as long as the true one',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const events = notes(KEY.sam, MISSION_ID.long, 9000, 3);
      return on('long', long.at('base'), bench.honest(long.at('second'), KEY.sam, events));
    },
    ...everywhere({ is: 'not_visible', why: CONSISTENT }),
    sincePin: refused('fork_detected'),
    cosigned: refused('fork_detected'),
  },
  {
    name: 'tail-truncated',
    does: 'moves the branch back to an older head',
    holds: 'nothing',
    forge: ({ long }) => on('long', long.at('base'), long.at('second')),
    ...everywhere({
      is: 'not_visible',
      why: 'an older head is a good ledger; that it once was longer only a pin or a co-signature knows',
    }),
    sincePin: refused('rollback_detected', -3),
    cosigned: refused('rollback_detected', -3),
  },
  {
    name: 'transaction-twice',
    does: 'signs a transaction under the id of the mission’s first one',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const tx = transactionIn(bench, long.at('opened').oid!);
      return forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: one(), tx });
    },
    ...everywhere(refused('transaction_duplicate')),
    bundle: {
      is: 'not_visible',
      why: 'the proof does not tell how many transactions lie between its steps, and after 256 the id is free again',
    },
  },
  {
    name: 'transaction-twice-beyond-the-window',
    does: 'the same in a ledger that has had more than 256 transactions since',
    holds: 'a member’s key',
    forge: ({ bench, long }) => {
      const tx = transactionIn(bench, long.at('opened').oid!);
      return forgedOn(bench, 'long', long.tip, KEY.sam, { events: one(), tx });
    },
    ...everywhere({
      is: 'not_visible',
      why: 'the format forbids an id among the last 256 only, so that every way of verifying answers the same',
    }),
  },
  {
    name: 'transaction-too-large',
    does: 'signs one transaction of 257 events',
    holds: 'a member’s key',
    forge: ({ bench, long }) =>
      forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: notes(KEY.sam, MISSION_ID.long, 9000, 257) }),
    ...everywhere(refused('transaction_size')),
    bundle: { is: 'stopped', code: 'bundle_malformed' },
  },
  {
    name: 'transaction-empty',
    does: 'signs a transaction without events',
    holds: 'a member’s key',
    forge: ({ bench, long }) => forgedOn(bench, 'long', long.at('base'), KEY.sam),
    ...everywhere(refused('transaction_size')),
  },
  {
    name: 'appended-after-the-seal',
    does: 'signs a transaction behind the end of the mission',
    holds: 'a member’s key',
    forge: ({ bench, sealed }) =>
      forgedOn(bench, 'sealed', sealed.tip, KEY.sam, { events: [note(KEY.sam, MISSION_ID.sealed, 9)] }),
    ...everywhere(refused('ledger_sealed')),
  },
  {
    name: 'seal-left-out-of-a-proof',
    does: 'signs a transaction behind the end of the mission, and proves it without showing the end',
    holds: 'a member’s key',
    forge: ({ bench, sealed }) => {
      const events = [note(KEY.sam, MISSION_ID.sealed, 9)];
      return {
        ...on('sealed', sealed.tip, bench.forged(sealed.tip, KEY.sam, { events })),
        leavesOut: [sealed.tip.oid!],
      };
    },
    ...everywhere(refused('ledger_sealed')),
    bundle: { is: 'not_visible', why: 'what a ledger forbids follows from events that a proof need not show' },
  },
];

function one() {
  return [note(KEY.sam, MISSION_ID.long, 9000)];
}
