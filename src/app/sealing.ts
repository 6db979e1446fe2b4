// From a rule's answer to a signed transaction on a tip: who speaks, what a mission must adopt first, what is drawn once.
// Knows no repository and no race.
import type { Crypto } from '../format/crypto.ts';
import type { GitObject } from '../format/git/object.ts';
import type { EventDraft } from '../kernel/draft.ts';
import type { Event } from '../kernel/event.ts';
import { isStopped } from '../kernel/stops.ts';
import { checkClaimed } from '../kernel/claimed.ts';
import type { Member } from '../kernel/roster/roster.ts';
import type { State } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { accept, refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import { findSigner, rosterInForce } from '../ledger/find-signer.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import { prepareTransaction, type Prepared, type Sealed } from '../ledger/transaction.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Signer } from '../ports/keys.ts';
import type { RefUpdate } from '../ports/repository.ts';
import { adoptions, underProject, type ProjectView, type NextTransaction } from './adoption.ts';
import { completeAll, type Drawn } from './draft.ts';
import type { LandedTransaction } from './tip-source.ts';

/** A rule applied to the state at hand; asked again after every lost race. */
export type Decide = (
  state: State | undefined,
  at: {
    readonly head: TreeHead | undefined;
    /** Whether the mission takes something over from its project in this transaction; `state` is the one after that. */
    readonly adopts: boolean;
  },
) => Verdict<readonly EventDraft[]>;

export type Submission = {
  readonly decide: Decide;
  /** Further references that move in the same push, such as the artifact an event names. */
  readonly along?: () => Promise<{ readonly objects: readonly GitObject[]; readonly updates: readonly RefUpdate[] }>;
};

export type Author = {
  readonly crypto: Crypto;
  readonly ids: Ids;
  /** Asked for where a rule has agreed: a key may want a passphrase. */
  readonly signer: () => Promise<Signer>;
  /** For missions, the verified project ledger they grow from and cite. */
  readonly project: ProjectView | undefined;
  /** The mission's project is somewhere and was not looked at: whether it was stopped is not known. */
  readonly isProjectUnread?: boolean;
};

/** What one submission draws, once: a retry after a lost race writes the very same bytes again. */
export type Drawing = {
  readonly tx: string;
  readonly correlation: string;
  readonly ids: string[];
  readonly atSeconds: number;
};

export function draw(ids: Ids, clock: Clock): Drawing {
  return { tx: ids.next(), correlation: ids.next(), ids: [], atSeconds: clock.nowSeconds() };
}

export type SealedGroup<Waiting> = {
  readonly sealed: readonly { readonly waiting: Waiting; readonly landed: LandedTransaction }[];
  /** Final: decided on the ledger as it is, not on what goes before in the same group and may never land. */
  readonly refused: readonly { readonly waiting: Waiting; readonly verdict: Refused; readonly isFinal: boolean }[];
  readonly objects: readonly GitObject[];
  readonly updates: readonly RefUpdate[];
  readonly next: Tip;
  /** What was sealed, one after the other. */
  readonly steps: readonly NextTransaction[];
};

/** One transaction for each submission, each on top of the one before. */
export async function sealGroup<Waiting extends { readonly submission: Submission; readonly drawn: Drawing }>(
  author: Author,
  from: Tip,
  open: readonly Waiting[],
): Promise<SealedGroup<Waiting>> {
  const sealed: SealedGroup<Waiting>['sealed'][number][] = [];
  const refused: SealedGroup<Waiting>['refused'][number][] = [];
  const objects: GitObject[] = [];
  const updates: RefUpdate[] = [];
  const steps: NextTransaction[] = [];
  let next = from;
  for (const waiting of open) {
    const { submission, drawn } = waiting;
    const verdict = await seal(author, next, submission.decide, drawn);
    if (verdict.is === 'refused') {
      refused.push({ waiting, verdict, isFinal: sealed.length === 0 });
      continue;
    }
    const along = await submission.along?.();
    objects.push(...verdict.value.objects, ...(along?.objects ?? []));
    updates.push(...(along?.updates ?? []));
    const before = next.size;
    next = verdict.value.tip;
    steps.push(verdict.value);
    sealed.push({ waiting, landed: { head: headOf(next), from: before, tx: drawn.tx } });
  }
  return { sealed, refused, objects, updates, next, steps };
}

