// From a rule's answer to a signed transaction on a tip: who speaks, what a mission must adopt first, what is drawn once.
// Knows no repository and no race.
import type { Crypto } from '../format/crypto.ts';
import type { GitObject } from '../format/git/object.ts';
import type { EventDraft } from '../kernel/draft.ts';
import type { Event } from '../kernel/event.ts';
import { isStopped } from '../kernel/stops.ts';
import { checkHeld } from '../kernel/held.ts';
import type { Member } from '../kernel/roster/roster.ts';
import type { State } from '../kernel/state.ts';
import type { TreeHead } from '../kernel/values.ts';
import { refuse, type Refused, type Verdict } from '../kernel/verdict.ts';
import { findSigner, rosterInForce } from '../ledger/find-signer.ts';
import { headOf, type Tip } from '../ledger/tip.ts';
import { prepareTransaction, type Sealed } from '../ledger/transaction.ts';
import type { Ids } from '../ports/ids.ts';
import type { Signer } from '../ports/keys.ts';
import type { RefUpdate } from '../ports/repository.ts';
import { adoptions, type ProjectView, type Step } from './adoption.ts';
import { completeAll, type Drawn } from './draft.ts';
import type { LandedTransaction } from './follower.ts';

/** A rule applied to the state at hand; asked again after every lost race. */
export type Decide = (
  state: State | undefined,
  at: { readonly head: TreeHead | undefined },
) => Verdict<readonly EventDraft[]>;

export type Submission = {
  readonly decide: Decide;
  /** Further references that move in the same push, such as the artifact an event names. */
  readonly along?: () => Promise<{ readonly objects: readonly GitObject[]; readonly updates: readonly RefUpdate[] }>;
};

export type Author = {
  readonly crypto: Crypto;
  readonly ids: Ids;
  readonly signer: Signer;
  /** For missions, the verified project ledger they grow from and cite. */
  readonly project: ProjectView | undefined;
};

/** What one submission draws, once: a retry after a lost race writes the very same bytes again. */
export type Drawing = {
  readonly tx: string;
  readonly correlation: string;
  readonly ids: string[];
  readonly atSeconds: number;
};

export type SealedGroup<Waiting> = {
  readonly sealed: readonly { readonly waiting: Waiting; readonly landed: LandedTransaction }[];
  /** Final: decided on the ledger as it is, not on what goes before in the same group and may never land. */
  readonly refused: readonly { readonly waiting: Waiting; readonly verdict: Refused; readonly isFinal: boolean }[];
  readonly objects: readonly GitObject[];
  readonly updates: readonly RefUpdate[];
  readonly next: Tip;
  /** What was sealed, one after the other. */
  readonly steps: readonly Step[];
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
  const steps: Step[] = [];
  let next = from;
  for (const waiting of open) {
    const { submission, drawn } = waiting;
    const verdict = await sealOne(author, next, submission.decide, drawn);
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

export async function sealOne(author: Author, tip: Tip, decide: Decide, drawing: Drawing): Promise<Verdict<Sealed>> {
  const { crypto, signer, project } = author;
  const decided = decide(tip.state, { head: tip.oid === undefined ? undefined : headOf(tip) });
  if (decided.is === 'refused') return decided;
  const adopted = project === undefined || tip.state?.kind !== 'mission' ? [] : adoptions(tip.state, project);
  const drafts = adopted.length === 0 ? decided.value : [...adopted, ...decided.value];
  const actor = actorOf(author, tip, drafts);
  if ('is' in actor) return actor;
  const gone = adopted.length > 0 && decided.value.length > 0 ? refuseGone(author) : undefined;
  if (gone !== undefined) return gone;
  const drawn = drawnOf(author, drawing);
  const events = completeAll(drafts, actor, drawn, tip.state);
  const { tx, atSeconds } = drawing;
  const { fingerprint } = signer;
  const cited = project === undefined ? {} : { project: project.newest(tip.project) };
  // The newest project that could be had: who acts under an older one is found by whoever knows both.
  const stopped = project === undefined ? undefined : refuseStopped(project, events);
  if (stopped !== undefined) return stopped;
  const prepared = prepareTransaction(crypto, tip, { tx, events, fingerprint, atSeconds, ...cited });
  if (prepared.is === 'refused') return prepared;
  const sealed = prepared.value.finish(await signer.sign(prepared.value.payload, atSeconds));
  const unheld = project === undefined ? undefined : refuseUnheld(project, sealed);
  return unheld ?? { is: 'accepted', value: sealed };
}

/** No writer of ours begins anything in a mission of a project that it knows to be stopped, by whichever way it came here. */
export function refuseStopped({ tip: { state } }: ProjectView, events: readonly Event[]): Refused | undefined {
  const stopped = state?.kind === 'project' && state.halt !== null ? events.find(isStopped) : undefined;
  return stopped === undefined ? undefined : refuse('project_halted', { event_type: stopped.event_type });
}

/** Nor runs an agent or causes an effect on paths that the project does not hold for the mission. */
export function refuseUnheld({ tip: { state } }: ProjectView, { events, tip }: Sealed): Refused | undefined {
  const mission = tip.state;
  if (state?.kind !== 'project' || mission?.kind !== 'mission') return undefined;
  const held = state.missions[mission.ledger_id]?.claims;
  for (const event of events) {
    const refused = checkHeld(event, mission, held);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** The member who signs; a project's first event brings the roster that says so. */
function actorOf({ crypto, signer, project }: Author, tip: Tip, drafts: readonly EventDraft[]): Member | Refused {
  const first = drafts[0];
  const brought = first?.event_type === 'project.opened' ? first.payload.roster : undefined;
  const roster = rosterInForce(tip, []) ?? brought;
  if (roster === undefined) return refuse('ledger_not_opened');
  const found = findSigner(crypto, tip, roster, signer.fingerprint, project?.newest(tip.project));
  return found.is === 'refused' ? found : found.value.member;
}

/** Who is judged by the old roster may bring the new one along, but nothing more if it no longer knows the key. */
function refuseGone({ crypto, signer, project }: Author): Refused | undefined {
  if (project === undefined) return undefined;
  const { tip } = project;
  const found = findSigner(crypto, tip, tip.state!.roster, signer.fingerprint, undefined);
  return found.is === 'refused' ? found : undefined;
}

function drawnOf({ ids: source }: Author, { ids, correlation, atSeconds }: Drawing): Drawn {
  return {
    id: (position) => (ids[position] ??= source.next()),
    correlation,
    occurredAt: new Date(atSeconds * 1000).toISOString(),
  };
}
