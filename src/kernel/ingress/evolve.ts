// What came in, and the one word that rests on its record: a proposal, and whatever says that it came through a forge, names a
// source that was recorded in the same transaction. Whoever writes the word may not leave the record out, nor use it twice.
import { enforced } from '../enforced.ts';
import type { Event, EventOf, EventType } from '../event.ts';
import { overMission, type Rules } from '../rule.ts';
import type { MissionState } from '../state.ts';
import type { Circumstances } from '../transition.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { hear, type Origin } from './heard.ts';

/** The latest record, until a word rests on it. */
export type Hearing = {
  readonly correlation_id: string;
  readonly forge: Origin | null;
  readonly id: string;
  readonly index: number;
};

/** At any time, even after the end. */
function record(state: MissionState, event: EventOf<'ingress.recorded'>, at: Circumstances): Verdict<MissionState> {
  const { forge } = event.payload;
  const { correlation_id, entity_id: id } = event;
  const hearing: Hearing = { correlation_id, forge, id, index: at.index };
  if (forge === null) return accept({ ...state, hearing });
  const signer = at.signer!;
  // A person who could say what the forge said would use up the numbers of others' comments.
  if (enforced('source_heard_once') && !signer.roles.includes('gate'))
    return refuse('role_not_allowed', { event_type: event.event_type, principal: signer.principal_id });
  const heard = hear(state.heard, forge);
  return heard.is === 'refused' ? heard : accept({ ...state, heard: heard.value, hearing });
}

/** The mission without the record that the event's word rests on. */
export function takeWord(state: MissionState, event: Event, from: number): Verdict<MissionState> {
  if (!needsRecord(event)) return accept(state);
  const { hearing, ...rest } = state;
  const isThere = hearing !== undefined && hearing.index >= from && isOf(hearing, event);
  if (enforced('source_heard_once') && !isThere) return refuse('source_missing', { event_type: event.event_type });
  return accept(rest);
}

/** Every event with an account of where on the forge it was said, but the record of that itself. */
type Saying = Exclude<Extract<Event, { payload: { forge: Origin | null } }>, EventOf<'ingress.recorded'>>;
type Word = EventOf<'mission.proposed'> | Saying;

function isSaying(event: Event): event is Saying {
  return event.event_type !== 'ingress.recorded' && 'forge' in event.payload;
}

function needsRecord(event: Event): event is Word {
  return isSaying(event) ? event.payload.forge !== null : event.event_type === 'mission.proposed';
}

function isOf({ forge, id }: Hearing, event: Word): boolean {
  return event.event_type === 'mission.proposed'
    ? event.payload.ingress_id === id
    : forge !== null && isSame(forge, event.payload.forge!);
}

function isSame(a: Origin, b: Origin): boolean {
  return (Object.keys(a) as (keyof Origin)[]).every((name) => a[name] === b[name]);
}

export const ingressRules = { 'ingress.recorded': overMission(record) } satisfies Partial<Rules<EventType>>;
