// What each event type says of itself beside its rights, written out: a word more or less makes events legal that were not,
// refuses good ones, or makes honest writers name another cause.
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, PLACES, type Event, type EventType } from '../../src/kernel/event.ts';
import type { Because, Traits } from '../../src/kernel/traits.ts';
import { isAftercare, isCalledOff, isHeldBack, isStopped, needsPaths } from '../../src/kernel/stops.ts';

/** Every type, and what it says; in brackets, where its payload decides. */
const SAID = `
  project.opened         starts inProofs
  roster.updated         starts inProofs carried
  key.cut_off            starts inProofs carried
  mission.registered     far
  claims.released        far
  tree_head.recorded     far
  halt.declared          starts
  halt.lifted
  policy.revised         starts
  mission.opened         starts inProofs follows
  roster.adopted         starts inProofs carried aftercare
  cut_off.adopted        starts inProofs carried aftercare
  ingress.recorded       starts aftercare fromAnybody
  mission.proposed       untilCancelled
  plan.computed          untilCancelled untilHalted
  mission.cancelled
  mission.held           untilCancelled
  mission.unheld         untilCancelled
  mission.ended          (untilCancelled)
  projection.anchored
  step.created
  attempt.created        draws untilCancelled (untilHeld)
  context.compiled
  attempt.succeeded      untilCancelled untilHeld
  attempt.failed
  attempt.cancelled
  attempt.superseded
  action.requested       draws
  policy.evaluated       draws
  approval.requested     draws untilCancelled
  vote.cast              draws untilCancelled
  vote.withdrawn
  approval.granted       untilCancelled
  approval.denied
  approval.expired
  approval.invalidated
  grant.issued           draws untilCancelled untilHalted untilHeld
  grant.revoked
  lease.acquired         untilCancelled untilHeld
  lease.released
  lease.expired
  cell.spawned           draws (untilCancelled) (untilHalted) (untilHeld) (needsPaths)
  cell.closed
  done.claimed
  blocked.raised
  work.proposed          untilCancelled
  work.refused
  verification.recorded
  effects.computed
  effect.intended        draws untilCancelled untilHalted untilHeld needsPaths
  effect.observed
  decision.recorded      draws
  receipt.issued         draws
  task.created
  task.readied
  task.started
  task.blocked
  task.unblocked
  task.paused
  task.resumed
  task.completed
  task.failed
  task.cancelled
  task.rolled_back
  note.recorded          starts beside
  artifact.recorded      starts beside aftercare
  artifact.erased        starts beside aftercare
  ledger.repaired        starts inProofs aftercare
  ledger.sealed          starts inProofs aftercare
  trust.annotated        starts inProofs aftercare
`;

/**
 * What honest writers look for: in the same transaction alone, then anywhere. `.x` is what the payload has as x, `@x` what
 * the step at hand has, `id` the thing itself; a type that is not here looks for that alone, or starts a chain.
 */
const SOUGHT = `
  type                                               here                                                          anywhere
  halt.lifted                                        -                                                             halt.declared
  mission.proposed                                   .ingress_id                                                   ingress.recorded
  plan.computed                                      mission.proposed ingress.recorded                             mission.proposed
  projection.anchored                                -                                                             ingress.recorded
  mission.cancelled                                  -                                                             ingress.recorded
  mission.held                                       -                                                             ingress.recorded
  mission.unheld                                     -                                                             ingress.recorded
  mission.ended                                      -                                                             @attempt
  task.created                                       -                                                             plan.computed
  step.created                                       -                                                             plan.computed
  attempt.created                                    -                                                             .resume_from_ref plan.computed
  action.requested                                   @attempt plan.computed                                        @attempt
  policy.evaluated                                   -                                                             .action_request_ref
  approval.requested approval_type=plan              policy.evaluated                                              .requested_action_ref
  approval.requested approval_type=effects           -                                                             @attempt
  vote.cast                                          ingress.recorded                                              .approval_id
  vote.withdrawn                                     ingress.recorded                                              .approval_id
  approval.granted                                   vote.cast                                                     last_vote id
  approval.denied                                    ingress.recorded                                              id
  grant.issued                                       -                                                             .approval_ref .policy_result_ref
  lease.acquired mode=isolated                       -                                                             @run @attempt
  lease.acquired mode=mutable                        -                                                             @attempt
  lease.released                                     attempt.succeeded attempt.failed cell.closed receipt.issued   id
  lease.expired                                      attempt.succeeded attempt.failed cell.closed receipt.issued   id
  task.started                                       -                                                             @run
  context.compiled                                   lease.acquired                                                @lease
  cell.spawned                                       -                                                             .grant_id
  cell.spawned grant_id=                             -                                                             work.proposed
  effect.intended                                    -                                                             .grant_id
  done.claimed                                       cell.spawned                                                  @cell
  blocked.raised                                     cell.spawned                                                  @cell
  work.proposed                                      cell.spawned                                                  @cell
  work.refused                                       cell.spawned                                                  @cell
  verification.recorded                              -                                                             work.proposed
  effects.computed                                   -                                                             verification.recorded
  decision.recorded                                  -                                                             .subject_ref
  receipt.issued receipt_class=publish               .decision_ref .subject_ref receipt.issued                     .decision_ref .subject_ref receipt.issued @attempt
  receipt.issued receipt_class=approval_resolution   .decision_ref .approval_ref .policy_result_ref .subject_ref receipt.issued   .decision_ref .approval_ref .policy_result_ref .subject_ref receipt.issued @attempt
  attempt.succeeded                                  -                                                             receipt.issued @attempt
  attempt.failed                                     receipt.issued                                                @attempt
  attempt.cancelled                                  receipt.issued                                                @attempt
  task.blocked                                       approval.requested @attempt                                   @attempt
  task.unblocked                                     approval.granted                                              @attempt
  task.completed                                     -                                                             @attempt
  task.failed                                        -                                                             @attempt
  task.cancelled                                     -                                                             @attempt
`;

