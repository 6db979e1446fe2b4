// What people see of a mission, computed from its verified events and the documents they name: the status comment, the
// command line and the job summary show this and nothing else. Never read back.
import { courseOf } from '../../kernel/course/steps.ts';
import { Failure } from '../../failure.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import { REASONS, type ReasonCode } from '../../reasons.ts';
import { nextBecause } from '../../forge-text/next-turn.ts';
import type { EffectKind } from '../../kernel/course/classes.ts';
import { agentReach } from '../../kernel/policy/reach.ts';
import { toldBesides } from '../../kernel/proposal/brief-of.ts';
import { CANCELLED, mayTryAgain } from '../../kernel/attempt/blame.ts';
import { isPerson } from '../../kernel/roster/roster.ts';
import { peopleWhoRead } from '../../kernel/roster/people.ts';
import type { Course } from '../../kernel/course/course.ts';
import { agentWords, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { Due } from '../../kernel/decide/due.ts';
import { missionStatus } from '../../kernel/mission/status.ts';
import type { MissionState, ProjectState } from '../../kernel/state.ts';
import { missionName, type TreeHead } from '../../kernel/values.ts';
import type { Documents } from './documents.ts';
import { isDisowned } from './disowned.ts';
import { lateWorkOf } from './late-work.ts';
import { attemptView } from './status-attempt.ts';
import { changedSince, driftOf } from './status-moved.ts';
import { askedView, heldView, saidView } from './status-asked.ts';
import { proposedBy, votesOf } from './status-votes.ts';
import type { Told } from './told.ts';
import { pathHolder } from './waiting.ts';
import { dueNow, projectState, type MissionWorld } from './world.ts';

export type Shown = {
  readonly home: string;
  readonly custody: StatusView['custody'];
  readonly run: StatusView['run'];
  /** Why whoever looked just now could not go on with it. */
  readonly stuck?: ReasonCode | undefined;
};

/** A mission at one verified head, and what its events up to there came to. */
export type At = {
  readonly ref: string;
  readonly state: MissionState;
  readonly head: TreeHead;
  readonly told: Told;
  readonly documents: Documents;
};

export async function statusView(
  world: MissionWorld,
  { ref, state, head, told, documents }: At,
  { stuck, ...shown }: Shown,
): Promise<StatusView> {
  const due = dueNow(world, state);
  const course = courseOf(state);
  const { plan: document, proposal } = documents;
  const status = missionStatus(state);
  const isBlocked = await isDisowned(world, ref, state);
  return {
    ...shown,
    mission: missionName(state.ledger_id),
    seq: head.size,
    head: head.oid,
    state: isBlocked
      ? 'blocked'
      : isDenied(course) && course?.cancelled === null
        ? 'invalid'
        : status === 'opened'
          ? 'proposed'
          : status,
    because: isBlocked ? because('mission_disowned', state, shown) : becauseOf(state, shown, due, stuck),
    stopped: (course?.end ?? null) === null ? stoppedView(projectState(world)) : null,
    cancelled: saidView(state, course?.cancelled ?? null),
    held: heldView(state),
    waitsFor: pathHolder(world, state),
    follows: told.follows === null ? null : missionName(told.follows),
    goal: proposal?.goal ?? (documents.isErased ? '(erased)' : '(not here)'),
    tier: course?.plan?.tier ?? proposal?.tier ?? 0,
    revision: course?.revision ?? 0,
    plan:
      document === undefined || course === undefined || course.plan === null
        ? null
        : planView(document, course.plan, state),
    asked: askedView(state),
    proposed: proposedBy(state),
    votes: votesOf(told, state),
    effects: effectsOf(told, course, document),
    changed: course === undefined ? null : changedSince(told, course, documents),
    history: [...told.history],
    drift: course === undefined ? [] : await driftOf(world, course, documents),
    edits: [],
    receipts: [...told.receipts],
    work: told.work,
    environment: told.cell?.environment ?? [],
    spent: Object.entries(told.spent).map(([route, { calls, guessed, tokens_in, tokens_out }]) => ({
      route,
      calls,
      guessed,
      tokensIn: tokens_in,
      tokensOut: tokens_out,
    })),
    refused: documents.refused,
    readOnly: readOnlyView(documents),
    attempt: await attemptView(told.attempts, { bench: world.bench, ref, plan: document }),
    earlier: told.attempts.slice(0, -1).flatMap(({ no, because }) => (because === null ? [] : [{ no, because }])),
    exposed: exposedView(documents),
    late: await lateView(world, ref, state, told),
    pullRequest: told.pull_request,
    review: null,
  };
}

async function lateView(
  world: MissionWorld,
  ref: string,
  { ledger_id: mission }: MissionState,
  { attempts }: Told,
): Promise<StatusView['late']> {
  // A forge that is away shows the rest all the same.
  const found = await lateWorkOf(world, mission, attempts).catch((error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  });
  return found.map(({ no, until, by }) => {
    return { attempt: no, until, by, line: `lazarus diff ${ledgerName(ref)} --attempt ${no}` };
  });
}

function readOnlyView({ readOnly, plan }: Documents): StatusView['readOnly'] {
  if (readOnly?.length === 0) return [{ folder: null, environment: null }];
  const environments = Object.entries(plan?.environment ?? {});
  return (readOnly ?? []).map((folder) => {
    const of = environments.find(([, { makes }]) => makes.some((made) => folder.startsWith(`${made}/`)));
    return { folder, environment: of?.[0] ?? null };
  });
}

function isDenied(course: Course | undefined): boolean {
  if (course === undefined || course.end !== null) return false;
  return Object.values(course.requests).some(
    ({ policy }) => policy?.result === 'deny' || policy?.result === 'downgrade',
  );
}

function becauseOf(
  state: MissionState,
  shown: Omit<Shown, 'stuck'>,
  due: Due,
  stuck: ReasonCode | undefined,
): StatusView['because'] {
  const course = courseOf(state);
  const ended = course?.end ?? null;
  // An attempt that came to nothing matters until there is another one.
  const calledOff = course === undefined || course.cancelled === null ? undefined : CANCELLED;
  const isRefused = isDenied(course) ? 'policy_refused' : course?.attempt?.because;
  // A plan that cannot be made now is what stands in the way, whatever it was wanted for.
  const planless = due.is === 'plan' || due.is === 'recover' ? stuck : undefined;
  const fallen = due.is === 'plan' || due.is === 'ask' ? due.because : undefined;
  const code = ended?.because ?? calledOff ?? planless ?? isRefused ?? fallen;
  return code === undefined || ended?.outcome === 'done' ? null : because(code, state, shown);
}

/** A reason in words, with which attempt it stopped, and what follows for whoever reads it. */
function because(
  code: string,
  state: MissionState,
  { custody }: Pick<Shown, 'custody'>,
): NonNullable<StatusView['because']> {
  const { end = null, attempt = null, step = null } = courseOf(state) ?? {};
  const known = Object.hasOwn(REASONS, code) ? REASONS[code as ReasonCode].says : code;
  const isOfAttempt = end === null && attempt?.because === code;
  const which = isOfAttempt ? ` Attempt ${attempt.no} of ${step!.max_attempts}.` : '';
  // Nothing that anybody puts right begins another one.
  if (isOfAttempt && mayTryAgain(code) && attempt.no >= step!.max_attempts)
    return { code, says: `${known}${which}`, isLast: true };
  const next = nextBecause(code, {
    mission: missionName(state.ledger_id),
    isOver: end !== null,
    reader: custody === 'people' ? 'terminal' : 'issue',
  });
  return { code, says: `${known}${which}`, ...(next === undefined ? {} : { next }) };
}

/** Nothing to say of a mission that people run on their own computer. */
function exposedView({ plan, exposedTo: ran }: Documents): StatusView['exposed'] {
  if (ran === undefined)
    return plan === undefined || plan.issue === null ? null : { to: plan.exposed_to, by: 'policy' };
  return ran === null && plan?.issue === null ? null : { to: ran, by: 'runner' };
}

function planView(
  document: PlanDocument,
  plan: NonNullable<Course['plan']>,
  state: MissionState,
): NonNullable<StatusView['plan']> {
  const { proposal, agent } = document;
  return {
    digest: plan.plan_digest,
    policy: plan.policy.revision,
    tierAsked: proposal.tier,
    baseRef: proposal.base,
    baseCommit: plan.base_commit,
    agent: agentWords(document),
    capabilities: proposal.capabilities,
    reach: agentReach(agent),
    environment: Object.keys(document.environment),
    output: { ...document.output, readers: peopleWhoRead(state).map(({ principal }) => principal) },
    backend: plan.backend,
    level: plan.level,
    budgetMinutes: plan.budget_minutes,
    ttlMinutes: plan.ttl_minutes,
    paths: proposal.paths,
    acceptance: proposal.acceptance,
    verifyCommand: proposal.verifyCommand,
    told: toldBesides(proposal),
  };
}

/** Asked for in the plan, then intended, then seen. */
function effectsOf(
  { effects: seen }: Told,
  course: Course | undefined,
  document: PlanDocument | undefined,
): StatusView['effects'] {
  const kinds = new Set([...(document?.effects ?? []), ...(Object.keys(seen) as EffectKind[])]);
  return [...kinds].map((kind) => {
    const known = seen[kind];
    if (known !== undefined) return { what: kind, ...known };
    const asked = Object.values(course?.requests ?? {}).find((one) => one.kind === kind);
    return { what: kind, target: asked?.targets[0] ?? '', state: 'proposed', because: null };
  });
}

/** Who may say something for it. */
export function peopleOf({ members }: ProjectState['roster']): readonly string[] {
  return members.filter(isPerson).map(({ principal_id }) => principal_id);
}

/** Who may change the roster. */
export function rootsOf({ members }: ProjectState['roster']): readonly string[] {
  return members.filter(({ roles }) => roles.includes('root')).map(({ principal_id }) => principal_id);
}

// That the project is stopped, for people to see: by whom, since when, and who may let it go on.
export function stoppedView({ halt, roster }: ProjectState): StatusView['stopped'] {
  if (halt === null) return null;
  const roots = rootsOf(roster);
  // Whoever stopped it by the word of the policy may let it go on by the same.
  const who = halt.root || roots.includes(halt.by) ? roots : [halt.by, ...roots];
  return { by: halt.by, since: halt.since, who };
}
