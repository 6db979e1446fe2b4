// What people see of a mission, computed from its verified events and the documents they name: the status comment, the
// command line and the job summary show this and nothing else. Never read back.
import type { StatusView } from '../../forge-text/status-view.ts';
import { REASONS, type ReasonCode } from '../../reasons.ts';
import { checkVoter, electorate, ballotOf, tally } from '../../kernel/approval/voters.ts';
import type { Course } from '../../kernel/mission/course.ts';
import { parsePlanDocument, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import { missionStatus } from '../../kernel/mission/status.ts';
import { parseProposal, type Proposal } from '../../kernel/proposal/proposal.ts';
import type { ReadEvent } from '../../kernel/read.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName, type TreeHead } from '../../kernel/values.ts';
import { readEvents } from '../read-events.ts';
import { readDocument } from './documents.ts';
import { votesOf } from './status-votes.ts';
import type { MissionWorld } from './world.ts';

export type Shown = {
  readonly home: string;
  readonly custody: StatusView['custody'];
  readonly run: StatusView['run'];
};

const HISTORY_MAX = 10;

export async function statusView(
  { bench }: MissionWorld,
  at: { readonly ref: string; readonly state: MissionState; readonly head: TreeHead },
  shown: Shown,
): Promise<StatusView> {
  const { ref, state, head } = at;
  const events: ReadEvent[] = [];
  await readEvents(bench, ref, (event) => events.push(event));
  const { course } = state;
  const document = await documentOf(bench, ref, course);
  const proposal = document?.proposal ?? (await proposalOf(bench, ref, course));
  const status = missionStatus(state);
  return {
    ...shown,
    mission: missionName(state.ledger_id),
    seq: head.size,
    head: head.oid,
    state: isDenied(course) ? 'invalid' : status === 'opened' ? 'proposed' : status,
    because: becauseOf(events, course),
    goal: proposal?.goal ?? '(erased)',
    tier: course?.plan?.tier ?? proposal?.tier ?? 0,
    revision: course?.revision ?? 0,
    plan:
      document === undefined || course === undefined || course.plan === null ? null : planView(document, course.plan),
    asked: askedView(state),
    votes: votesOf(events, state),
    effects: effectsOf(events, course, document),
    changed: null,
    history: events.flatMap(historyOf).slice(-HISTORY_MAX),
    drift: [],
    edits: [],
    receipts: events.flatMap((event) =>
      event.event_type === 'receipt.issued'
        ? [{ id: event.entity_id, action: event.payload.receipt_class, outcome: event.payload.result_code }]
        : [],
    ),
    work: workOf(events),
    pullRequest: pullRequestOf(events),
  };
}

async function documentOf(
  bench: MissionWorld['bench'],
  ref: string,
  course: Course | undefined,
): Promise<PlanDocument | undefined> {
  if (course === undefined || course.plan === null) return undefined;
  const read = await readDocument(bench, ref, course.plan.plan).catch(() => undefined);
  const parsed = read === undefined ? undefined : parsePlanDocument(read);
  return parsed?.is === 'accepted' ? parsed.value : undefined;
}

async function proposalOf(
  bench: MissionWorld['bench'],
  ref: string,
  course: Course | undefined,
): Promise<Proposal | undefined> {
  if (course === undefined) return undefined;
  const read = await readDocument(bench, ref, course.proposal).catch(() => undefined);
  const parsed = read === undefined ? undefined : parseProposal(read);
  return parsed?.is === 'accepted' ? parsed.value : undefined;
}

function isDenied(course: Course | undefined): boolean {
  if (course === undefined || course.end !== null) return false;
  return Object.values(course.requests).some(
    ({ policy }) => policy?.result === 'deny' || policy?.result === 'downgrade',
  );
}

function becauseOf(events: readonly ReadEvent[], course: Course | undefined): StatusView['because'] {
  const code = course?.end?.because ?? (isDenied(course) ? 'policy_refused' : undefined);
  if (code === undefined || course?.end?.outcome === 'done') return null;
  const last = events.findLast((event) => event.event_type === 'mission.ended');
  const known = Object.hasOwn(REASONS, code) ? REASONS[code as ReasonCode].says : code;
  return { code, says: last === undefined && !isDenied(course) ? code : known };
}

function planView(document: PlanDocument, plan: NonNullable<Course['plan']>): NonNullable<StatusView['plan']> {
  const { proposal, agent } = document;
  return {
    digest: plan.plan_digest,
    policy: plan.policy.revision,
    baseRef: proposal.base,
    baseCommit: plan.base_commit,
    agent: 'name' in proposal.agent ? proposal.agent.name : agent.join(' '),
    capabilities: proposal.capabilities,
    backend: plan.backend,
    level: plan.level,
    budgetMinutes: plan.budget_minutes,
    ttlMinutes: plan.ttl_minutes,
    paths: proposal.paths,
    acceptance: proposal.acceptance,
    verifyCommand: proposal.verifyCommand,
  };
}

function askedView(state: MissionState): StatusView['asked'] {
  const { course, roster } = state;
  const open = Object.values(course?.approvals ?? {}).find(({ granted }) => !granted);
  if (course === undefined || open === undefined || course.plan === null) return null;
  const ballot = ballotOf({ course, roster });
  const { missing } = tally(ballot, open.votes);
  const voted = new Set(open.votes.filter(({ choice }) => choice === 'approve').map(({ principal }) => principal));
  const people = roster.members.filter(({ roles }) => roles.includes('person'));
  return {
    scope: open.type,
    digest: open.digest,
    quorum: course.plan.quorum,
    missing,
    from: electorate(ballot)
      .map(({ principal_id }) => principal_id)
      .filter((one) => !voted.has(one)),
    role: 'person',
    cannot: people.flatMap(({ principal_id }) => {
      const voter = checkVoter(ballot, principal_id);
      return voter.is === 'refused'
        ? [{ login: principal_id, because: voter.code === 'self_approval' ? 'proposer' : voter.code }]
        : [];
    }),
    expiresAt: open.expires_at,
  };
}

/** Asked for in the plan, then intended, then seen. */
function effectsOf(
  events: readonly ReadEvent[],
  course: Course | undefined,
  document: PlanDocument | undefined,
): StatusView['effects'] {
  const effects = new Map<
    string,
    { what: string; target: string; state: StatusView['effects'][number]['state']; because: string | null }
  >();
  for (const kind of document?.effects ?? []) {
    const asked = Object.values(course?.requests ?? {}).find((one) => one.kind === kind);
    effects.set(kind, { what: kind, target: asked?.targets[0] ?? '', state: 'proposed', because: null });
  }
  const kinds = new Map<string, string>();
  for (const event of events) {
    if (event.event_type === 'effect.intended') {
      const { kind, target } = event.payload;
      kinds.set(event.entity_id, kind);
      effects.set(kind, { what: kind, target, state: 'intended', because: null });
    }
    if (event.event_type === 'effect.observed') {
      const kind = kinds.get(event.entity_id) ?? '';
      const known = effects.get(kind);
      const { outcome, reason } = event.payload;
      if (known !== undefined)
        effects.set(kind, { ...known, state: outcome, because: outcome === 'applied' ? null : reason });
    }
  }
  return [...effects.values()];
}

/** The latest; refused work has no place anywhere. */
function workOf(events: readonly ReadEvent[]): StatusView['work'] {
  const work = events.findLast((event) => event.event_type === 'work.proposed');
  if (work?.event_type !== 'work.proposed') return null;
  return { commit: work.payload.commit, changed: work.payload.changed_paths };
}

function pullRequestOf(events: readonly ReadEvent[]): number | null {
  const opened = new Set(
    events.flatMap((event) =>
      event.event_type === 'effect.intended' && event.payload.kind === 'open_pull_request' ? [event.entity_id] : [],
    ),
  );
  const seen = events.findLast((event) => event.event_type === 'effect.observed' && opened.has(event.entity_id));
  return seen?.event_type === 'effect.observed' ? seen.payload.number : null;
}

function historyOf(event: ReadEvent): StatusView['history'] {
  const words = WORDS[event.event_type];
  return words === undefined ? [] : [{ at: event.occurred_at, what: `${words} (${event.actor_id})` }];
}

const WORDS: Readonly<Record<string, string>> = {
  'mission.proposed': 'proposed',
  'plan.computed': 'planned',
  'vote.cast': 'a vote',
  'vote.withdrawn': 'a vote was taken back',
  'approval.granted': 'approved',
  'cell.spawned': 'the agent started in its cell',
  'cell.closed': 'the cell was closed',
  'work.proposed': 'work was handed over',
  'work.refused': 'the work was refused',
  'verification.recorded': 'checked in fresh cells',
  'effect.intended': 'an effect was intended',
  'effect.observed': 'an effect was observed',
  'mission.ended': 'over',
};