const AT_HAND = { attempt: '@attempt', lease: '@lease', cell: '@cell', runs: ['@run'] };
/** Tried elsewhere: the rights in roles.test.ts, the causes below. */
const ELSEWHERE: readonly (keyof Traits)[] = ['in', 'about', 'by', 'because'];

const said = rows(SAID).map(([type, words = '']) => [type as EventType, words.split(' ').filter(Boolean)] as const);
const sought = rows(SOUGHT)
  .slice(1)
  .map(([of, here, anywhere]) => {
    const [type, given] = of!.split(' ') as [EventType, string | undefined];
    return { type, given, here: listed(here!), anywhere: listed(anywhere!) };
  });

describe('what the event types say of themselves', () => {
  it('is what is written here', () => {
    const actual = Object.entries(PLACES).map(([type, place]) => {
      const fields = Object.entries(place as Record<string, unknown>).filter(
        ([field, value]) => value !== false && !ELSEWHERE.includes(field as keyof Traits),
      );
      const words = fields.map(([field, value]) =>
        typeof value === 'function' && field !== 'far' ? `(${field})` : field,
      );
      return [type, words.toSorted()];
    });
    expect(Object.fromEntries(actual)).toEqual(
      Object.fromEntries(said.map(([type, words]) => [type, words.toSorted()])),
    );
  });

  it('is written for every type that there is', () => {
    expect(said.map(([type]) => type).toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  it.each([
    ['mission.registered', 'mission_id'],
    ['claims.released', 'mission_id'],
    ['tree_head.recorded', 'ledger_id'],
  ] as const)('%s may name an event of the ledger in its %s', (type, field) => {
    expect(PLACES[type].far!(payloadOf() as never)).toBe(`.${field}`);
  });
});

describe.each(said)('%s', (type, words) => {
  it('is asked for what it says', () => {
    const event = { event_type: type, payload: {} } as Event;
    expect(isAftercare(event.event_type)).toBe(words.includes('aftercare'));
    expect(isStopped(event)).toBe(words.includes('untilHalted'));
    expect(needsPaths(event)).toBe(words.includes('needsPaths'));
    expect(isHeldBack(event)).toBe(words.includes('untilHeld'));
    if (type !== 'mission.ended') expect(isCalledOff(event)).toBe(words.includes('untilCancelled'));
  });
});

describe('where the payload decides', () => {
  it.each([
    ['agent', true],
    ['check', false],
  ])('a cell of an %s begins something: %s', (purpose, begins) => {
    const event = { event_type: 'cell.spawned', payload: { purpose } } as Event;
    const asked = [isStopped, isCalledOff, isHeldBack, needsPaths].map((is) => is(event));
    expect(asked).toEqual([begins, begins, begins, begins]);
  });

  it.each([
    [1, false],
    [2, true],
    [16, true],
  ])('attempt %s waits until nobody holds the mission: %s', (attempt_no, waits) => {
    expect(isHeldBack({ event_type: 'attempt.created', payload: { attempt_no } } as Event)).toBe(waits);
  });

  it.each([
    ['cancelled', false],
    ['done', true],
    ['failed', true],
    ['expired', true],
  ])('a mission that was called off does not end as %s: %s', (outcome, isKept) => {
    expect(isCalledOff({ event_type: 'mission.ended', payload: { outcome } } as Event)).toBe(isKept);
  });
});

describe('what honest writers look for', () => {
  it.each(sought)('as the cause of $type $given', ({ type, given, here, anywhere }) => {
    const because = PLACES[type].because as Because<unknown>;
    const found = because({ entity_id: 'id', payload: payloadOf(given) }, AT_HAND);
    expect({ here: found.here ?? [], of: found.of }).toEqual({ here, of: anywhere });
  });

  it('stands here for every type that says so', () => {
    const saying = [...EVENT_TYPES].filter((type) => PLACES[type as EventType].because !== undefined);
    expect([...new Set(sought.map(({ type }) => type))].toSorted()).toEqual(saying.toSorted());
  });

  it('is nothing where a chain starts', () => {
    const both = Object.values(PLACES).filter(({ starts, because }) => starts === true && because !== undefined);
    expect(both).toEqual([]);
  });
});

/** Every field of it is its own name. */
function payloadOf(given = ''): object {
  const [field, value] = given.split('=') as [string, string | undefined];
  const fields: Record<string, unknown> = { votes: ['first_vote', 'last_vote'], [field]: value === '' ? null : value };
  return new Proxy(fields, { get: (own, name) => own[String(name)] ?? (name in own ? null : `.${String(name)}`) });
}

function rows(table: string): string[][] {
  const lines = table.trim().split('\n');
  return lines.map((line) => line.trim().split(/ {2,}/u));
}

function listed(words: string): string[] {
  return words === '-' ? [] : words.split(' ');
}