/** Whatever can refuse has done so before anything is signed. */
export async function seal(author: Author, tip: Tip, decide: Decide, drawing: Drawing): Promise<Verdict<Sealed>> {
  const { crypto, project } = author;
  const adopting = project === undefined || tip.state?.kind !== 'mission' ? undefined : { state: tip.state, project };
  const adopted = adopting === undefined ? [] : adoptions(adopting.state, adopting.project);
  const state = adopting === undefined ? tip.state : underProject(adopting.state, adopting.project);
  const head = tip.oid === undefined ? undefined : headOf(tip);
  const decided = decide(state, { head, adopts: adopted.length > 0 });
  if (decided.is === 'refused') return decided;
  const drafts = adopted.length === 0 ? decided.value : [...adopted, ...decided.value];
  const signer = await author.signer();
  const { fingerprint } = signer;
  const cited = project?.newest(tip.project) ?? tip.project;
  const actor = actorOf(crypto, tip, { drafts, fingerprint, cited });
  if ('is' in actor) return actor;
  const gone =
    project === undefined || adopted.length === 0 || decided.value.length === 0
      ? undefined
      : refuseGone(crypto, project, fingerprint);
  if (gone !== undefined) return gone;
  const events = completeAll(drafts, actor, drawnOf(author, drawing), tip.state);
  const stopped = refuseStopped(author, tip, events);
  if (stopped !== undefined) return stopped;
  const { tx, atSeconds } = drawing;
  const prepared = prepareTransaction(crypto, tip, { tx, events, fingerprint, atSeconds, project: cited });
  if (prepared.is === 'refused') return prepared;
  const unheld = project === undefined ? undefined : refuseUnclaimed(project, prepared.value);
  if (unheld !== undefined) return unheld;
  return accept(prepared.value.finish(await signer.sign(prepared.value.payload, atSeconds)));
}

/**
 * No writer of ours begins anything in a mission of a project that it knows to be stopped, by whichever way it came here.
 * The newest project that could be had: who acts under an older one is found by whoever knows both.
 */
function refuseStopped({ project, isProjectUnread }: Author, tip: Tip, events: readonly Event[]): Refused | undefined {
  const stopped = events.find(isStopped);
  if (stopped === undefined) return undefined;
  // The mission's own commits do not tell whether its project was stopped meanwhile: the project does.
  if (isProjectUnread === true) return refuse('cold_needs_history', { ledger: tip.state!.ledger_id });
  const state = project?.tip.state;
  return state?.kind === 'project' && state.halt !== null
    ? refuse('project_halted', { event_type: stopped.event_type })
    : undefined;
}

/** Nor runs an agent or causes an effect on paths that the project does not hold for the mission. */
function refuseUnclaimed({ tip }: ProjectView, { events, state: mission }: Prepared): Refused | undefined {
  const { state } = tip;
  if (state?.kind !== 'project' || mission.kind !== 'mission') return undefined;
  const claims = state.missions[mission.ledger_id]?.claims;
  for (const event of events) {
    const refused = checkClaimed(event, mission, claims);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** The member who signs; a project's first event brings the roster that says so. */
function actorOf(
  crypto: Crypto,
  tip: Tip,
  {
    drafts: [first],
    fingerprint,
    cited,
  }: { readonly drafts: readonly EventDraft[]; readonly fingerprint: string; readonly cited: TreeHead | undefined },
): Member | Refused {
  const brought = first?.event_type === 'project.opened' ? first.payload.roster : undefined;
  const roster = rosterInForce(tip, []) ?? brought;
  if (roster === undefined) return refuse('ledger_not_opened');
  const found = findSigner(crypto, tip, roster, fingerprint, cited);
  return found.is === 'refused' ? found : found.value.member;
}

/** Who is judged by the old roster may bring the new one along, but nothing more if it no longer knows the key. */
function refuseGone(crypto: Crypto, { tip }: ProjectView, fingerprint: string): Refused | undefined {
  const found = findSigner(crypto, tip, tip.state!.roster, fingerprint, undefined);
  return found.is === 'refused' ? found : undefined;
}

function drawnOf({ ids: source }: Author, { ids, correlation, atSeconds }: Drawing): Drawn {
  return {
    id: (position) => (ids[position] ??= source.next()),
    correlation,
    occurredAt: new Date(atSeconds * 1000).toISOString(),
  };
}
