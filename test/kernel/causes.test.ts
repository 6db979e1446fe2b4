// Why things happened: what an event may name as its cause, what an attempt's events carry, and that in an honest mission
// every chain leads back to words that came in or to something else that may start one.
import { describe, expect, it } from 'vitest';
import { MAY_START } from '../../src/kernel/cause/rule.ts';
import type { Event, EventType } from '../../src/kernel/event.ts';
import type { MissionState, State } from '../../src/kernel/state.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import {
  approved,
  ID,
  ingress,
  onAttempt,
  planned,
  proposal,
  relayed,
  VIC,
  vote,
  type Said,
} from '../support/course/asked.ts';
import { effectsComputed, intended, observed, receipt, requestOf } from '../support/course/caused.ts';
import { leased } from '../support/course/worked.ts';
import { allCaused, caused } from '../support/causes.ts';
import { courseAt, courseRoster, eventsUpTo, recordedFor, type Stage } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { rosterAdoption } from '../support/examples.ts';
import {
  CAST,
  fact,
  HEAD,
  MISSION,
  missionAfter,
  missionOpened,
  openedMission,
  openedProject,
  PROJECT,
  when,
} from '../support/given.ts';
import { nextRoster, type TestKey } from '../support/people.ts';

const NEVER = uuid('never');

/** The event as it is said, and nothing filled in for it. */
function asSaid(state: State, event: Event, by: TestKey, more: readonly string[] = []): Verdict<State> {
  return when(state, event, by, { nameable: new Set([...Object.values(state.causes.moved), ...more]) });
}

function honest<E extends Event>(state: State, event: E): E {
  return caused(event, { state, earlier: [] });
}

/** Every event of the honest walk as it was accepted. */
function walked(stage: Stage): { readonly state: MissionState; readonly events: readonly Event[] } {
  let state = openedMission(openedProject(courseRoster()));
  const events: Event[] = [missionOpened(CAST.gate)];
  for (const { event, by } of eventsUpTo(stage, { tier: 2 })) {
    const meant = honest(state, event);
    events.push(meant);
    state = missionAfter(asSaid(state, meant, by));
  }
  return { state, events };
}

