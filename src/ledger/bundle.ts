// Checking a proof bundle: from the project's first event to the newest tree head, with no repository, no network and no
// trust in whoever made it. Integrity (does it prove what it claims?) is the verdict; trust (may one rely on the
// signers?) is a word inside the report.
import { emptyRoot } from '../format/merkle.ts';
import { hex } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import type { Event } from '../kernel/event.ts';
import type { Adoption } from '../kernel/mission/events.ts';
import type { CutOffDocument } from '../kernel/project/events.ts';
import { RECENT_TRANSACTIONS } from '../kernel/limits.ts';
import type { LedgerKind } from '../kernel/traits.ts';
import type { State } from '../kernel/state.ts';
import { missionName, type TreeHead } from '../kernel/values.ts';
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import { decodeBundle, type Bundle, type Cosignature, type ShownCommit } from './bundle-format.ts';
import { checkCommit, type CheckedCommit } from './bundle-commits.ts';
import { checkCosignature } from './cosignature.ts';
import { emptyProject, headOf, type BareTip } from './tip.ts';
import type { Claims } from './trailers.ts';
import { judgedEvents, SignerRuns, trustOf, type Trust } from './trust.ts';
import { eventDigest } from './verify-commit.ts';

/** What the checker knows from elsewhere. */
export type Known = {
  /** The project genesis fingerprint, `sha256:…`, as somebody trusted gave it. */
  readonly genesis?: string | undefined;
  /** A project ledger that the checker has verified itself. */
  readonly project?: KnownProject | undefined;
};

export type KnownProject = {
  readonly genesis: string;
  readonly cutOffs: readonly CutOffDocument[];
  knows(head: TreeHead): boolean;
  /** Refuses a head that is not of this project, or one with a newer roster than number `roster`. */
  check(head: TreeHead, roster: number): Refused | undefined;
  /** Refuses an adoption of what is not the project's event at that place. */
  checkAdopted(adoption: Adoption): Refused | undefined;
  /** Refuses another first commit than the one a mission was registered with. */
  checkGenesis(missionId: string, genesis: string): Refused | undefined;
  /** Heads of a ledger that the project vouches for. */
  recordedHeads(ledgerId: string): readonly TreeHead[];
};

type SignedHead = TreeHead & { readonly signer: Signer; readonly roster: number; readonly at_seconds: number };
type Signer = { readonly fingerprint: string; readonly principal_id: string };

export type BundleReport = {
  readonly ledger: { readonly id: string; readonly kind: LedgerKind; readonly name: string };
  readonly claim:
    | {
        readonly is: 'event';
        readonly index: number;
        readonly digest: string;
        readonly event: Event;
        readonly tx: string;
        readonly carried_by: SignedHead;
      }
    | { readonly is: 'continuation'; readonly old: SignedHead };
  /** The newest head shown: what was proved is true of this ledger, at this size. */
  readonly head: SignedHead;
  /** The project head that all of it was judged under. Who was cut off after it cannot be known from the bundle. */
  readonly judged_under: TreeHead;
  readonly cosigned_by: readonly {
    readonly fingerprint: string;
    readonly principal_id: string;
    readonly size: number;
  }[];
  readonly trust: Trust;
};

/** What no bundle can show; a report says so, so that nobody takes it for more than it is. */
export const NOT_SHOWN: readonly string[] = [
  'whether what happened was legal in the state of its task or mission: that takes the events before it',
  'whether the Git trees hold what the roots say: that takes the trees',
  'whether a newer head, roster or cut-off exists: that takes a newer ledger',
];

/** Where the newest commit shown leaves the ledger, and every key that any of its rosters had on the way. */
export type Proven = { readonly tip: BareTip; readonly keys: ReadonlySet<string> };

/** The keys that count at a ledger's head, by the roster chain from a genesis that is known from elsewhere. */
export function proveKeys(crypto: Crypto, bytes: Uint8Array, known: Required<Pick<Known, 'genesis'>>): Verdict<Proven> {
  const bundle = decodeBundle(bytes);
  if (bundle.is === 'refused') return bundle;
  const commits = chains(crypto, bundle.value, known);
  if (commits.is === 'refused') return commits;
  const all = [...commits.value.project, ...commits.value.ledger];
  const keys = all.flatMap(({ after }) => after.state!.roster.members.flatMap((member) => member.keys));
  return accept({ tip: all.at(-1)!.after, keys: new Set(keys.map(({ fingerprint }) => fingerprint)) });
}

