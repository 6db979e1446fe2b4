// A ledger shown in extracts: transaction by transaction, each held to the rules that a full verification holds it to,
// as far as they can be known without the events in between. What cannot be known is named in bundle.ts.
import { fromBase64, fromHex, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { gitObject } from '../format/git/object.ts';
import { verifyConsistency, verifyInclusion } from '../format/merkle-proof.ts';
import { leafHash } from '../format/merkle.ts';
import { checkCause } from '../kernel/cause/rule.ts';
import { decodeEvent } from '../kernel/codec.ts';
import { typesThat, type Event } from '../kernel/event.ts';
import { EVENTS_PER_TRANSACTION_MAX } from '../kernel/limits.ts';
import { mayStandIn } from '../kernel/roles.ts';
import type { RosterEntry } from '../kernel/roster/keyring.ts';
import type { Member } from '../kernel/roster/roster.ts';
import type { State } from '../kernel/state.ts';
import { checkSigner, transition } from '../kernel/transition.ts';
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import type { ShownCommit } from './bundle-format.ts';
import { speakerOf } from './speaker.ts';
import { basisOf, genesisAfter, type BareTip } from './tip.ts';
import { subject, type Claims } from './trailers.ts';
import {
  checkCited,
  checkRepair,
  checkSignature,
  eventDigest,
  genesisFlaw,
  readCommit,
  type ReadCommit,
  decodeOpening,
} from './verify-commit.ts';

/** What decides who may sign, and what a proof may rely on: a proof carries every one of these that its ledger has. */
export const ESSENTIAL = typesThat('inProofs');

export type ShownEvent = { readonly index: number; readonly event: Event; readonly bytes: Uint8Array };

export type CheckedCommit = {
  readonly claims: Claims;
  readonly oid: string;
  readonly signer: RosterEntry;
  readonly atSeconds: number;
  readonly events: readonly ShownEvent[];
  /** Where the ledger stands after it. */
  readonly after: BareTip;
};

/** One commit further. A refusal carries the first index that it concerns. */
export function checkCommit(crypto: Crypto, before: BareTip, extract: ShownCommit): Verdict<CheckedCommit> {
  const read = readCommit(crypto, gitObject(crypto, 'commit', utf8(extract.commit)));
  if (read.is === 'refused') return at(before.size, read);
  const { claims, commit, oid } = read.value;
  const flaw = placeFlaw(crypto, before, read.value, extract);
  if (flaw !== undefined) return at(claims.prevSize, flaw);
  const blobs = extract.events.map(({ event }) => utf8(event));
  const standing = { ...before, size: claims.prevSize, root: claims.prevRoot };
  const signer = checkSignature(crypto, standing, read.value, blobs);
  if (signer.is === 'refused') return at(claims.prevSize, signer);
  const events = readEvents(crypto, claims, extract, blobs);
  if (events.is === 'refused') return at(claims.prevSize, events);
  const shown = events.value.map(({ event }) => event);
  const foreign =
    claims.repairs === undefined ? undefined : { count: claims.repairs.foreign, tip: commit.parents[0] ?? '' };
  const repair = checkRepair(shown, claims, foreign);
  if (repair.is === 'refused') return at(claims.prevSize, repair);
  if (!subjectFits(commit.message, claims, shown)) return at(claims.prevSize, refuse('subject_mismatch'));
  const state = foldShown(crypto, standing, events.value, signer.value, claims);
  if (state.is === 'refused') return at(claims.prevSize, state);
  if (state.value.ledger_id !== claims.ledgerId)
    return at(
      claims.prevSize,
      refuse('ledger_id_mismatch', { claimed: claims.ledgerId, expected: state.value.ledger_id }),
    );
  const { size, root, project } = claims;
  const after: BareTip = {
    kind: before.kind,
    oid,
    size,
    root,
    state: state.value,
    genesis: genesisAfter(before, oid),
    project,
    parent: undefined,
  };
  return accept({ claims, oid, signer: signer.value, atSeconds: commit.author.atSeconds, events: events.value, after });
}

/** Whether the commit stands where it says, and continues what was shown before. */
function placeFlaw(
  crypto: Crypto,
  before: BareTip,
  { commit, claims }: ReadCommit,
  extract: ShownCommit,
): Refused | undefined {
  const { prevSize, size, prevRoot, root } = claims;
  const isFirst = before.state === undefined;
  const parents = isFirst && before.parent === undefined ? 0 : 1;
  if (commit.parents.length !== parents)
    return refuse('commit_parents', { expected: parents, found: commit.parents.length });
  if (!isFirst && claims.ledgerId !== before.state.ledger_id)
    return refuse('ledger_id_mismatch', { claimed: claims.ledgerId, expected: before.state.ledger_id });
  if (prevSize < before.size || (isFirst && prevSize !== 0))
    return refuse('prev_size_mismatch', { claimed: prevSize, expected: before.size });
  // Nothing between the two: then the hash chain can be checked like in the ledger itself.
  const isNext = prevSize === before.size;
  const parent = isFirst ? before.parent?.head.oid : before.oid;
  const goesOnFrom = claims.repairs?.validHead ?? commit.parents[0];
  if (isNext && goesOnFrom !== parent)
    return refuse('commit_reparented', { expected: parent ?? null, found: goesOnFrom ?? null });
  if (isNext && prevRoot !== before.root)
    return refuse('prev_root_mismatch', { claimed: prevRoot, expected: before.root });
  if (size <= prevSize || size - prevSize > EVENTS_PER_TRANSACTION_MAX)
    return refuse('transaction_size', { events: size - prevSize, events_max: EVENTS_PER_TRANSACTION_MAX });
  if (!continues(crypto, before, { size: prevSize, root: prevRoot }, extract.since))
    return refuse('consistency_invalid', { from: before.size, to: prevSize });
  if (!continues(crypto, { size: prevSize, root: prevRoot }, { size, root }, extract.grown))
    return refuse('consistency_invalid', { from: prevSize, to: size });
  const cited = checkCited(before, claims);
  return cited.is === 'refused' ? cited : genesisFlaw(before, claims);
}

type Sized = { readonly size: number; readonly root: string };

function continues(crypto: Crypto, older: Sized, newer: Sized, proof: readonly string[]): boolean {
  return verifyConsistency(crypto, {
    oldSize: older.size,
    oldRoot: fromHex(older.root)!,
    newSize: newer.size,
    newRoot: fromHex(newer.root)!,
    proof: hashes(proof),
  });
}

function readEvents(
  crypto: Crypto,
  claims: Claims,
  extract: ShownCommit,
  blobs: readonly Uint8Array[],
): Verdict<ShownEvent[]> {
  const shown: ShownEvent[] = [];
  const root = fromHex(claims.root)!;
  let least = claims.prevSize;
  for (const [i, { index, inclusion }] of extract.events.entries()) {
    if (index < least || index >= claims.size) return refuse('inclusion_invalid', { index, size: claims.size });
    least = index + 1;
    const bytes = blobs[i]!;
    const event = index === 0 ? decodeOpening(bytes) : decodeEvent(bytes);
    if (event.is === 'refused') return refuse(event.code, { index, ...event.facts });
    const leaf = leafHash(crypto, bytes);
    if (!verifyInclusion(crypto, { leaf, index, size: claims.size, proof: hashes(inclusion), root }))
      return refuse('inclusion_invalid', { index, size: claims.size });
    shown.push({ index, event: event.value, bytes });
  }
  return accept(shown);
}

/** All of the first line where all events are shown, else as much of it as follows from the trailers. */
function subjectFits(message: string, claims: Claims, shown: readonly Event[]): boolean {
  const count = claims.size - claims.prevSize;
  if (shown.length < count) return message.startsWith(subject(claims, Array<string>(count).fill('')));
  const types = shown.map((event) => event.event_type);
  return message.startsWith(`${subject(claims, types)}\n`);
}

/**
 * What events come to where only those that decide about keys have their state; of all others, who may say them.
 * `earlier`: the ids of all events before, where somebody has them.
 */
export function foldShown(
  crypto: Crypto,
  standing: BareTip,
  events: readonly ShownEvent[],
  signer: RosterEntry,
  claims: Claims,
  earlier?: Iterable<string>,
): Verdict<State> {
  let { state } = standing;
  const nameable = earlier === undefined ? undefined : new Set(earlier);
  if (state?.sealed === true) return refuse('ledger_sealed', { index: claims.prevSize });
  const basis = basisOf(standing, claims.project);
  const { kind, parent } = standing;
  const fingerprint = signer.key.fingerprint;
  for (const { index, event, bytes } of events) {
    const speaker = speakerOf(crypto, standing, { state, event }, signer, claims.project);
    if (speaker.is === 'refused') return refuse(speaker.code, { index, ...speaker.facts });
    if (state === undefined || ESSENTIAL.has(event.event_type)) {
      const digest = (): string => eventDigest(crypto, bytes);
      const next = transition(state, event, {
        crypto,
        kind,
        signer: speaker.value,
        fingerprint,
        index,
        from: claims.prevSize,
        basis,
        since: standing.project?.size,
        digest,
        parent,
        nameable,
      });
      if (next.is === 'refused') return refuse(next.code, { index, ...next.facts });
      state = next.value;
    } else {
      const flaw = rightsFlaw(state, event, standing, speaker.value) ?? causeFlaw(event, nameable);
      if (flaw !== undefined) return refuse(flaw.code, { index, ...flaw.facts });
    }
    nameable?.add(event.event_id);
  }
  return state === undefined ? refuse('ledger_not_opened', { index: claims.prevSize }) : accept(state);
}

/** Of an event that depends on state that a proof does not have: where it may stand and who may sign it. */
function rightsFlaw(state: State, event: Event, { kind }: BareTip, member: Member): Refused | undefined {
  if (!mayStandIn(event.event_type, kind))
    return refuse('event_type_misplaced', { event_type: event.event_type, ledger: kind });
  if (state.sealed) return refuse('ledger_sealed', { event_type: event.event_type });
  const allowed = checkSigner(event, member, state.roster);
  return allowed.is === 'refused' ? allowed : undefined;
}

/** Whether it may name what it names, or nothing, is told by the event; that it may still be named, by the state alone. */
function causeFlaw(event: Event, nameable: ReadonlySet<string> | undefined): Refused | undefined {
  const cause = checkCause(event, { nameable });
  return cause.is === 'refused' ? cause : undefined;
}

/** Base64 that the schema let through may still be a second spelling: it becomes a hash that fits nothing. */
function hashes(proof: readonly string[]): Uint8Array[] {
  return proof.map((text) => fromBase64(text) ?? new Uint8Array(0));
}

function at(index: number, refused: Refused): Refused {
  return { ...refused, facts: { index, ...refused.facts } };
}
