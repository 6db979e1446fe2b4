// Why something happened, as a rule: an event names one that made it happen, and cannot name one that never was, or one
// whose matter is closed. Whether it was the true reason stays its signer's word.
import type { FarCause } from '../envelope.ts';
import { PLACES, typesThat, type Event } from '../event.ts';
import { enforced } from '../enforced.ts';
import type { State } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

/** What starts a chain. Of an adoption, `from` in its payload says which event of the project made it. */
export const MAY_START = typesThat('starts');

export type Known = {
  /**
   * Ids of events it may name: what was remembered when the transaction began, and the transaction's own before it;
   * undefined in a proof, which shows single events.
   */
  readonly nameable: ReadonlySet<string> | undefined;
};

export function checkCause(event: Event, { nameable }: Known): Verdict<undefined> {
  if (!enforced('cause_known')) return accept(undefined);
  const { cause, causation_id, event_type } = event;
  if (cause !== undefined) return checkFar(event, cause);
  if (causation_id === null)
    return MAY_START.has(event_type) ? accept(undefined) : refuse('cause_missing', { event_type });
  return nameable?.has(causation_id) === false
    ? refuse('cause_unknown', { event_type, cause: causation_id })
    : accept(undefined);
}

/**
 * What a project records of a mission may name the mission's event, and a mission that goes on from another one that one's
 * end; nothing else names another ledger's.
 */
function checkFar(event: Event, cause: FarCause): Verdict<undefined> {
  const isFitting =
    PLACES[event.event_type].follows === true ? isOther(event, cause) : cause.ledger_id === farOf(event);
  return isFitting && event.causation_id === null
    ? accept(undefined)
    : refuse('cause_misplaced', { event_type: event.event_type, ledger: cause.ledger_id });
}

/** Neither itself nor its project. */
function isOther({ event_type, payload }: Event, { ledger_id }: FarCause): boolean {
  return event_type === 'mission.opened' && ledger_id !== payload.mission_id && ledger_id !== payload.project_id;
}

function farOf({ event_type, payload }: Event): string | undefined {
  const far = PLACES[event_type].far as ((about: typeof payload) => string) | undefined;
  return far?.(payload);
}

/** Everything of an attempt carries the correlation id of the ingress that asked for what it does. */
export function checkCorrelation(state: State | undefined, event: Event): Verdict<undefined> {
  if (!enforced('correlation_of_ingress')) return accept(undefined);
  const expected = correlationOf(state, event);
  if (expected === undefined || event.correlation_id === expected) return accept(undefined);
  return refuse('correlation_mismatch', { event_type: event.event_type, expected });
}

export function correlationOf(state: State | undefined, event: Event): string | undefined {
  if (event.event_type === 'mission.proposed')
    return state?.kind === 'mission' ? state.hearing?.correlation_id : undefined;
  return event.attempt_id === undefined && event.step_id === undefined ? undefined : state?.causes.correlation_id;
}

/** Who asks for one effect twice uses one key twice: the key of an intent, an outcome and their receipt is the request. */
export function checkOnce(state: State | undefined, event: Event): Verdict<undefined> {
  if (!enforced('effect_key_is_request')) return accept(undefined);
  const expected = effectRequest(state, event);
  if (expected === undefined || event.idempotency_key === expected) return accept(undefined);
  return refuse('idempotency_mismatch', { event_type: event.event_type, expected });
}

/** The request that an intent, an outcome or the receipt of an effect answers. */
export function effectRequest(state: State | undefined, event: Event): string | undefined {
  const course = state?.kind === 'mission' ? state.course?.steps[event.step_id ?? ''] : undefined;
  switch (event.event_type) {
    case 'effect.intended':
      return course?.grants[event.payload.grant_id]?.request;
    case 'effect.observed':
      return course?.effects[event.entity_id]?.request;
    case 'receipt.issued':
      return course?.effects[event.payload.subject_ref]?.request;
    default:
      return undefined;
  }
}
