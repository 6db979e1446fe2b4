// One event of every type of a mission's course that stands where it may stand, whoever of those who may signs it.
import type { Event, EventType } from '../../src/kernel/event.ts';
import type { MissionState, State } from '../../src/kernel/state.ts';
import type { Circumstances } from '../../src/kernel/transition.ts';
import {
  approvalAsked,
  approvalReceipt,
  approved,
  asked,
  cancelled,
  held,
  isSaying,
  unheld,
  attemptCreated,
  grant,
  ID,
  ingress,
  judged,
  LATER,
  onAttempt,
  planned,
  proposal,
  stepCreated,
  VIC,
  vote,
  withdrawal,
  created,
  denied,
} from './course/asked.ts';
import { decided, effectRequests, effectsComputed, intended, observed, receipt, runReceipt } from './course/caused.ts';
import { cellClosed, claimed, leased, leaseReleased, spawned, verified, worked } from './course/worked.ts';
import { courseAt, courseRoster, recordedFor, replay, type Stage } from './course.ts';
import { uuid } from './events.ts';
import { CAST, DIGEST, fact, openedMission, openedProject } from './given.ts';
import type { TestKey } from './people.ts';

export type Example = {
  readonly given: State | undefined;
  readonly event: Event;
  readonly at?: Partial<Circumstances>;
};
export type MakeExample = (by: TestKey) => Example;

/** The event as an honest signer wrote it, in the name of another. */
function by(stage: Stage | (() => MissionState), make: (who: TestKey) => Event): MakeExample {
  return (who) => {
    const event = make(who);
    const given = recordedFor(typeof stage === 'string' ? courseAt(stage) : stage(), event);
    return { given, event: isSaying(event) ? event : { ...event, actor_id: who.principalId } };
  };
}

/** Whose word it is: a person's own, or that of somebody whom the gate relays. */
function speaker(who: TestKey): TestKey {
  return who === CAST.gate ? VIC : who;
}

function opened(): MissionState {
  return openedMission(openedProject(courseRoster()));
}

const because = { because: 'no_longer_wanted' };
const approval = { entity: ID.approval };
const attempt = { entity: ID.attempt };

function withTask(): MissionState {
  const [task, ready] = created();
  return replay(courseAt('planned'), [
    { event: task!, by: CAST.gate },
    { event: ready!, by: CAST.gate },
  ]);
}

function withStep(): MissionState {
  return replay(withTask(), [{ event: stepCreated(), by: CAST.gate }]);
}

function afterDeath(): MissionState {
  const expired = onAttempt('lease.expired', { fence: 1, silence: null }, CAST.gate, {
    entity: ID.cellLease,
    occurred_at: LATER,
  });
  return replay(courseAt('spawned'), [{ event: expired, by: CAST.gate }]);
}

function afterFailure(): MissionState {
  const failed = onAttempt('attempt.failed', { because: 'verify_failed' }, CAST.runner, attempt);
  const released = leaseReleased(1, CAST.runner, ID.cellLease);
  return replay(courseAt('leased'), [
    { event: failed, by: CAST.runner },
    { event: released, by: CAST.runner },
  ]);
}

/** Nobody but its proposer and its holder may not let it go on. */
function onHold(): MissionState {
  return replay(courseAt('created'), [{ event: held(CAST.person), by: CAST.person }]);
}

/** The writer looked, learned nothing, and let go. */
function afterSilence(): MissionState {
  return replay(courseAt('intended'), [
    { event: observed('push_branch', { outcome: 'unknown_outcome', oid: null }), by: CAST.writer },
    { event: leaseReleased(2, CAST.writer, ID.effectLease), by: CAST.writer },
  ]);
}

function withEffectsAsked(): MissionState {
  return replay(
    courseAt('closed'),
    effectRequests().map((event) => ({ event, by: CAST.writer })),
  );
}

/** Each of them has something that only it may say what came of. */
function receiptBy(who: TestKey): readonly [() => MissionState, () => Event] {
  if (who === CAST.runner) {
    const closed = () => replay(courseAt('spawned'), [{ event: cellClosed(1), by: CAST.runner }]);
    return [closed, () => runReceipt({ result_code: 'failed', result_summary: 'cell_failed' }, who)];
  }
  if (who === CAST.gate || who === CAST.person) {
    const settled = () => replay(courseAt('voted'), [{ event: approved({}, [VIC]), by: CAST.gate }]);
    return [settled, () => approvalReceipt({}, who)];
  }
  return [() => courseAt('observed'), () => receipt('push_branch', {}, who)];
}