type Chains = { readonly project: readonly CheckedCommit[]; readonly ledger: CheckedCommit[] };

function chains(crypto: Crypto, { project, ledger }: Bundle, known: Known): Verdict<Chains> {
  const start = emptyProject(crypto);
  const before = chain(crypto, start, project, known);
  if (before.is === 'refused') return before;
  const parent = before.value.at(-1)?.after;
  const commits = chain(crypto, parent === undefined ? start : beginMission(crypto, parent), ledger, known);
  return commits.is === 'refused' ? commits : accept({ project: before.value, ledger: commits.value });
}

export function checkBundle(crypto: Crypto, bytes: Uint8Array, known: Known = {}): Verdict<BundleReport> {
  const bundle = decodeBundle(bytes);
  if (bundle.is === 'refused') return bundle;
  const both = chains(crypto, bundle.value, known);
  if (both.is === 'refused') return both;
  const commits = both.value.ledger;
  const last = commits.at(-1)!;
  const state = last.after.state!;
  const claim = prove(crypto, bundle.value, commits);
  if (claim.is === 'refused') return claim;
  const cosigned = checkCosignatures(crypto, bundle.value.cosignatures, commits);
  if (cosigned.is === 'refused') return cosigned;
  return accept({
    ledger: {
      id: state.ledger_id,
      kind: state.kind,
      name: state.kind === 'project' ? 'project' : missionName(state.ledger_id),
    },
    claim: claim.value,
    head: signedHead(last),
    judged_under: last.after.project ?? headOf(last.after),
    cosigned_by: cosigned.value,
    trust: judge(state, commits, known),
  });
}

/** Every commit in order, each from where the one before it left the ledger. */
function chain(crypto: Crypto, from: BareTip, commits: readonly ShownCommit[], known: Known): Verdict<CheckedCommit[]> {
  const checked: CheckedCommit[] = [];
  const transactions = new Map<string, number>();
  let countMax = 0;
  let at = from;
  for (const commit of commits) {
    const next = checkCommit(crypto, at, commit);
    if (next.is === 'refused') return refuse(next.code, { ...next.facts, ledger: from.kind });
    const { claims, after } = next.value;
    countMax += claims.prevSize - at.size;
    const flaw = newsFlaw(next.value, known) ?? repeated(claims, transactions, countMax);
    if (flaw !== undefined) return refuse(flaw.code, { ...flaw.facts, ledger: from.kind });
    countMax += 1;
    transactions.set(claims.tx, countMax);
    checked.push(next.value);
    at = after;
  }
  return accept(checked);
}

/**
 * A ledger forbids an id among the last 256 transactions, and so may a proof: it does not tell how many transactions lie
 * between two commits, only that each of them has an event. Refused is what no number of them would allow.
 */
function repeated(
  { tx, prevSize }: Claims,
  transactions: ReadonlyMap<string, number>,
  countMax: number,
): Refused | undefined {
  const before = transactions.get(tx);
  if (before === undefined || countMax - before >= RECENT_TRANSACTIONS) return undefined;
  return refuse('transaction_duplicate', { index: prevSize, tx });
}

/** What a commit may contradict: the pinned genesis, or the checker's own project ledger. */
function newsFlaw(commit: CheckedCommit, { genesis, project }: Known): Refused | undefined {
  const { claims, after } = commit;
  const index = claims.prevSize;
  const { project_genesis: found, ledger_id } = after.state!;
  for (const expected of [genesis, project?.genesis])
    if (expected !== undefined && expected !== found) return refuse('genesis_mismatch', { expected, found });
  if (project === undefined) return undefined;
  const begun = after.genesis === undefined ? undefined : project.checkGenesis(ledger_id, after.genesis);
  if (begun !== undefined) return refuse(begun.code, { index: 0, ...begun.facts });
  const flaw =
    project.check(after.project ?? headOf(after), after.state!.roster.n) ??
    notAdopted(commit, project) ??
    forked(after, project);
  return flaw === undefined ? undefined : refuse(flaw.code, { index, ...flaw.facts });
}

