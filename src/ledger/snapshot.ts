// A snapshot for others: what a ledger came to at one of its heads, and members' signatures that they computed the same.
// Knows the bytes, what is signed, and whose signatures count where a roster chain was proven; not where it is kept.
import { fromUtf8, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { jcs, parseCanonical } from '../format/jcs.ts';
import { statement } from '../format/openpgp/detached.ts';
import { flawOf } from '../format/openpgp/signature.ts';
import { z } from 'zod';
import { LEDGER_FORMAT, RECENT_TRANSACTIONS } from '../kernel/limits.ts';
import { personOf, rosterDigest, type Member } from '../kernel/roster/roster.ts';
import { RootSignature } from '../kernel/roster/threshold.ts';
import { STATE_VERSION, type State } from '../kernel/state.ts';
import { TreeHead, Uuid } from '../kernel/values.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { treeHeadBody } from './derived.ts';
import { findSigner } from './find-signer.ts';
import { headOf, type BareTip, type Tip } from './tip.ts';

/** As is what a clone keeps for itself. */
export const SNAPSHOT_BYTES_MAX = 8 * 1024 * 1024;

const Envelope = z.strictObject({
  format: z.literal(LEDGER_FORMAT),
  head: TreeHead,
  ledger_id: Uuid,
  recent: z.array(Uuid).max(RECENT_TRANSACTIONS),
  /** By which version of our fold: two that differ in it may come to different states. */
  renderer: z.literal(STATE_VERSION),
  state: z.looseObject({ kind: z.enum(['project', 'mission']), ledger_id: Uuid }),
});

export type SharedSnapshot = {
  readonly head: TreeHead;
  readonly ledgerId: string;
  readonly recent: readonly string[];
  readonly state: State;
};

export const SnapshotSignature = RootSignature;
export type SnapshotSignature = RootSignature;

export function encodeSnapshot(tip: Tip): Uint8Array {
  const { recent, state } = tip;
  const head = headOf(tip);
  const { ledger_id } = state!;
  return utf8(`${jcs({ format: LEDGER_FORMAT, head, ledger_id, recent, renderer: STATE_VERSION, state })}\n`);
}

/** Of anybody's bytes. What is inside the state is believed only with the signatures over all of them. */
export function decodeSnapshot(bytes: Uint8Array): SharedSnapshot | undefined {
  if (bytes.length > SNAPSHOT_BYTES_MAX || bytes.at(-1) !== LF) return undefined;
  try {
    const { head, ledger_id, recent, state } = Envelope.parse(parseCanonical(fromUtf8(bytes.subarray(0, -1))));
    if (state.ledger_id !== ledger_id) return undefined;
    return { head, ledgerId: ledger_id, recent, state: state as unknown as State };
  } catch {
    // Another renderer, another format, or garbage: nothing to go by.
    return undefined;
  }
}

const LF = 10;

/** What is signed: which head of which ledger, by which renderer, and all bytes of the snapshot by their digest. */
export function snapshotStatement(crypto: Crypto, bytes: Uint8Array, { ledgerId, head }: Signed): Uint8Array {
  const digest = `sha256:${crypto.hashHex('sha256', bytes)}`;
  return statement(
    'snapshot',
    utf8(`${treeHeadBody(ledgerId, head.size, head.root)}renderer ${STATE_VERSION}\n${digest}\n`),
  );
}

type Signed = Pick<SharedSnapshot, 'ledgerId' | 'head'>;

/** Accepted with the member whose key signed, if that key counts at the tip: a person's, not cut off, valid there. */
export function checkSnapshotSignature(
  crypto: Crypto,
  at: BareTip,
  signed: Uint8Array,
  { fingerprint, signature }: SnapshotSignature,
): Verdict<Member> {
  const because = (code: string) => refuse('cosignature_invalid', { fingerprint, because: code });
  if (at.state === undefined) return because('ledger_not_opened');
  const signer = findSigner(crypto, at, at.state.roster, fingerprint, at.project);
  if (signer.is === 'refused') return because(signer.code);
  const { member, publicKey } = signer.value;
  if (member.principal_type !== 'user') return because('not_authorised');
  const flaw = flawOf(crypto, signature, publicKey.ed25519, fingerprint, signed);
  return flaw === undefined ? accept(member) : because(flaw);
}

/** Whether a state has the keys and the bars that were proven at its head: else it could bring a roster of its own. */
export function hasProvenKeys(crypto: Crypto, state: State, proven: State): boolean {
  const bars = (of: State): string => jcs(of.cut_offs.map(({ fingerprint }) => fingerprint).sort());
  return (
    state.kind === proven.kind &&
    state.project_genesis === proven.project_genesis &&
    rosterDigest(crypto, state.roster) === rosterDigest(crypto, proven.roster) &&
    bars(state) === bars(proven)
  );
}

/** The different persons among those who signed, but the one who is about to rely on it. */
export function otherPersons(signers: readonly Member[], self: Member): ReadonlySet<string> {
  return new Set(signers.map(personOf).filter((person) => person !== personOf(self)));
}

/** So many must have computed it, beside whoever relies on it. */
export const OTHERS_NEEDED = 2;
