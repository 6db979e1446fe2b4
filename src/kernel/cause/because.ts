// What makes an event happen, as honest writers say it: for every type, which events are looked for, the most telling
// first. Those of its own transaction come before older ones.
import { atStep, courseOf, theStep } from '../course/steps.ts';
import { agentCellOf } from '../course/course.ts';
import type { EventDraft } from '../draft.ts';
import type { Event } from '../event.ts';
import type { State } from '../state.ts';
import { LAID_BESIDE } from './memory.ts';
import { CANCELLED } from '../attempt/blame.ts';
import { correlationOf, effectRequest, MAY_START } from './rule.ts';

export type Before = {
  readonly state: State | undefined;
  /** What the same transaction says before it. */
  readonly earlier: readonly Event[];
};

type Sought = {
  /** Ids of things, or event types: looked for in the same transaction, then in what the ledger remembers. */
  readonly of: readonly (string | null | undefined)[];
  /** Looked for in the same transaction alone. */
  readonly here?: readonly (string | null | undefined)[];
};

/** Null for what starts a chain, and where nothing was before it. */
export function because(about: EventDraft | Event, { state, earlier }: Before): string | null {
  if (MAY_START.has(about.event_type)) return null;
  const { of, here = [] } = soughtFor(about, state);
  const said = earlier.filter((one) => !LAID_BESIDE.has(one.event_type));
  const inTransaction = (key: string): string | undefined =>
    said.findLast((one) => one.entity_id === key || one.event_type === key)?.event_id;
  const remembered = (key: string): string | undefined => state?.causes.moved[key];
  const found =
    firstOf([...here, ...of], inTransaction) ??
    firstOf(of, remembered) ??
    said.at(-1)?.event_id ??
    firstOf([about.entity_id, about.task_id, state?.ledger_id], remembered);
  return found ?? null;
}

