// The one place where an event meets a state: accepted with the state after it, or refused with the rule it breaks.
// A writer asks before it signs, a verifier asks again for every event of history: the same function, the same answer.
import type { Crypto } from '../format/crypto.ts';
import { remember } from './cause/memory.ts';
import { checkCause, checkCorrelation, checkOnce, type Known } from './cause/rule.ts';
import { PLACES, type Event } from './event.ts';
import { beginOrRevise, follow, followStep } from './follow.ts';
import { openMission } from './mission/evolve.ts';
import { openProject } from './project/evolve.ts';
import type { LedgerKind } from './traits.ts';
import { maySign, mayStandIn } from './roles.ts';
import type { Rule } from './rule.ts';
import { RULES } from './rules.ts';
import type { Member, Roster } from './roster/roster.ts';
import type { ProjectState, State } from './state.ts';
import { enforced } from './enforced.ts';
import { isAftercare, isCalledOff, isHeldBack } from './stops.ts';
import type { TreeHead } from './values.ts';
import { accept, refuse, type Verdict } from './verdict.ts';

export type Circumstances = {
  readonly crypto: Crypto;
  readonly kind: LedgerKind;
  /** The signing member; undefined only for a project's first event, which brings its own roster. */
  readonly signer: Member | undefined;
  readonly fingerprint: string;
  /** Position the event takes. */
  readonly index: number;
  /** Position of the transaction's first event. */
  readonly from: number;
  /** Size of the project ledger that the transaction was decided under. */
  readonly basis: number;
  /** Missions: the same of the transaction before; left out, nothing lies in between. */
  readonly since?: number | undefined;
  /** SHA-256 of the event's bytes; computed only where asked for. */
  readonly digest: () => string;
  /** For a mission's first event: the project ledger commit it grows from, and the state there. */
  readonly parent: { readonly head: TreeHead; readonly state: ProjectState } | undefined;
} & Known;

export function transition(state: State | undefined, event: Event, at: Circumstances): Verdict<State> {
  const next = judge(state, event, at);
  if (next.is === 'refused') return next;
  const flaw = [checkCause(event, at), checkCorrelation(state, event), checkOnce(state, event)].find(
    (one) => one.is === 'refused',
  );
  return flaw ?? accept(remember(next.value, event));
}

function judge(state: State | undefined, event: Event, at: Circumstances): Verdict<State> {
  if (!mayStandIn(event.event_type, at.kind))
    return refuse('event_type_misplaced', { event_type: event.event_type, ledger: at.kind });
  if (state === undefined) return begin(event, at);
  if (state.sealed) return refuse('ledger_sealed', { event_type: event.event_type });
  const signer = at.signer;
  if (signer === undefined) return refuse('signer_unknown', { fingerprint: at.fingerprint });
  const allowed = checkSigner(event, signer, state.roster);
  if (allowed.is === 'refused') return allowed;
  if (!isAboutItsTask(state, event)) return refuse('task_unknown', { task: event.task_id });
  const end = state.kind === 'mission' ? (state.course?.end ?? null) : null;
  if (end !== null && !isAftercare(event.event_type))
    return refuse('mission_over', { mission: state.ledger_id, outcome: end.outcome });
  const cancelled = state.kind === 'mission' ? (state.course?.cancelled ?? null) : null;
  if (cancelled !== null && isCalledOff(event) && enforced('nothing_begins_once_cancelled'))
    return refuse('mission_cancelled', { mission: state.ledger_id, event_type: event.event_type });
  const held = state.kind === 'mission' ? (state.course?.held ?? null) : null;
  if (held !== null && isHeldBack(event) && enforced('nothing_begins_while_held'))
    return refuse('mission_held', { mission: state.ledger_id, by: held.by, event_type: event.event_type });
  return apply(state, event, at);
}

