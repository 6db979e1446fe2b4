// One transaction further: from a tip and some events to the next tip and its objects, or the reason why not.
// The writer asks it before signing, the verifier asks it for every commit of history.
import { fromUtf8, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { gitObject, type GitObject, type Oid } from '../format/git/object.ts';
import { leafHash, type Frontier } from '../format/merkle.ts';
import { decodeEvent } from '../kernel/codec.ts';
import type { Event } from '../kernel/event.ts';
import { EVENTS_PER_TRANSACTION_MAX, LEDGER_EVENTS_MAX, RECENT_TRANSACTIONS } from '../kernel/limits.ts';
import { checkReceipts } from '../kernel/receipt/evolve.ts';
import type { RosterEntry } from '../kernel/roster/keyring.ts';
import { rosterDigest } from '../kernel/roster/roster.ts';
import type { State } from '../kernel/state.ts';
import { transition } from '../kernel/transition.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, refuse, type Verdict } from '../kernel/verdict.ts';
import { headFiles, rosterFiles, standingFile } from './derived.ts';
import { extend, type Extended } from './layout.ts';
import { FILES } from './names.ts';
import { basisOf, type Tip } from './tip.ts';
import { speakerOf } from './speaker.ts';
import { findSigner, rosterInForce } from './find-signer.ts';

export type Proposed = {
  readonly tx: string;
  /** Canonical bytes of the events, in order. */
  readonly blobs: readonly Uint8Array[];
  /** What the blobs say, from a writer that has just read them back; otherwise they are read here. */
  readonly readBack?: readonly Event[];
  readonly fingerprint: string;
  /** Missions: the project head cited. */
  readonly project: TreeHead | undefined;
};

export type Advanced = {
  /** The next tip, all but its commit. */
  readonly tip: Tip;
  readonly tree: Oid;
  readonly objects: readonly GitObject[];
  readonly events: readonly Event[];
  /** Their hashes in the log: by these, other ledgers name them. */
  readonly leaves: readonly Uint8Array[];
  readonly signer: RosterEntry;
  /** The roster the transaction was decided under. */
  readonly roster: { readonly n: number; readonly digest: string };
};

export function advance(crypto: Crypto, tip: Tip, proposed: Proposed): Verdict<Advanced> {
  const { blobs } = proposed;
  // A copy: tips remember it, and an id cut out of a message would keep the text it comes from in memory.
  const tx = fromUtf8(utf8(proposed.tx));
  if (blobs.length === 0 || blobs.length > EVENTS_PER_TRANSACTION_MAX)
    return refuse('transaction_size', { events: blobs.length, events_max: EVENTS_PER_TRANSACTION_MAX });
  if (tip.size + blobs.length > LEDGER_EVENTS_MAX)
    return refuse('limit_reached', { ledger_events_max: LEDGER_EVENTS_MAX });
  const seen = idsOf(tip.recent);
  if (seen.has(tx)) return refuse('transaction_duplicate', { tx });
  const decoded = proposed.readBack === undefined ? decodeAll(blobs, tip.size) : accept(proposed.readBack);
  if (decoded.is === 'refused') return decoded;
  const roster = rosterInForce(tip, decoded.value);
  if (roster === undefined) return refuse('ledger_not_opened', { index: tip.size });
  const signer = findSigner(crypto, tip, roster, proposed.fingerprint, proposed.project);
  if (signer.is === 'refused') return signer;

  const frontier = tip.frontier.clone();
  const leaves = blobs.map((blob) => leafHash(crypto, blob));
  const folded = fold(crypto, tip, proposed, { frontier, leaves, events: decoded.value, signer: signer.value });
  if (folded.is === 'refused') return folded;
  const state = folded.value;
  const receipted = checkReceipts(state);
  if (receipted.is === 'refused')
    return refuse(receipted.code, { index: tip.size + blobs.length - 1, ...receipted.facts });
  // In this way they are copied once, and no larger than they are: spread, they were an eighth of what a commit allocates.
  const recent = tip.recent.toSpliced(tip.recent.length, 0, tx);
  if (recent.length > RECENT_TRANSACTIONS) recent.shift();
  const { layout, tree, objects, root } = extendTree(crypto, tip, blobs, { frontier, state });
  handOn(seen, tip.recent, recent);
  return accept({
    tip: {
      kind: tip.kind,
      oid: undefined,
      size: frontier.size,
      root,
      frontier,
      layout,
      state,
      recent,
      genesis: tip.genesis,
      project: proposed.project,
      parent: undefined,
    },
    tree,
    objects,
    events: decoded.value,
    leaves,
    signer: signer.value,
    roster: { n: roster.n, digest: rosterDigest(crypto, roster) },
  });
}

/** The same ids for looking up: to compare with 256 of them was 2 % of a verification, to gather them anew is more. */
const idSets = new WeakMap<readonly string[], Set<string>>();

function idsOf(recent: readonly string[]): Set<string> {
  return idSets.get(recent) ?? new Set(recent);
}

/** The set goes on to the tip that follows. Of two transactions on one tip, the second gathers a set of its own. */
function handOn(ids: Set<string>, from: readonly string[], to: readonly string[]): void {
  idSets.delete(from);
  if (from.length === RECENT_TRANSACTIONS) ids.delete(from[0]!);
  ids.add(to.at(-1)!);
  idSets.set(to, ids);
}

function decodeAll(blobs: readonly Uint8Array[], from: number): Verdict<Event[]> {
  const events: Event[] = [];
  for (const blob of blobs) {
    const event = decodeEvent(blob);
    if (event.is === 'refused') return refuse(event.code, { index: from + events.length, ...event.facts });
    events.push(event.value);
  }
  return accept(events);
}

type Folded = {
  readonly frontier: Frontier;
  readonly leaves: readonly Uint8Array[];
  readonly events: readonly Event[];
  readonly signer: RosterEntry;
};

function fold(
  crypto: Crypto,
  tip: Tip,
  { blobs, fingerprint, project }: Proposed,
  { frontier, leaves, events, signer }: Folded,
): Verdict<State> {
  let state = tip.state;
  const basis = basisOf(tip, project);
  const nameable = new Set(Object.values(tip.state?.causes.moved ?? {}));
  for (const [i, event] of events.entries()) {
    const speaker = speakerOf(crypto, tip, { state, event }, signer, project);
    if (speaker.is === 'refused') return refuse(speaker.code, { index: tip.size + i, ...speaker.facts });
    const next = transition(state, event, {
      crypto,
      kind: tip.kind,
      signer: speaker.value,
      fingerprint,
      index: tip.size + i,
      from: tip.size,
      basis,
      since: tip.project?.size,
      digest: () => `sha256:${crypto.hashHex('sha256', blobs[i]!)}`,
      parent: tip.parent,
      nameable,
    });
    if (next.is === 'refused') return refuse(next.code, { index: tip.size + i, ...next.facts });
    state = next.value;
    nameable.add(event.event_id);
    frontier.append(leaves[i]!);
  }
  return accept(state!);
}

function extendTree(
  crypto: Crypto,
  tip: Tip,
  blobs: readonly Uint8Array[],
  { frontier, state }: { frontier: Frontier; state: State },
): Extended & { root: string } {
  const events = blobs.map((blob) => gitObject(crypto, 'blob', blob));
  const head = headFiles(crypto, state.ledger_id, frontier);
  const rosterObjects = rosterFiles(crypto, state.roster);
  const standing = standingFile(crypto, state);
  const files: Record<string, Oid> = { [FILES.standing]: standing.oid };
  addNames(files, head.objects);
  addNames(files, rosterObjects);
  const extended = extend(crypto, tip.layout, { events: events.map((event) => event.oid), files });
  const objects = [...events, ...Object.values(head.objects)];
  if (tip.state?.roster !== state.roster) objects.push(...Object.values(rosterObjects));
  if (tip.state === undefined || standingFile(crypto, tip.state).oid !== standing.oid) objects.push(standing);
  objects.push(...extended.objects);
  return { layout: extended.layout, tree: extended.tree, objects, root: head.root };
}

function addNames(files: Record<string, Oid>, objects: Readonly<Record<string, GitObject>>): void {
  for (const file of Object.keys(objects)) files[file] = objects[file]!.oid;
}
