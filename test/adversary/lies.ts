// What a liar appends: something an honest party would say now, or said before, or says in another mission, under the
// liar's own key, with fields changed to what else the history holds. Always well-formed, so that only a rule can refuse it.
import { courseOf } from '../../src/kernel/course/steps.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { planDigest } from '../../src/kernel/course/plan.ts';
import { effectsDigest } from '../../src/kernel/effect/evolve.ts';
import type { Event } from '../../src/kernel/event.ts';
import { MISSION, ROSTER, type LIARS, type Name } from './cast.ts';
import type { Draw } from './draw.ts';
import { honestStep, type Wish } from './honest.ts';
import type { World } from './world.ts';
import { allCaused } from '../support/causes.ts';

export type Liar = (typeof LIARS)[number];

/** A transaction of a liar. `library` is what honest parties said in other missions. */
export function lie(
  world: World,
  liar: Liar,
  wish: Wish,
  draw: Draw,
  library: readonly Event[],
): { by: Name; events: Event[] } {
  const by = draw.of(liar);
  const templates = draw.percent(40) ? nextOfAnybody(world, wish, draw) : [takenFrom(world, draw, library)];
  const names = world.names();
  const lied = templates.map((template, n) => ({
    ...template,
    event_id: names(`lie ${n}`),
    causation_id: null,
    idempotency_key: template.idempotency_key === template.event_id ? names(`lie ${n}`) : template.idempotency_key,
    occurred_at: draw.percent(90) ? world.now : world.in(draw.of([-200, 200_000])),
    ...speaking(by, draw),
  }));
  const at = draw.below(lied.length);
  const events = lied.map((event, n) =>
    n === at || draw.percent(10) ? mended(world, altered(world, event, draw)) : event,
  );
  return { by, events: explained(world, events.slice(0, 1 + draw.below(events.length + 4)), draw) };
}

/** With causes as honest writers name them, mostly; now and then with any event of the history, or with none. */
function explained(world: World, events: readonly Event[], draw: Draw): Event[] {
  return [...allCaused(events, world.state)].map((event) =>
    draw.percent(92)
      ? event
      : { ...event, causation_id: draw.of([null, ...world.log.map((one) => one.event.event_id)]) },
  );
}

/** All of what some honest party would append now, whoever that is; where nobody has anything to do, the last word again. */
function nextOfAnybody(world: World, wish: Wish, draw: Draw): Event[] {
  const step = honestStep(world, wish, draw);
  return step === undefined ? world.log.slice(-1).map(({ event }) => event) : world.written(step.by, step.drafts);
}

/** One event of this history or of another's, taken to be about what is at hand here. */
function takenFrom(world: World, draw: Draw, library: readonly Event[]): Event {
  const own = world.log.map(({ event }) => event);
  const template = draw.of(draw.percent(40) && own.length > 0 ? own : library);
  const isNew = draw.percent(60) && BRINGS_INTO_BEING.test(template.event_type);
  const entity: Readonly<Record<string, string>> = isNew ? { entity_id: world.names()('liar entity') } : {};
  const changes = { ...atHand(world, template), ...entity, payload: rebound(world, template.payload) };
  // Not spread as an event: the union of all types, spread into itself, is more than a type checker can hold.
  return mended(world, Object.assign({}, template, changes));
}

/** The task, step and attempt that an event of its kind is about here. */
function atHand(world: World, { event_type, attempt_id }: Event): Readonly<Record<string, string>> {
  const { step = null, attempt = null } = (world.state && courseOf(world.state)) ?? {};
  if (step === null) return {};
  if (event_type.startsWith('task.')) return { task_id: step.task, entity_id: step.task };
  if (attempt === null || attempt_id === undefined) return {};
  const about = { attempt_id: attempt.id, step_id: step.id, task_id: step.task };
  const isOfAttempt = event_type.startsWith('attempt.') && event_type !== 'attempt.created';
  return isOfAttempt ? { ...about, entity_id: attempt.id } : about;
}

/** Types whose events make a thing, so that a second one needs a name of its own. */
const BRINGS_INTO_BEING =
  /^(action\.requested|policy\.|approval\.requested|vote\.|grant\.issued|lease\.acquired|cell\.spawned|effect\.intended|receipt\.|ingress\.|decision\.)/;

/** Gate and writer may name whomever they speak for; everybody else speaks for themselves. */
function speaking(by: Name, draw: Draw): Pick<Event, 'actor_id' | 'actor_type'> {
  const speaksForOthers = (by === 'gil' || by === 'wim') && draw.percent(50);
  const actor = speaksForOthers ? draw.of(ROSTER.members) : ROSTER.members.find((one) => one.principal_id === by)!;
  return { actor_id: actor.principal_id, actor_type: actor.principal_type };
}

/** Which kind of thing a field names, so that a template of another mission points at this one's. */
const NAMED_BY: Readonly<Record<string, string>> = {
  approval_id: 'approval',
  approval_ref: 'approval',
  carries: 'approval',
  action_request_ref: 'action_request',
  requested_action_ref: 'action_request',
  capability_grant_ref: 'grant',
  grant_id: 'grant',
  policy_result_ref: 'policy_result',
  subject_ref: 'effect',
  ingress_id: 'ingress',
};

function rebound<T>(world: World, payload: T): T {
  return mapped(payload, (value, field) => {
    const kind = NAMED_BY[field];
    if (kind === undefined || value === null) return value;
    return world.log.findLast(({ event }) => event.entity_type === kind)?.event.entity_id ?? value;
  }) as T;
}