function firstOf(keys: Sought['of'], find: (key: string) => string | undefined): string | undefined {
  for (const key of keys) {
    const found = key === null || key === undefined ? undefined : find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

function soughtFor(about: EventDraft | Event, state: State | undefined): Sought {
  const whole = state?.kind === 'mission' ? state.course : undefined;
  const course = whole && (atStep(whole, about.step_id) ?? theStep(whole));
  const attempt = about.attempt_id ?? course?.attempt?.id;
  // Whatever ends because the mission was called off names the word that did.
  if ('because' in about.payload && about.payload.because === CANCELLED) return { of: ['mission.cancelled'] };
  switch (about.event_type) {
    case 'halt.lifted':
      return { of: ['halt.declared'] };
    case 'mission.proposed':
      return { here: [about.payload.ingress_id], of: ['ingress.recorded'] };
    case 'plan.computed':
      return { here: ['mission.proposed', 'ingress.recorded'], of: ['mission.proposed'] };
    case 'projection.anchored':
    case 'mission.cancelled':
      return { of: ['ingress.recorded'] };
    case 'task.created':
    case 'step.created':
      return { of: ['plan.computed'] };
    case 'attempt.created':
      return { of: [about.payload.resume_from_ref, 'plan.computed'] };
    case 'action.requested':
      return { here: [attempt, 'plan.computed'], of: [attempt] };
    case 'policy.evaluated':
      return { of: [about.payload.action_request_ref] };
    case 'approval.requested':
      return about.payload.approval_type === 'effects'
        ? { of: [attempt] }
        : { here: ['policy.evaluated'], of: [about.payload.requested_action_ref] };
    case 'approval.denied':
      return { here: ['ingress.recorded'], of: [about.entity_id] };
    case 'vote.cast':
    case 'vote.withdrawn':
      return { here: ['ingress.recorded'], of: [about.payload.approval_id] };
    case 'approval.granted':
      return { here: ['vote.cast'], of: [about.payload.votes.at(-1), about.entity_id] };
    case 'grant.issued':
      return { of: [about.payload.approval_ref, about.payload.policy_result_ref] };
    case 'lease.acquired':
      return { of: about.payload.mode === 'isolated' ? [...runGrants(state), attempt] : [attempt] };
    case 'task.started':
      return { of: runGrants(state) };
    case 'context.compiled':
      return { of: [course?.lease?.id], here: ['lease.acquired'] };
    case 'cell.spawned':
      return { of: [about.payload.grant_id ?? 'work.proposed'] };
    case 'effect.intended':
      return { of: [about.payload.grant_id] };
    case 'done.claimed':
    case 'blocked.raised':
    case 'work.proposed':
    case 'work.refused':
      return { of: [course && agentCellOf(course)], here: ['cell.spawned'] };
    case 'verification.recorded':
      return { of: ['work.proposed'] };
    case 'effects.computed':
      return { of: ['verification.recorded'] };
    case 'decision.recorded':
      return { of: [about.payload.subject_ref] };
    case 'receipt.issued': {
      const { decision_ref, subject_ref, receipt_class, approval_ref, policy_result_ref } = about.payload;
      const answer = receipt_class === 'approval_resolution' ? [approval_ref, policy_result_ref] : [];
      return {
        here: [decision_ref, ...answer, subject_ref, 'receipt.issued'],
        // The run's, last of all: what it led to has its receipts by then.
        of: [decision_ref, ...answer, subject_ref, 'receipt.issued', attempt],
      };
    }
    case 'attempt.succeeded':
      return { of: ['receipt.issued', attempt] };
    case 'attempt.failed':
    case 'attempt.cancelled':
      return { here: ['receipt.issued'], of: [attempt] };
    case 'task.blocked':
      return { here: ['approval.requested', attempt], of: [attempt] };
    case 'task.unblocked':
      return { here: ['approval.granted'], of: [attempt] };
    case 'task.completed':
    case 'task.failed':
    case 'task.cancelled':
    case 'mission.ended':
      return { of: [attempt] };
    case 'lease.released':
    case 'lease.expired':
      // It lets go because of what was said just before, whatever that is.
      return { here: ['attempt.succeeded', 'attempt.failed', 'cell.closed', 'receipt.issued'], of: [about.entity_id] };
    default:
      return { of: [about.entity_id] };
  }
}

function runGrants(state: State | undefined): readonly string[] {
  const grants = (state?.kind === 'mission' ? courseOf(state)?.grants : undefined) ?? {};
  return Object.keys(grants).filter((id) => grants[id]!.action_class === 'execute_command');
}

/** The correlation id of what asked for it; undefined where its writer may choose one. */
export function correlationFor(event: Event, { state, earlier }: Before): string | undefined {
  if (event.event_type === 'mission.proposed') {
    const { ingress_id } = event.payload;
    const words = earlier.findLast((one) => one.event_type === 'ingress.recorded' && one.entity_id === ingress_id);
    return words?.correlation_id ?? correlationOf(state, event);
  }
  const asked = earlier.findLast((one) => one.event_type === 'mission.proposed');
  if (asked === undefined) return correlationOf(state, event);
  return event.attempt_id === undefined && event.step_id === undefined ? undefined : asked.correlation_id;
}

/** The request that an effect's event answers, which is its idempotency key; undefined for anything else. */
export function keyFor(event: Event, before: Before): string | undefined {
  const { state, earlier } = before;
  switch (event.event_type) {
    case 'effect.intended': {
      const { grant_id } = event.payload;
      const granted = earlier.find((one) => one.event_type === 'grant.issued' && one.entity_id === grant_id);
      return granted?.event_type === 'grant.issued' ? granted.payload.action_request_ref : effectRequest(state, event);
    }
    case 'effect.observed':
      return intendedHere(event.entity_id, before) ?? effectRequest(state, event);
    case 'receipt.issued':
      return intendedHere(event.payload.subject_ref, before) ?? effectRequest(state, event);
    default:
      return undefined;
  }
}

/** The request of an effect that was intended in the same transaction. */
function intendedHere(effect: string, before: Before): string | undefined {
  const intended = before.earlier.find((one) => one.event_type === 'effect.intended' && one.entity_id === effect);
  return intended === undefined ? undefined : keyFor(intended, before);
}
