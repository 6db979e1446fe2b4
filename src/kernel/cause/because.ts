// What makes an event happen, as honest writers say it: the first that is found of what its type looks for. Events of its own
// transaction come before older ones. Which events each type looks for stands with the types, in their nouns.
import { atStep, courseOf, theStep } from '../course/steps.ts';
import { agentCellOf } from '../course/course.ts';
import type { EventDraft } from '../draft.ts';
import { PLACES, type Event } from '../event.ts';
import type { AtHand, Because, Sought } from '../traits.ts';
import type { State } from '../state.ts';
import { CANCELLED } from '../attempt/blame.ts';
import { LAID_BESIDE } from './memory.ts';
import { correlationOf, effectRequest, MAY_START } from './rule.ts';

export type Before = {
  readonly state: State | undefined;
  /** What the same transaction says before it. */
  readonly earlier: readonly Event[];
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
  // Whatever ends because the mission was called off names the word that did.
  if ('because' in about.payload && about.payload.because === CANCELLED) return { of: ['mission.cancelled'] };
  // A type's word is about its own payload.
  const said = PLACES[about.event_type].because as Because<typeof about.payload> | undefined;
  return said === undefined ? { of: [about.entity_id] } : said(about, atHand(about, state));
}

function atHand({ step_id, attempt_id }: EventDraft | Event, state: State | undefined): AtHand {
  const whole = state?.kind === 'mission' ? state.course : undefined;
  const course = whole && (atStep(whole, step_id) ?? theStep(whole));
  return {
    attempt: attempt_id ?? course?.attempt?.id,
    lease: course?.lease?.id,
    cell: course && agentCellOf(course),
    runs: runGrants(state),
  };
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
