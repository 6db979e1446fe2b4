// What a liar appends: something that is honest in itself, under the liar's own key, cut and joined and with fields changed to
// what else the history holds. Always well-formed, so that only a rule can refuse it.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { planDigest } from '../../src/kernel/course/plan.ts';
import { effectsDigest } from '../../src/kernel/effect/evolve.ts';
import type { Event } from '../../src/kernel/event.ts';
import { allCaused } from '../support/causes.ts';
import { MISSION, type Name } from './cast.ts';
import type { Draw } from './draw.ts';
import { fieldOf, leavesOf, mapped, otherValue, replaced, thingsNamedBy, valueAt, type Path } from './fields.ts';
import * as glance from './glance.ts';
import type { Temper } from './temper.ts';
import { BRINGS_INTO_BEING, isAbout, partOtherwise, template } from './templates.ts';
import type { World } from './world.ts';

export type Lie = { readonly by: Name; readonly events: readonly Event[] };

/** A transaction of a liar. */
export function lie(world: World, temper: Temper, draw: Draw): Lie {
  const by = draw.of(temper.liar);
  const events = template(world, by, temper, draw);
  const isTwo = draw.percent(12);
  const isLeft = !draw.percent(temper.changes);
  return toldAs(
    world,
    by,
    isTwo ? joined(events, template(world, by, temper, draw), draw) : events,
    temper,
    draw,
    isLeft,
  );
}

/** What is the liar's own part to do, done otherwise. */
export function lieInstead(world: World, by: Name, due: readonly Event[], temper: Temper, draw: Draw): Lie {
  const isOfSomethingElse = draw.percent(25);
  const part = isOfSomethingElse ? partOtherwise(world, by, temper, draw) : due;
  return toldAs(world, by, part, temper, draw, isOfSomethingElse && draw.percent(60));
}

function toldAs(world: World, by: Name, from: readonly Event[], temper: Temper, draw: Draw, isLeft: boolean): Lie {
  let events = from;
  if (!isLeft)
    do if (events.length > 0) events = changed(world, events, temper, draw);
    while (draw.percent(30));
  const spoken = events.map((event) => spokenBy(world, by, event, draw));
  return { by, events: explained(world, draw.percent(92) ? mended(world, spoken) : spoken, temper, draw) };
}

function joined(events: readonly Event[], more: readonly Event[], draw: Draw): Event[] {
  const at = draw.below(events.length + 1);
  return [...events.slice(0, at), ...more, ...events.slice(at)];
}

function changed(world: World, events: readonly Event[], temper: Temper, draw: Draw): readonly Event[] {
  const at = place(events, temper, draw);
  const event = events[at]!;
  switch (draw.weighted({ field: 8, thing: 1, out: 2, end: 2, alone: 1, twice: 2, moved: 1 })) {
    case 'field':
      return withOtherField(world, events, at, temper, draw);
    case 'thing':
      return events.with(at, { ...event, entity_id: draw.of(things(world, event)) });
    case 'out':
      return events.filter((_, n) => n !== at);
    case 'end':
      return events.slice(0, at + 1);
    case 'alone':
      return [event];
    case 'twice':
      return [...events, asAnother(world, event, draw)];
    case 'moved':
      return [...events.filter((_, n) => n !== at), event];
  }
}

/** Mostly what this walk is about. */
function place(events: readonly Event[], temper: Temper, draw: Draw): number {
  const about = [...events.keys()].filter((n) => isAbout(events[n]!, temper));
  return about.length > 0 && draw.percent(65) ? draw.of(about) : draw.below(events.length);
}

function things(world: World, event: Event): string[] {
  return [...world.log.map((one) => one.event.entity_id), event.entity_id];
}

function asAnother(world: World, event: Event, draw: Draw): Event {
  const entity_id =
    BRINGS_INTO_BEING.test(event.event_type) && draw.percent(70) ? world.names()('another') : event.entity_id;
  return { ...event, entity_id };
}