function notAdopted({ events }: CheckedCommit, project: KnownProject): Refused | undefined {
  for (const { event, index } of events) {
    const isAdoption = event.event_type === 'roster.adopted' || event.event_type === 'cut_off.adopted';
    const refused = isAdoption ? project.checkAdopted(event.payload) : undefined;
    if (refused !== undefined) return refuse(refused.code, { index, ...refused.facts });
  }
  return undefined;
}

/** Of the heads that the project vouches for, those at the size that is shown. An older proof may end before them. */
function forked(after: BareTip, project: KnownProject): Refused | undefined {
  const other = project
    .recordedHeads(after.state!.ledger_id)
    .find(({ size, root, oid }) => size === after.size && (root !== after.root || oid !== after.oid));
  return other && refuse('fork_detected', { recorded_size: other.size, recorded: other.oid, found: after.oid ?? null });
}

function beginMission(crypto: Crypto, project: BareTip): BareTip {
  const head = headOf(project);
  if (project.state?.kind !== 'project') throw new TypeError('a mission grows out of a project ledger');
  const root = hex(emptyRoot(crypto));
  return {
    kind: 'mission',
    oid: undefined,
    size: 0,
    root,
    state: undefined,
    genesis: undefined,
    project: head,
    parent: { head, state: project.state },
  };
}

function prove(crypto: Crypto, { claim }: Bundle, commits: readonly CheckedCommit[]): Verdict<BundleReport['claim']> {
  if (claim.is === 'continuation') {
    const old = commits.find(({ after }) => after.size === claim.old_size);
    return old === undefined
      ? refuse('bundle_incomplete', { old_size: claim.old_size })
      : accept({ is: 'continuation', old: signedHead(old) });
  }
  const { index } = claim;
  for (const commit of commits) {
    const shown = commit.events.find((event) => event.index === index);
    if (shown === undefined) continue;
    const { event, bytes } = shown;
    const digest = eventDigest(crypto, bytes);
    return accept({ is: 'event', index, digest, event, tx: commit.claims.tx, carried_by: signedHead(commit) });
  }
  return refuse('bundle_incomplete', { index });
}

function checkCosignatures(
  crypto: Crypto,
  cosignatures: readonly Cosignature[],
  commits: readonly CheckedCommit[],
): Verdict<BundleReport['cosigned_by']> {
  const now = commits.at(-1)!.after;
  const signed: { fingerprint: string; principal_id: string; size: number }[] = [];
  for (const cosignature of cosignatures) {
    const { fingerprint, size, root } = cosignature;
    if (fingerprint <= (signed.at(-1)?.fingerprint ?? ''))
      return refuse('bundle_malformed', { at: 'cosignatures', why: 'order' });
    const by = checkCosignature(crypto, now, cosignature);
    if (by.is === 'refused') return by;
    const head = commits.find(({ after }) => after.size === size);
    if (head === undefined) return refuse('bundle_incomplete', { cosigned_size: size });
    // Two roots at one size, both signed: somebody shows different people different ledgers.
    if (head.after.root !== root) return refuse('fork_detected', { cosigned_size: size, by: fingerprint });
    signed.push({ fingerprint, principal_id: by.value, size });
  }
  return accept(signed);
}

function judge(state: State, commits: readonly CheckedCommit[], { genesis, project }: Known): Trust {
  const runs = new SignerRuns();
  for (const { claims, signer } of commits) runs.add(signer.key.fingerprint, claims.prevSize, claims.size);
  const later = project?.cutOffs ?? [];
  const adopted = state.cut_offs.filter((own) => !later.some((other) => other.fingerprint === own.fingerprint));
  const newest = commits.at(-1)!.after;
  const projectSeen = project?.knows(newest.project ?? headOf(newest)) ?? false;
  const judged = judgedEvents(state, [...later, ...adopted], runs);
  return trustOf(state, judged, { genesisConfirmed: genesis !== undefined, projectSeen });
}

function signedHead({ after, claims, signer, atSeconds }: CheckedCommit): SignedHead {
  const { fingerprint } = signer.key;
  const by = { fingerprint, principal_id: signer.member.principal_id };
  return { ...headOf(after), signer: by, roster: claims.roster.n, at_seconds: atSeconds };
}