describe('a cause', () => {
  const voted = courseAt('voted');
  const granting = honest(voted, approved({}, [VIC]));

  it('is the event that moved what it is about', () => {
    expect(granting.causation_id).toBe(voted.causes.moved[granting.payload.votes[0]!]);
    expect(asSaid(voted, granting, CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it.each([NEVER, granting.event_id])('is not one that never was, nor the event itself (%s)', (causation_id) => {
    expect(asSaid(voted, { ...granting, causation_id }, CAST.gate)).toMatchObject({ code: 'cause_unknown' });
  });

  it('may be an event before it in the same transaction', () => {
    expect(asSaid(voted, { ...granting, causation_id: NEVER }, CAST.gate, [NEVER])).toMatchObject({ is: 'accepted' });
  });

  it('is owed by everything that does not start a chain', () => {
    expect(asSaid(voted, { ...granting, causation_id: null }, CAST.gate)).toMatchObject({ code: 'cause_missing' });
    const note = fact(
      'note.recorded',
      { bytes: 1, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' },
      CAST.gate,
    );
    expect(asSaid(voted, note, CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('is forgotten when its matter is closed', () => {
    const { events } = walked('leased');
    const lease = events.find(({ event_type }) => event_type === 'lease.acquired')!.event_id;
    const { state } = walked('closed');
    expect(Object.values(walked('leased').state.causes.moved)).toContain(lease);
    expect(Object.values(state.causes.moved)).not.toContain(lease);
    const event = honest(state, onAttempt('effects.computed', effectsComputed().payload, CAST.writer));
    expect(asSaid(state, { ...event, causation_id: lease }, CAST.writer)).toMatchObject({ is: 'refused' });
  });

  it('stays few: what a mission remembers ends with it', () => {
    const { state } = walked('ended');
    expect(Object.keys(state.causes.moved).toSorted()).toEqual([state.ledger_id, 'ingress.recorded'].toSorted());
  });
});

describe('a cause in another ledger', () => {
  const cause = { index: 0, leaf: 'ca'.repeat(32), ledger_id: PROJECT };

  it('is none of what happens in a mission', () => {
    const state = courseAt('voted');
    const event = { ...approved({}, [VIC]), cause };
    expect(asSaid(state, honest(state, event), CAST.gate)).toMatchObject({ code: 'cause_misplaced' });
  });

  it('may be the end of another mission for one that goes on from it, and neither its own nor its project’s', () => {
    const project = openedProject();
    const from = (ledger_id: string, causation_id: string | null = null) => {
      const event = { ...missionOpened(CAST.gate), causation_id, cause: { ...cause, ledger_id } };
      return when(undefined, event, CAST.gate, { parent: { head: HEAD, state: project } });
    };
    expect(from(uuid('another mission'))).toMatchObject({ is: 'accepted' });
    for (const other of [MISSION, PROJECT]) expect(from(other)).toMatchObject({ code: 'cause_misplaced' });
    expect(from(uuid('another mission'), uuid('an event'))).toMatchObject({ code: 'cause_misplaced' });
  });

  it('is none of what a mission adopts: `from` says where the project has it', () => {
    const state = courseAt('awaiting');
    const event = honest(state, fact('roster.adopted', rosterAdoption(nextRoster(state.roster)), CAST.gate));
    expect(event.causation_id).toBeNull();
    expect(asSaid(state, event, CAST.gate)).toMatchObject({ is: 'accepted' });
    expect(asSaid(state, { ...event, cause }, CAST.gate)).toMatchObject({ code: 'cause_misplaced' });
  });
});

describe('what asked for an attempt', () => {
  it('is carried by everything of it', () => {
    const { events } = walked('ended');
    const asked = events.find(({ event_type }) => event_type === 'ingress.recorded')!.correlation_id;
    const ofAttempt = events.filter(({ attempt_id }) => attempt_id !== undefined);
    expect(new Set(ofAttempt.map(({ correlation_id }) => correlation_id))).toEqual(new Set([asked]));
  });

  it('is not another request', () => {
    const state = courseAt('granted');
    const event = { ...honest(state, leased(1, CAST.runner, 'isolated')), correlation_id: NEVER };
    expect(asSaid(state, event, CAST.runner)).toMatchObject({ code: 'correlation_mismatch' });
  });

  it('is what the proposal rests on: the words recorded beside it', () => {
    const state = recordedFor(courseAt('created'), proposal(2));
    const again = honest(state, proposal(2));
    expect(again.correlation_id).toBe(state.hearing!.correlation_id);
    expect(asSaid(state, again, CAST.gate)).toMatchObject({ is: 'accepted' });
    const foreign = { ...again, correlation_id: NEVER };
    expect(asSaid(state, foreign, CAST.gate)).toMatchObject({ code: 'correlation_mismatch' });
  });
});

describe('the key of an effect', () => {
  const CASES: readonly (readonly [Stage, Event])[] = [
    ['writing', intended('push_branch')],
    ['intended', observed('push_branch')],
    ['observed', receipt('push_branch')],
  ];

  it.each(CASES)('is its request (%s)', (stage, said) => {
    const state = courseAt(stage);
    const event = honest(state, said);
    expect(event.idempotency_key).toBe(requestOf('push_branch'));
    expect(asSaid(state, event, CAST.writer)).toMatchObject({ is: 'accepted' });
    const other = { ...event, idempotency_key: requestOf('open_pull_request') };
    expect(asSaid(state, other, CAST.writer)).toMatchObject({ code: 'idempotency_mismatch' });
  });
});

describe('an honest mission', () => {
  const { events } = walked('ended');
  const byId = new Map(events.map((event) => [event.event_id, event]));

  function chainOf(event: Event): readonly EventType[] {
    const types = [event.event_type];
    for (let at = event; at.causation_id !== null;) {
      at = byId.get(at.causation_id)!;
      types.push(at.event_type);
      if (types.length > events.length) throw new Error('it goes round in a circle');
    }
    return types;
  }

  it('tells of everything why it happened, back to what may start a chain', () => {
    for (const event of events) expect(MAY_START).toContain(chainOf(event).at(-1));
  });

  it('leads from its end over receipt, effect, vote and plan to the words that came in', () => {
    const chain = chainOf(events.at(-1)!);
    for (const type of [
      'attempt.succeeded',
      'receipt.issued',
      'effect.observed',
      'effect.intended',
      'grant.issued',
      'approval.granted',
      'vote.cast',
    ] as const)
      expect(chain).toContain(type);
    expect(chain.slice(-2)).toEqual(['mission.proposed', 'ingress.recorded']);
  });

  it('says of a vote which question it answers', () => {
    const said: Said = vote({ tier: 2 }, VIC);
    const cast = events.find(({ event_type }) => event_type === 'vote.cast')!;
    expect(said.event.event_type).toBe('vote.cast');
    expect(byId.get(cast.causation_id!)).toMatchObject({ event_type: 'approval.requested', entity_id: ID.approval });
  });

  it('says of a vote that came through a forge, and of a plan that was asked for, in which words', () => {
    const state = courseAt('awaiting');
    const asked = { event: planned(), by: CAST.gate };
    for (const said of [relayed(vote({}, VIC, CAST.gate)), [{ event: ingress(), by: CAST.gate }, asked]]) {
      const [words, word] = allCaused(
        said.map(({ event }) => event),
        state,
      );
      expect(words!.event_type).toBe('ingress.recorded');
      expect(word!.causation_id).toBe(words!.event_id);
    }
  });
});
