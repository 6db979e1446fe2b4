// Reading: one commit and its event blobs against the tip before it. Everything the commit claims is recomputed;
// the first thing that is not so is the answer. No repository, no network, no state but the tip.
import type { Crypto, SignatureToCheck } from '../format/crypto.ts';
import { parseCommit, type ParsedCommit } from '../format/git/commit.ts';
import { objectId, type GitObject } from '../format/git/object.ts';
import { dearmor } from '../format/openpgp/armor.ts';
import { parseSignature, type ParsedSignature } from '../format/openpgp/signature.ts';
import { checkSignedDigest, signedDigest } from '../format/openpgp/signature-packet.ts';
import { Failure } from '../failure.ts';
import { decodeEvent } from '../kernel/codec.ts';
import type { Event } from '../kernel/event.ts';
import { EVENTS_PER_TRANSACTION_MAX } from '../kernel/limits.ts';
import { keyring, type RosterEntry } from '../kernel/roster/keyring.ts';
import { rosterDigest, type Roster } from '../kernel/roster/roster.ts';
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import { advance } from './advance.ts';
import { findSigner, rosterInForce } from './find-signer.ts';
import { committed, type Authority, type BareTip, type Tip } from './tip.ts';
import { GENESIS_SELF, parseMessage, subject, type Claims } from './trailers.ts';

export type ReadCommit = {
  readonly oid: string;
  readonly commit: ParsedCommit;
  readonly claims: Claims;
  /** Read once, though it is asked about ahead and again in its turn; what is wrong with it is told in its turn. */
  readonly signed: SignatureIn | Failure;
};

type SignatureIn = { readonly signature: ParsedSignature; readonly digest: Uint8Array };

export type VerifiedCommit = {
  readonly tip: Tip;
  readonly claims: Claims;
  readonly events: readonly Event[];
  /** Their leaf hashes. */
  readonly leaves: readonly Uint8Array[];
  readonly signer: RosterEntry;
  readonly atSeconds: number;
};

/** Parses a commit and its claims, after checking that the bytes have the name they were asked for by. */
export function readCommit(crypto: Crypto, object: GitObject): Verdict<ReadCommit> {
  if (object.type !== 'commit' || objectId(crypto, 'commit', object.body) !== object.oid)
    return refuse('object_corrupt', { oid: object.oid });
  let commit: ParsedCommit;
  try {
    commit = parseCommit(object.body);
  } catch (cause) {
    if (cause instanceof Failure) return refuse(cause.code, { ...cause.facts, oid: object.oid });
    throw cause;
  }
  const claims = parseMessage(commit.message);
  if (claims.is === 'refused') return refuse(claims.code, { ...claims.facts, oid: object.oid });
  return accept({ oid: object.oid, commit, claims: claims.value, signed: signatureIn(crypto, commit) });
}

/**
 * `foreign` is given for a repair only: what history really holds between the valid head and the repair's parent.
 */
export function verifyCommit(
  crypto: Crypto,
  tip: Tip,
  read: ReadCommit,
  blobs: readonly Uint8Array[],
  foreign?: { readonly count: number; readonly tip: string },
): Verdict<VerifiedCommit> {
  const { commit, claims } = read;
  const place = checkPlace(tip, read, foreign);
  if (place.is === 'refused') return place;
  const signer = checkSignature(crypto, tip, read, blobs);
  if (signer.is === 'refused') return signer;
  if (blobs.length !== claims.size - claims.prevSize)
    return refuse('events_missing', { claimed: claims.size - claims.prevSize, found: blobs.length });
  const { tx, project } = claims;
  const advanced = advance(crypto, tip, { tx, blobs, fingerprint: signer.value.key.fingerprint, project });
  if (advanced.is === 'refused') return advanced;
  const next = advanced.value;
  const repair = checkRepair(next.events, claims, foreign);
  if (repair.is === 'refused') return repair;
  if (next.tip.root !== claims.root) return refuse('root_mismatch', { claimed: claims.root, computed: next.tip.root });
  const ledgerId = next.tip.state!.ledger_id;
  if (ledgerId !== claims.ledgerId)
    return refuse('ledger_id_mismatch', { claimed: claims.ledgerId, expected: ledgerId });
  if (next.tree !== commit.tree) return refuse('tree_mismatch', { claimed: commit.tree, computed: next.tree });
  // The trailers have one spelling and every claim in them was compared by now; of the message, only this is left.
  const eventTypes = next.events.map((event) => event.event_type);
  if (!commit.message.startsWith(`${subject(claims, eventTypes)}\n`)) return refuse('subject_mismatch');
  return accept({
    tip: committed(next.tip, read.oid),
    claims,
    events: next.events,
    leaves: next.leaves,
    signer: next.signer,
    atSeconds: commit.author.atSeconds,
  });
}