/** One or two fields changed to something else that the history holds under that name, or to something near. */
function altered(world: World, event: Event, draw: Draw): Event {
  const leaves = leavesOf(event.payload);
  if (leaves.length === 0) return event;
  let payload: unknown = event.payload;
  for (let n = 0; n <= draw.below(2); n++) {
    const path = draw.of(leaves);
    payload = replaced(payload, path, (value) => otherValue(world, String(path.at(-1)), value, draw));
  }
  const entity = draw.percent(10)
    ? draw.of(world.log.map((one) => one.event.entity_id).concat(event.entity_id))
    : event.entity_id;
  return { ...event, entity_id: entity, payload } as Event;
}

function otherValue(world: World, field: string, value: unknown, draw: Draw): unknown {
  const own = world.log.flatMap(({ event }) =>
    leavesOf(event.payload)
      .filter((path) => path.at(-1) === field)
      .map((path) => at(event.payload, path)),
  );
  const more = OTHERS[field] ?? [];
  const ids = typeof value === 'string' && UUID.test(value) ? world.log.map(({ event }) => event.entity_id) : [];
  const near =
    typeof value === 'number'
      ? [value + 1, Math.max(0, value - 1), 0, 3, 64]
      : typeof value === 'boolean'
        ? [!value]
        : [];
  const people =
    field === 'principal_id' || field.endsWith('_principal_id') ? ROSTER.members.map((one) => one.principal_id) : [];
  const pool = [...own, ...more, ...ids, ...near, ...people].filter((other) => other !== undefined);
  return pool.length === 0 ? value : draw.of(pool);
}

const UUID = /^[0-9a-f]{8}-/;

/** Words that a liar would like to say, by field. */
const OTHERS: Readonly<Record<string, readonly unknown[]>> = {
  tier: [0, 1, 2, 3],
  quorum: [0, 1, 2],
  result: ['allow', 'require_approval', 'deny'],
  result_code: ['succeeded', 'failed', 'refused', 'denied', 'unknown_outcome'],
  receipt_class: ['publish', 'command_execution', 'approval_resolution', 'observation_resolution'],
  outcome: ['applied', 'not_applied', 'refused', 'failed', 'unknown_outcome', 'done', 'cancelled', 'completed'],
  because: ['verify_failed', 'runner_lost', 'sandbox_missing', 'verified', 'cell_failed'],
  kind: ['push_branch', 'open_pull_request', 'post_comment', 'write_local_branch', null],
  action_class: ['vcs_mutation', 'publication', 'execute_command', 'read_local'],
  choice: ['approve', 'reject'],
  verdict: ['satisfied', 'unsatisfied'],
  exit_code: [0, 1],
  backend: ['process', 'docker'],
  mode: ['isolated', 'mutable'],
  user_id: [11, 12, 13, 14, 99],
  forge_user_id: [11, 12, 13, 14, 99, null],
  approval_ref: [null],
  proposers: [],
  target: ['main', 'lazarus-work/m/1'],
  forge: [null],
};

/** What follows from other fields follows again, so that the lie is not refused for a slip of the pen. */
function mended(world: World, event: Event): Event {
  const { course } = world.state ?? {};
  const payload = { ...event.payload } as Record<string, unknown>;
  if (course !== undefined && 'fence' in payload)
    payload['fence'] = event.event_type === 'lease.acquired' ? course.fence + 1 : course.fence;
  if (event.event_type === 'mission.proposed') payload['revision'] = (course?.revision ?? 0) + 1;
  if (event.event_type === 'vote.cast' || event.event_type === 'approval.granted') {
    const id = event.event_type === 'vote.cast' ? String(payload['approval_id']) : event.entity_id;
    payload['digest'] = course?.approvals[id]?.digest ?? payload['digest'];
  }
  if (event.event_type === 'plan.computed' && course !== undefined) {
    const { plan_digest: _, ...terms } = {
      ...event.payload,
      ...payload,
      revision: course.revision,
      proposal: course.proposal,
    };
    return { ...event, payload: { ...terms, plan_digest: planDigest(nodeCrypto, MISSION, terms) } };
  }
  const { id, work } = (world.state && courseOf(world.state))?.attempt ?? {};
  if (event.event_type === 'effects.computed' && id !== undefined && work !== undefined && work !== null) {
    const about = { mission_id: MISSION, attempt_id: id, commit: work.commit };
    const { effects } = event.payload;
    return {
      ...event,
      payload: { ...event.payload, effects, effects_digest: effectsDigest(nodeCrypto, about, effects) },
    };
  }
  return { ...event, payload } as Event;
}

type Path = readonly (string | number)[];

function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path];
  const inside = Object.entries(value).flatMap(([key, one]) =>
    leavesOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return Array.isArray(value) && path.length > 0 ? [...inside, path] : inside;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inside, step) => (inside as Record<string | number, unknown> | null)?.[step], value);
}

function replaced(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((one, n) => (n === step ? replaced(one, rest, change) : one));
  const record = value as Record<string | number, unknown>;
  return { ...record, [step]: replaced(record[step], rest, change) };
}

function mapped(value: unknown, change: (value: unknown, field: string) => unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, change, field));
  if (typeof value !== 'object' || value === null) return change(value, field);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapped(one, change, key)]));
}