/** The first event of a ledger must open it, and nothing else may. */
function begin(event: Event, at: Circumstances): Verdict<State> {
  if (event.event_type === 'project.opened') {
    const opened = openProject(event, at);
    if (opened.is === 'refused') return opened;
    const signer = opened.value.roster.members.find((m) => m.keys.some((key) => key.fingerprint === at.fingerprint));
    if (signer === undefined) return refuse('signer_unknown', { fingerprint: at.fingerprint });
    const allowed = checkSigner(event, signer, opened.value.roster);
    return allowed.is === 'refused' ? allowed : opened;
  }
  if (event.event_type !== 'mission.opened') return refuse('ledger_not_opened', { event_type: event.event_type });
  if (at.parent === undefined) return refuse('mission_without_project', { mission: event.payload.mission_id });
  if (at.signer === undefined) return refuse('signer_unknown', { fingerprint: at.fingerprint });
  const allowed = checkSigner(event, at.signer, at.parent.state.roster);
  return allowed.is === 'refused' ? allowed : openMission(event, at.parent);
}

/** The role must allow the type, and only a gate or a writer may speak for somebody else whom the roster knows. */
export function checkSigner(event: Event, signer: Member, roster: Roster): Verdict<undefined> {
  const { event_type, actor_id, actor_type } = event;
  const { roles } = signer;
  if (!maySign(event_type, roles))
    return refuse('role_not_allowed', { event_type, principal: signer.principal_id, roles });
  if (actor_id === signer.principal_id) {
    if (actor_type !== signer.principal_type)
      return refuse('actor_mismatch', { actor: actor_id, actor_type, signer_type: signer.principal_type });
    return accept(undefined);
  }
  const relays = roles.includes('gate') || roles.includes('writer');
  if (!relays) return refuse('actor_mismatch', { actor: actor_id, signer: signer.principal_id });
  return enforced('actor_on_roster') ? checkActor(event, roster) : accept(undefined);
}

/** Or history would tell of somebody who is nobody, or of a webhook that was a person. What comes in may be a stranger’s. */
function checkActor({ event_type, actor_id, actor_type }: Event, { members }: Roster): Verdict<undefined> {
  const member = members.find(({ principal_id }) => principal_id === actor_id);
  if (member === undefined)
    return PLACES[event_type].fromAnybody === true
      ? accept(undefined)
      : refuse('actor_unknown', { actor: actor_id, event_type });
  return member.principal_type === actor_type
    ? accept(undefined)
    : refuse('actor_mismatch', { actor: actor_id, actor_type, roster_type: member.principal_type });
}

function apply(state: State, event: Event, at: Circumstances): Verdict<State> {
  // The table gives each type its own rule; that this is the one for this event is what the table is.
  const rule = RULES[event.event_type] as Rule<Event>;
  if (rule.over === 'ledger') return rule.apply(state, event, at);
  if (state.kind === 'project') return rule.over === 'project' ? rule.apply(state, event, at) : outOfPlace(event);
  switch (rule.over) {
    case 'mission':
      return rule.apply(state, event, at);
    case 'beginning':
      return beginOrRevise(state, event, at, (inCourse) => rule.apply(inCourse, event));
    case 'all steps':
      return follow(state, event, at, (inMission) => rule.apply(inMission, event));
    case 'course':
      return followStep(state, event, at, (inCourse) => rule.apply(inCourse, event));
    default:
      return outOfPlace(event);
  }
}

function outOfPlace({ event_type }: Event): Verdict<State> {
  return refuse('event_out_of_place', { event_type });
}

/** What concerns a ledger as a whole carries its id as its task; notes and artifacts may belong to either. */
function isAboutItsTask(state: State, { event_type, task_id }: Event): boolean {
  if (state.kind === 'project') return task_id === state.project_id;
  const { about } = PLACES[event_type];
  if (about === 'new_task') return true;
  if (task_id === state.ledger_id) return about !== 'task';
  return about !== 'ledger' && state.tasks[task_id] !== undefined;
}