/** Parent, sizes, roots and cited project head: whether the commit says it stands where it stands. */
function checkPlace(
  tip: Tip,
  { commit, claims }: ReadCommit,
  foreign: { readonly tip: string } | undefined,
): Verdict<undefined> {
  const parent = foreign?.tip ?? tip.oid ?? tip.parent?.head.oid;
  const parents = parent === undefined ? [] : [parent];
  if (commit.parents.length !== parents.length)
    return refuse('commit_parents', { expected: parents.length, found: commit.parents.length });
  if (commit.parents[0] !== parent)
    return refuse('commit_reparented', { expected: parent ?? null, found: commit.parents[0] ?? null });
  if (tip.state !== undefined && claims.ledgerId !== tip.state.ledger_id)
    return refuse('ledger_id_mismatch', { claimed: claims.ledgerId, expected: tip.state.ledger_id });
  if (claims.prevSize !== tip.size)
    return refuse('prev_size_mismatch', { claimed: claims.prevSize, expected: tip.size });
  if (claims.prevRoot !== tip.root)
    return refuse('prev_root_mismatch', { claimed: claims.prevRoot, expected: tip.root });
  const events = claims.size - claims.prevSize;
  if (events < 1 || events > EVENTS_PER_TRANSACTION_MAX)
    return refuse('transaction_size', { events, events_max: EVENTS_PER_TRANSACTION_MAX });
  const cited = checkCited(tip, claims);
  return cited.is === 'refused' ? cited : (genesisFlaw(tip, claims) ?? cited);
}

/**
 * Every commit of a mission names its first one, so that which ledger it belongs to is told by any of them: a mission's id
 * is only what its opening says.
 */
export function genesisFlaw(tip: BareTip, { genesis }: Pick<Claims, 'genesis'>): Refused | undefined {
  const expected = tip.kind === 'project' ? undefined : tip.state === undefined ? GENESIS_SELF : tip.genesis;
  return genesis === expected
    ? undefined
    : refuse('ledger_genesis_mismatch', { claimed: genesis ?? null, expected: expected ?? null });
}

/** A mission may look at a newer project head, never back at an older one: an old roster would be in force again. */
export function checkCited(tip: BareTip, { project }: Pick<Claims, 'project'>): Verdict<undefined> {
  if (tip.kind === 'project') return project === undefined ? accept(undefined) : refuse('project_head_misplaced');
  const before = tip.project;
  if (project === undefined || before === undefined) return refuse('project_head_missing');
  const same = project.size === before.size && project.root === before.root && project.oid === before.oid;
  const ahead = project.size > before.size && tip.state !== undefined;
  return same || ahead
    ? accept(undefined)
    : refuse('project_head_decreased', { cited: project.size, before: before.size });
}

/** Author, roster and signature: who signed the commit, and whether that key might, here. */
export function checkSignature(
  crypto: Crypto,
  tip: Authority,
  read: ReadCommit,
  blobs: readonly Uint8Array[],
): Verdict<RosterEntry> {
  const { commit, claims } = read;
  const roster = rosterFor(tip, blobs);
  if (roster.is === 'refused') return roster;
  const fingerprint = signerNamedBy(read);
  if (fingerprint === undefined) return refuse('author_mismatch', { email: commit.author.email.slice(0, 80) });
  const signer = findSigner(crypto, tip, roster.value, fingerprint, claims.project);
  if (signer.is === 'refused') return signer;
  if (signer.value.member.principal_id !== commit.author.name)
    return refuse('author_mismatch', { author: commit.author.name.slice(0, 80) });
  const digest = rosterDigest(crypto, roster.value);
  if (claims.roster.n !== roster.value.n || claims.roster.digest !== digest)
    return refuse('roster_mismatch', { claimed: claims.roster.n, expected: roster.value.n });
  return checkSignedBy(crypto, read, signer.value);
}

/** Whose key the author's address names. */
export function signerNamedBy({ commit }: ReadCommit): string | undefined {
  return EMAIL.exec(commit.author.email)?.[1];
}