/** In one place, or wherever the transaction says the same: then what follows from it fits. */
function withOtherField(
  world: World,
  events: readonly Event[],
  n: number,
  { field }: Temper,
  draw: Draw,
): readonly Event[] {
  const wanted = draw.percent(70) ? withField(events, field) : [];
  const { at, path } = wanted.length > 0 ? draw.of(wanted) : { at: n, path: placeToChange(world, events[n]!, draw) };
  if (path === undefined) return events;
  const value = valueAt(events[at]!.payload, path);
  const other = otherValue(world, path, value, draw, events);
  if (typeof value !== 'string' || value.length < 4 || !draw.percent(50))
    return events.with(
      at,
      replaced(events[at]!, ['payload', ...path], () => other),
    );
  return events.map(
    (one) => ({ ...one, payload: mapped(one.payload, (each) => (each === value ? other : each)) }) as Event,
  );
}

/** Every place that has the field which this liar would rather have otherwise. */
function withField(events: readonly Event[], field: string | undefined): { at: number; path: Path }[] {
  if (field === undefined) return [];
  return events.flatMap(({ payload }, at) =>
    leavesOf(payload)
      .filter((path) => path.includes(field))
      .map((path) => ({ at, path })),
  );
}

function placeToChange(world: World, event: Event, draw: Draw): Path | undefined {
  const places = leavesOf(event.payload);
  if (places.length === 0) return undefined;
  // What names nothing could name something.
  const empty = places.filter(
    (path) => valueAt(event.payload, path) === null && thingsNamedBy(world, fieldOf(path))[0],
  );
  if (empty.length > 0 && draw.percent(25)) return draw.of(empty);
  const telling = places.filter((path) => !SAYS_LITTLE.test(fieldOf(path)));
  return draw.of(telling.length > 0 && draw.percent(85) ? telling : places);
}

/** What no other event takes up. */
const SAYS_LITTLE =
  /^(reasons|risk|witness_required|reversibility_hint|replay_class|result_summary|approval_packet_ref|reason|budget_minutes|ttl_minutes|plan|limits|cpu|memory|processes|uid|epoch|manifest|manifest_hash|seed_id|role|workspace_id|conversation_id|chosen_task_id|raw_text|normalized_text|output|facts|scope_audit|changed_paths|claim|contract|digits|policy|revision|self_approved|executor_mode|context_pack_ref|number|oid|issue|repository|rationale|evidence_refs|summary|reversible|risk_level|decision_type|source_channel|resolution|status)$/;

/** Gate and writer may name whomever they speak for; everybody else speaks for themselves, or tries. */
function spokenBy(world: World, by: Name, event: Event, draw: Draw): Event {
  const { members } = world.roster;
  const self = members.find((one) => one.principal_id === by);
  const isRelayed = (by === 'gil' || by === 'wim') && event.actor_id !== by && draw.percent(70);
  if (isRelayed) return event;
  const who = draw.percent(4) ? draw.of(members) : self;
  const isSomebody = !draw.percent(1.5);
  return {
    ...event,
    actor_id: isSomebody ? (who?.principal_id ?? by) : 'nobody',
    actor_type: draw.percent(98.5) ? (who?.principal_type ?? 'user') : draw.of(['user', 'agent', 'service'] as const),
  };
}

/** With causes as honest writers name them, mostly; now and then with others of the history, or with none. */
function explained(world: World, events: readonly Event[], temper: Temper, draw: Draw): Event[] {
  const names = world.names();
  const said = [...events].map((event, n): Event => {
    const event_id = names(`lie ${n}`);
    const occurred_at = draw.percent(96) ? world.now : world.in(draw.of(OTHER_TIMES));
    const key = event.idempotency_key === event.event_id ? event_id : event.idempotency_key;
    return { ...event, event_id, occurred_at, causation_id: null, idempotency_key: key };
  });
  return [...allCaused(said, world.state)].map((event) =>
    draw.percent(temper.reasons) ? misattributed(world, event, draw) : event,
  );
}

/** Mostly near: whoever dates far ahead leaves everybody else behind, and nothing more happens. */
const OTHER_TIMES = [-280, -280, -1000, -100_000, 200, 200, 200, 200, 5000, 400_000] as const;