export const COURSE_EXAMPLES = {
  'ingress.recorded': by(opened, ingress),
  // A person proposes as itself; a gate for whoever the forge says.
  'mission.proposed': by(opened, (who) =>
    who === CAST.person ? proposal(1, [{ forge_user_id: 101, principal_id: who.principalId }], who) : proposal(),
  ),
  'plan.computed': by('created', () => planned()),
  'mission.cancelled': by('created', (who) => cancelled(speaker(who), who)),
  'mission.held': by('created', (who) => held(speaker(who), who)),
  'mission.unheld': (who) => {
    const event = unheld(speaker(who), who);
    return { given: recordedFor(onHold(), event), event };
  },
  'mission.ended': by(afterFailure, (who) =>
    fact('mission.ended', { because: 'verify_failed', outcome: 'failed' }, who),
  ),
  'projection.anchored': by('created', (who) =>
    fact('projection.anchored', { comment_id: 7, issue: 3, kind: 'status_comment' }, who),
  ),
  'step.created': by(withTask, stepCreated),
  'attempt.created': by(withStep, () => attemptCreated()),
  'context.compiled': by('leased', (who) => onAttempt('context.compiled', { context_pack_ref: DIGEST }, who, attempt)),
  'attempt.succeeded': by('receipted', (who) => onAttempt('attempt.succeeded', {}, who, attempt)),
  'attempt.failed': by('leased', (who) => onAttempt('attempt.failed', because, who, attempt)),
  'attempt.cancelled': by('granted', (who) => onAttempt('attempt.cancelled', because, who, attempt)),
  'attempt.superseded': by('granted', (who) => onAttempt('attempt.superseded', because, who, attempt)),
  'action.requested': by('created', asked),
  'policy.evaluated': by('asked', () => judged()),
  'approval.requested': by('judged', () => approvalAsked()),
  'vote.cast': by('awaiting', (who) => vote({}, speaker(who), who).event),
  'vote.withdrawn': (who) => {
    const voter = who === CAST.person ? who : VIC;
    const event = withdrawal(voter, who);
    return { given: recordedFor(replay(courseAt('awaiting'), [vote({}, voter)]), event), event };
  },
  'approval.granted': by('voted', () => approved({}, [VIC])),
  'approval.denied': by('awaiting', (who) => denied(speaker(who), who)),
  'approval.expired': by('awaiting', (who) =>
    onAttempt('approval.expired', because, who, { ...approval, occurred_at: LATER }),
  ),
  'approval.invalidated': by('approved', (who) => onAttempt('approval.invalidated', because, who, approval)),
  'grant.issued': by('approved', () => grant()),
  'grant.revoked': by('granted', (who) => onAttempt('grant.revoked', because, who, { entity: ID.execGrant })),
  'lease.acquired': by('granted', (who) => leased(1, who, who === CAST.writer ? 'mutable' : 'isolated')),
  'lease.released': (who) => ({
    given: courseAt(who === CAST.writer ? 'writing' : 'leased'),
    event: leaseReleased(who === CAST.writer ? 2 : 1, who, ID.cellLease),
  }),
  'lease.expired': by('leased', (who) =>
    onAttempt('lease.expired', { fence: 1, silence: null }, who, { entity: ID.cellLease, occurred_at: LATER }),
  ),
  'cell.spawned': by('compiled', () => spawned()),
  'cell.closed': (who) => ({
    given: who === CAST.gate ? afterDeath() : courseAt('spawned'),
    event: { ...cellClosed(1, who), ...(who === CAST.gate && { occurred_at: LATER }) },
  }),
  'done.claimed': by('spawned', () => claimed()),
  'blocked.raised': by('spawned', (who) =>
    onAttempt('blocked.raised', { document: DIGEST, fence: 1 }, who, { entity: uuid('question') }),
  ),
  'work.proposed': by('spawned', () => worked()),
  'work.refused': by('spawned', (who) =>
    onAttempt('work.refused', { because: 'outside_scope', fence: 1, scope_audit: DIGEST }, who, {
      entity: uuid('work'),
    }),
  ),
  'verification.recorded': by('checked', () => verified()),
  'effects.computed': by(withEffectsAsked, () => effectsComputed()),
  'effect.intended': by('writing', () => intended('push_branch')),
  'effect.observed': by('intended', () => observed('push_branch')),
  'decision.recorded': by(afterSilence, (who) => decided('push_branch', {}, who)),
  'receipt.issued': (who) => by(...receiptBy(who))(who),
} satisfies Partial<Record<EventType, MakeExample>>;