/** Whether that very key signed the commit; whether it might is another question. */
export function checkSignedBy(crypto: Crypto, read: ReadCommit, signer: RosterEntry): Verdict<RosterEntry> {
  const { fingerprint } = signer.key;
  const { signed } = read;
  if (signed instanceof Failure) return refuse(signed.code, { ...signed.facts, fingerprint });
  const key = { ed25519: signer.publicKey.ed25519, fingerprint };
  const flaw = checkSignedDigest(crypto, signed.signature, key, signed.digest);
  return flaw === undefined ? accept(signer) : refuse(flaw, { fingerprint });
}

/** What `checkSignature` will ask Ed25519 about if the commit is as it should be; undefined where that cannot be told. */
export function signatureToExpect(crypto: Crypto, tip: Authority, read: ReadCommit): SignatureToCheck | undefined {
  const roster = rosterInForce(tip, []);
  const keys = roster === undefined ? undefined : keyring(crypto, roster);
  const fingerprint = EMAIL.exec(read.commit.author.email)?.[1] ?? '';
  const entry = keys?.is === 'accepted' ? keys.value.get(fingerprint) : undefined;
  const { signed } = read;
  // What is no signature is told by `checkSignature`, in its turn.
  if (entry === undefined || signed instanceof Failure) return undefined;
  return { publicKey: entry.publicKey.ed25519, message: signed.digest, signature: signed.signature.rs };
}

function signatureIn(crypto: Crypto, { signature: armored, payload }: ParsedCommit): SignatureIn | Failure {
  try {
    const signature = parseSignature(dearmor('SIGNATURE', armored));
    return { signature, digest: signedDigest(crypto, signature, payload) };
  } catch (cause) {
    if (cause instanceof Failure) return cause;
    throw cause;
  }
}

const EMAIL = /^([0-9A-F]{40})@lazarus\.invalid$/;

/** Only a project's very first event brings its own roster; trust in that one comes from its pinned fingerprint. */
function rosterFor(tip: Authority, blobs: readonly Uint8Array[]): Verdict<Roster> {
  const before = rosterInForce(tip, []);
  if (before !== undefined) return accept(before);
  const blob = blobs[0];
  if (blob === undefined) return refuse('events_missing', { claimed: 1, found: 0 });
  const first = decodeOpening(blob);
  if (first.is === 'refused') return refuse(first.code, { index: 0, ...first.facts });
  const roster = rosterInForce(tip, [first.value]);
  return roster === undefined ? refuse('ledger_not_opened', { index: 0 }) : accept(roster);
}

const openings = new WeakMap<Uint8Array, Verdict<Event>>();

/** A project's first event is read for its roster and then as an event: the same value, so that its keys are checked once. */
export function decodeOpening(blob: Uint8Array): Verdict<Event> {
  let event = openings.get(blob);
  if (event === undefined) {
    event = decodeEvent(blob);
    openings.set(blob, event);
  }
  return event;
}

export function checkRepair(
  events: readonly Event[],
  claims: Claims,
  foreign: { readonly count: number; readonly tip: string } | undefined,
): Verdict<undefined> {
  const repair = events.find((event) => event.event_type === 'ledger.repaired');
  if ((repair === undefined) !== (claims.repairs === undefined)) return refuse('repair_mismatch', { what: 'trailer' });
  if (repair === undefined) return accept(undefined);
  if (events.length !== 1) return refuse('repair_not_alone', { events: events.length });
  const { valid_head, foreign_count, foreign_tip } = repair.payload.repair;
  const { repairs, prevSize, prevRoot } = claims;
  if (repairs?.validHead !== valid_head.oid || prevSize !== valid_head.size || prevRoot !== valid_head.root)
    return refuse('repair_wrong_head', { named: valid_head.oid });
  if (
    foreign === undefined ||
    foreign.tip !== foreign_tip ||
    repairs.foreign !== foreign_count ||
    foreign.count !== foreign_count
  )
    return refuse('repair_mismatch', { what: 'foreign commits', named: foreign_count, found: foreign?.count ?? 0 });
  return accept(undefined);
}

/** SHA-256 of an event's bytes: what `prev_event_hash` of the next event of its task cites. */
export function eventDigest(crypto: Crypto, blob: Uint8Array): string {
  return `sha256:${crypto.hashHex('sha256', blob)}`;
}