function misattributed(world: World, event: Event, draw: Draw): Event {
  const other = world.log.length === 0 ? event : draw.of(world.log).event;
  switch (draw.weighted({ cause: 2, none: 1, never: 1, asked: 2, key: 2, attempt: 1 })) {
    case 'cause':
      return { ...event, causation_id: other.event_id };
    case 'none':
      return { ...event, causation_id: null };
    case 'never':
      return { ...event, causation_id: world.names()('never') };
    case 'asked':
      return { ...event, correlation_id: draw.of([other.correlation_id, world.names()('asked')]) };
    case 'key':
      return { ...event, idempotency_key: draw.of([other.idempotency_key, other.entity_id, event.event_id]) };
    case 'attempt':
      return other.attempt_id === undefined ? event : { ...event, attempt_id: other.attempt_id };
  }
}

/** What follows from other fields follows again, so that a lie is not refused for a slip of the pen. */
function mended(world: World, events: readonly Event[]): Event[] {
  const digests = new Map<unknown, string>();
  let fence = glance.fenceOf(world.state);
  let heard: Heard | undefined;
  return events.map((event) => {
    if (event.event_type === 'ingress.recorded') heard = event;
    if (event.event_type === 'lease.acquired') fence += 1;
    const payload = mapped(event.payload as unknown, (value) => digests.get(value) ?? value) as Payload;
    const said = fitting(world, { ...event, payload } as Event, { fence, heard, isAlone: events.length === 1 });
    const right = withDigest(world, said);
    const digest = digestIn(right);
    if (digest !== undefined) digests.set(digestIn(event), digest);
    return right;
  });
}

type Heard = Extract<Event, { event_type: 'ingress.recorded' }>;
type Payload = Record<string, unknown>;
type Around = { readonly fence: number; readonly heard: Heard | undefined; readonly isAlone: boolean };

function fitting({ state }: World, event: Event, { fence, heard, isAlone }: Around): Event {
  const payload: Payload = { ...event.payload };
  if ('fence' in payload) payload['fence'] = fence;
  if ('forge' in payload && payload['forge'] !== null && heard !== undefined && heard !== event)
    payload['forge'] = heard.payload.forge ?? payload['forge'];
  switch (event.event_type) {
    case 'mission.proposed':
      payload['revision'] = glance.revisionOf(state) + 1;
      payload['ingress_id'] = heard?.entity_id ?? payload['ingress_id'];
      break;
    case 'vote.cast':
      payload['digest'] = glance.digestOf(state, event.payload.approval_id) ?? payload['digest'];
      break;
    case 'approval.requested':
      payload['expires_at'] = glance.expiryOf(state, event.payload.carries ?? '') ?? payload['expires_at'];
      break;
    case 'approval.granted':
      if (!isAlone) break;
      payload['digest'] = glance.digestOf(state, event.entity_id) ?? payload['digest'];
      payload['votes'] = glance.votesFor(state, event.entity_id) ?? payload['votes'];
      break;
    default:
      break;
  }
  return { ...event, payload } as Event;
}

function digestIn(event: Event): string | undefined {
  if (event.event_type === 'plan.computed') return event.payload.plan_digest;
  return event.event_type === 'effects.computed' ? event.payload.effects_digest : undefined;
}

function withDigest(world: World, event: Event): Event {
  if (event.event_type === 'plan.computed') return withPlanDigest(world, event);
  return event.event_type === 'effects.computed' ? withEffectsDigest(world, event) : event;
}

function withPlanDigest({ state }: World, event: Extract<Event, { event_type: 'plan.computed' }>): Event {
  const { plan_digest: _, ...said } = event.payload;
  const terms = { ...said, revision: glance.revisionOf(state), proposal: glance.proposalOf(state) ?? said.proposal };
  return { ...event, payload: { ...terms, plan_digest: planDigest(nodeCrypto, MISSION, terms) } };
}

function withEffectsDigest({ state }: World, event: Extract<Event, { event_type: 'effects.computed' }>): Event {
  const attempt_id = glance.atHand(state)?.attempt;
  const commit = glance.workOf(state);
  if (attempt_id === undefined || commit === undefined) return event;
  const { effects } = event.payload;
  const about = { mission_id: MISSION, attempt_id, commit };
  return { ...event, payload: { ...event.payload, effects_digest: effectsDigest(nodeCrypto, about, effects) } };
}
