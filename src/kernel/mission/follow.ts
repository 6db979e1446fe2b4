// Which rule an event of a mission's course meets. Nothing follows the end of a mission but the record of what
// still comes in.
import { evaluatePolicy, issueGrant, requestAction, revokeGrant } from '../action/evolve.ts';
import { castVote, endApproval, grantApproval, requestApproval, withdrawVote } from '../approval/evolve.ts';
import { createAttempt, createStep, endAttempt } from '../attempt/evolve.ts';
import { closeCell, spawnCell } from '../cell/evolve.ts';
import { computeEffects, intendEffect, issueReceipt, observeEffect } from '../effect/evolve.ts';
import { settleEffect } from '../effect/settle.ts';
import { acceptWithinBounds } from '../bounds.ts';
import type { Event, EventOf, EventType } from '../event.ts';
import { acquireLease, expireLease, releaseLease } from '../lease/evolve.ts';
import type { Member } from '../roster/roster.ts';
import type { MissionState } from '../state.ts';
import type { TaskMove } from '../task/evolve.ts';
import type { Circumstances } from '../transition.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { hearClaim, proposeWork, recordVerification } from '../handover/evolve.ts';
import type { Course } from './course.ts';
import { computePlan, endMission, propose } from './evolve-course.ts';
import { onAttempt, underLease, type InCourse } from './in-course.ts';
import { checkTime, timeAfter } from './when.ts';

export function follow(
  state: MissionState,
  event: Exclude<Event, EventOf<TaskMove>>,
  at: Circumstances,
): Verdict<MissionState> {
  if (event.event_type === 'ingress.recorded') return accept(state);
  const end = state.course?.end ?? null;
  if (end !== null) return refuse('mission_over', { mission: state.ledger_id, outcome: end.outcome });
  const time = state.course === undefined ? accept(undefined) : checkTime(state.course, event);
  if (time.is === 'refused') return time;
  const signer = at.signer!;
  if (event.event_type === 'mission.proposed')
    return withCourse(state, event, signer, propose(state.course, event.payload, state.ledger_id));
  if (state.course === undefined) return refuse('nothing_proposed', { event_type: event.event_type });
  const inCourse: InCourse = {
    crypto: at.crypto,
    mission: state.ledger_id,
    course: state.course,
    roster: state.roster,
    signer,
  };
  return withCourse(state, event, signer, step(inCourse, event));
}

function withCourse(state: MissionState, event: Event, signer: Member, course: Verdict<Course>): Verdict<MissionState> {
  if (course.is === 'refused') return course;
  const as_of = timeAfter(course.value.as_of, event, signer);
  const next = { ...state, course: { ...course.value, as_of } };
  return GROWS.has(event.event_type) ? acceptWithinBounds(next) : accept(next);
}

/** What brings lists of paths and people along; the rest adds no more than a snapshot keeps room for. */
const GROWS: ReadonlySet<EventType> = new Set<EventType>([
  'mission.proposed',
  'plan.computed',
  'action.requested',
  'vote.cast',
  'grant.issued',
  'effects.computed',
  'effect.intended',
]);

function step(at: InCourse, event: Exclude<Event, EventOf<TaskMove>>): Verdict<Course> {
  const { course } = at;
  switch (event.event_type) {
    case 'plan.computed':
      return computePlan(at, event);
    case 'mission.ended':
      return endMission(at, event);
    case 'projection.anchored':
      return accept({ ...course, anchor: { comment_id: event.payload.comment_id, issue: event.payload.issue } });
    case 'step.created':
      return createStep(at, event);
    case 'attempt.created':
      return createAttempt(at, event);
    case 'context.compiled': {
      const lease = underLease(at, event, course.fence);
      return lease.is === 'refused' ? lease : onAttempt(event, course, 'compiling_context');
    }
    case 'attempt.succeeded':
    case 'attempt.failed':
    case 'attempt.cancelled':
    case 'attempt.superseded':
      return endAttempt(at, event);
    case 'action.requested':
      return requestAction(at, event);
    case 'policy.evaluated':
      return evaluatePolicy(at, event);
    case 'approval.requested':
      return requestApproval(at, event);
    case 'vote.cast':
      return castVote(at, event);
    case 'vote.withdrawn':
      return withdrawVote(at, event);
    case 'approval.granted':
      return grantApproval(at, event);
    case 'approval.denied':
    case 'approval.expired':
    case 'approval.invalidated':
      return endApproval(at, event);
    case 'grant.issued':
      return issueGrant(at, event);
    case 'grant.revoked':
      return revokeGrant(at, event);
    default:
      return work(at, event);
  }
}

function work(at: InCourse, event: Exclude<Event, EventOf<TaskMove>>): Verdict<Course> {
  switch (event.event_type) {
    case 'lease.acquired':
      return acquireLease(at, event);
    case 'lease.released':
      return releaseLease(at, event);
    case 'lease.expired':
      return expireLease(at, event);
    case 'cell.spawned':
      return spawnCell(at, event);
    case 'cell.closed':
      return closeCell(at, event);
    case 'done.claimed':
    case 'blocked.raised':
    case 'work.refused':
      return hearClaim(at, event);
    case 'work.proposed':
      return proposeWork(at, event);
    case 'verification.recorded':
      return recordVerification(at, event);
    case 'effects.computed':
      return computeEffects(at, event);
    case 'effect.intended':
      return intendEffect(at, event);
    case 'effect.observed':
      return observeEffect(at, event);
    case 'decision.recorded':
      return settleEffect(at, event);
    case 'receipt.issued':
      return issueReceipt(at, event);
    default:
      return refuse('event_out_of_place', { event_type: event.event_type });
  }
}
