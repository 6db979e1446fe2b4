// Under whose authority a newest commit stands, as far as its own tree tells: its tree holds all events, and so every
// roster that its ledger brought or adopted, with the signatures of its roots. Only a mission's very first roster stands
// in its project instead; where that one was just replaced, the commit before may show it.
import { fromUtf8, hex } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { emptyRoot } from '../../format/merkle.ts';
import { checkCause } from '../../kernel/cause/rule.ts';
import type { Event } from '../../kernel/event.ts';
import type { LedgerKind } from '../../kernel/traits.ts';
import { keyring } from '../../kernel/roster/keyring.ts';
import { checkRoster, Roster, rosterDigest } from '../../kernel/roster/roster.ts';
import { mayStandIn } from '../../kernel/roles.ts';
import { NOTHING_MOVED, type State } from '../../kernel/state.ts';
import { checkSigner } from '../../kernel/transition.ts';
import { refuse, type Verdict } from '../../kernel/verdict.ts';
import { foldShown, type ShownEvent } from '../../ledger/bundle-commits.ts';
import { findSigner } from '../../ledger/find-signer.ts';
import type { BareTip } from '../../ledger/tip.ts';
import { checkSignature, checkSignedBy, signerNamedBy, type ReadCommit } from '../../ledger/verify-commit.ts';

/** All that a head's tree holds. */
export type HeadTree = {
  readonly events: readonly ShownEvent[];
  readonly roster: Uint8Array;
  readonly standing: { readonly cut_offs: readonly string[]; readonly sealed: boolean };
};

/** What must follow from the events, and be in the tree. */
export type Authority = { readonly roster: Roster; readonly cut_offs: State['cut_offs']; readonly sealed: boolean };

/** `earlier`: the roster that the commit before holds, where that commit is here. */
export function checkAuthority(
  crypto: Crypto,
  read: ReadCommit,
  tree: HeadTree,
  earlier: Uint8Array | undefined,
): Verdict<Authority> {
  const { prevSize, project, ledgerId, roster: claimed } = read.claims;
  const kind: LedgerKind = project === undefined ? 'project' : 'mission';
  const opening = tree.events[0]?.event;
  if (opening?.event_type !== (kind === 'project' ? 'project.opened' : 'mission.opened'))
    return refuse('ledger_not_opened', { index: 0, event_type: opening?.event_type ?? null });
  const past = tree.events.slice(0, prevSize).map(({ event }) => event);
  const own = tree.events.slice(prevSize);
  if (past.some(({ event_type }) => event_type === 'ledger.sealed')) return refuse('ledger_sealed');
  const ends = own.some(({ event }) => event.event_type === 'ledger.sealed');
  if (tree.standing.sealed && !ends) return refuse('ledger_sealed');
  const said = rosterIn(
    tree.events.map(({ event }) => event),
    prevSize,
  );
  // What the events say is not for a file beside them to contradict.
  const rosters = said === undefined ? [parsed(tree.roster), parsed(earlier)] : [said];
  const before = rosters.find((one) => one !== undefined && rosterDigest(crypto, one) === claimed.digest);
  if (said !== undefined && before === undefined)
    return refuse('roster_mismatch', { claimed: claimed.n, expected: said.n });
  const cutOffs = cutOffsBefore(tree, past, own);
  const state = before && stateWith(before, { kind, ledgerId, opening, cutOffs });
  const standing: BareTip = {
    kind,
    oid: undefined,
    size: prevSize,
    root: hex(emptyRoot(crypto)),
    state,
    genesis: undefined,
    // Which head was cited before, this commit does not say: a threshold may be as old as the project.
    project: project && { ...project, size: 0 },
    parent: undefined,
  };
  const ids = past.map(({ event_id }) => event_id);
  const after =
    state === undefined
      ? withoutTheRosterBefore(crypto, read, standing, { own, earlier: ids, kind, ledgerId, opening, cutOffs })
      : withTheRosterBefore(crypto, read, standing, { own, earlier: ids, opening, state });
  return after;
}

type Own = {
  readonly own: readonly ShownEvent[];
  readonly opening: Event;
  /** The ids of the events before the transaction: what is not among them never was. */
  readonly earlier: readonly string[];
};

function withTheRosterBefore(
  crypto: Crypto,
  read: ReadCommit,
  standing: BareTip,
  { own, opening, earlier, state }: Own & { readonly state: State },
): Verdict<State> {
  const { claims } = read;
  const signer = checkSignature(crypto, { ...standing, state }, read, []);
  if (signer.is === 'refused') return signer;
  if (claims.prevSize > 0) return foldShown(crypto, standing, own, signer.value, claims, earlier);
  // Of a project, the first event says it all; a mission's rests on a commit of its project.
  if (standing.kind === 'project')
    return foldShown(crypto, { ...standing, state: undefined }, own, signer.value, claims, []);
  const allowed = checkSigner(opening, signer.value.member, state.roster);
  const caused = allowed.is === 'refused' ? allowed : checkCause(opening, { nameable: new Set() });
  if (caused.is === 'refused') return refuse(caused.code, { index: 0, ...caused.facts });
  if (opening.event_type !== 'mission.opened') return refuse('ledger_not_opened', { index: 0 });
  const { grew_from, project_id } = opening.payload;
  if (grew_from.oid !== claims.project?.oid || grew_from.size !== claims.project.size)
    return refuse('mission_parent_mismatch', { index: 0, named: grew_from.oid });
  if (project_id !== state.roster.project_id) return refuse('mission_other_project', { index: 0, project: project_id });
  return foldShown(crypto, standing, own.slice(1), signer.value, claims, [opening.event_id]);
}

/**
 * A mission's first change of its roster. The new one names the old one by its digest, and knows the signer's key, unless
 * the signer is who left: then nothing here can check the signature.
 */
function withoutTheRosterBefore(
  crypto: Crypto,
  read: ReadCommit,
  standing: BareTip,
  { own, earlier, kind, ledgerId, opening, cutOffs }: Own & Stood,
): Verdict<State> {
  const { claims, commit } = read;
  const at = own.findIndex(({ event }) => event.event_type === 'roster.adopted');
  const change = own[at]?.event;
  if (kind === 'project' || change?.event_type !== 'roster.adopted')
    return refuse('roster_mismatch', { claimed: claims.roster.n });
  const { roster, from } = change.payload;
  if (roster.prev !== claims.roster.digest) return refuse('roster_not_successor', { expected: claims.roster.digest });
  if (roster.n !== claims.roster.n + 1)
    return refuse('roster_replayed', { expected: claims.roster.n + 1, found: roster.n });
  if (from.index >= claims.project!.size) return refuse('adoption_not_of_project', { at: from.index });
  const state = stateWith(roster, { kind, ledgerId, opening, cutOffs });
  const sound = checkRoster(crypto, roster, (key) => cutOffs.some(({ fingerprint }) => fingerprint === key));
  if (sound.is === 'refused') return sound;
  for (const { event, index } of own.slice(0, at))
    if (!mayStandIn(event.event_type, kind))
      return refuse('event_type_misplaced', { index, event_type: event.event_type, ledger: kind });
  const keys = keyring(crypto, roster);
  const fingerprint = signerNamedBy(read);
  const entry = keys.is === 'accepted' ? keys.value.get(fingerprint ?? '') : undefined;
  if (entry?.member.principal_id !== commit.author.name)
    return refuse('head_needs_history', { roster_claimed: claims.roster.n, roster_here: roster.n });
  const signed = checkSignedBy(crypto, read, entry);
  if (signed.is === 'refused') return signed;
  const rest = own.slice(at + 1);
  const next = rest[0]?.event.event_type ?? 'roster.adopted';
  if (next !== 'roster.adopted' && next !== 'cut_off.adopted') {
    // Whoever is leaving may bring the change in, and nothing behind it but further ones.
    const now = findSigner(crypto, { ...standing, state }, roster, entry.key.fingerprint, claims.project);
    if (now.is === 'refused') return refuse(now.code, { index: rest[0]!.index, ...now.facts });
  }
  return foldShown(crypto, { ...standing, state }, rest, entry, claims, [
    ...earlier,
    ...own.slice(0, at + 1).map(({ event }) => event.event_id),
  ]);
}

/** The roster that the events before an index leave in force; undefined in a mission that has only its first one. */
function rosterIn(events: readonly Event[], prevSize: number): Roster | undefined {
  // A project's first transaction is judged by the roster that it brings.
  for (const event of events.slice(0, Math.max(1, prevSize)).reverse()) {
    const { event_type } = event;
    if (event_type === 'project.opened' || event_type === 'roster.updated' || event_type === 'roster.adopted')
      return event.payload.roster;
  }
  return undefined;
}

/** The tree's standing is that behind the transaction: whom it cuts off might still sign it. */
function cutOffsBefore({ standing }: HeadTree, past: readonly Event[], own: readonly ShownEvent[]): State['cut_offs'] {
  const now = new Set(own.flatMap(({ event }) => cutOffBy(event) ?? []));
  const known = past.flatMap((event) => cutOffBy(event) ?? []);
  const before = new Set([...standing.cut_offs.filter((fingerprint) => !now.has(fingerprint)), ...known]);
  return [...before].map((fingerprint) => ({ fingerprint, heads: [], project_id: '', roster: '' }));
}

function cutOffBy(event: Event): string | undefined {
  return event.event_type === 'key.cut_off' || event.event_type === 'cut_off.adopted'
    ? event.payload.cut_off.fingerprint
    : undefined;
}

type Stood = {
  readonly kind: LedgerKind;
  readonly ledgerId: string;
  readonly opening: Event;
  readonly cutOffs: State['cut_offs'];
};

/** As much of a state as the rules on keys ask for. */
function stateWith(roster: Roster, { kind, ledgerId, opening, cutOffs }: Stood): State {
  const common = {
    causes: NOTHING_MOVED,
    ledger_id: ledgerId,
    project_id: roster.project_id,
    project_genesis: '',
    roster,
    cut_offs: cutOffs,
    annotations: [],
    sealed: false,
  };
  if (kind === 'project' || opening.event_type !== 'mission.opened')
    return { ...common, kind: 'project', halt: null, missions: {} };
  const { grew_from, proposal } = opening.payload;
  const artifacts = { recorded: 0, erased: 0 };
  return { ...common, kind: 'mission', grew_from, proposal, tasks: {}, notes: 0, artifacts };
}

function parsed(body: Uint8Array | undefined): Roster | undefined {
  try {
    return body && Roster.parse(JSON.parse(fromUtf8(body)));
  } catch {
    return undefined;
  }
}
