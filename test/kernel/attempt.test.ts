// An attempt’s states in the order this project gives them, tried with every event that moves one; and how attempts follow
// one another.
import { describe, expect, it } from 'vitest';
import { isOver, moveAttempt, type AttemptStatus } from '../../src/kernel/course/attempt-status.ts';
import type { EventType } from '../../src/kernel/event.ts';
import type { Role } from '../../src/kernel/principal.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import {
  asked,
  attemptCreated,
  created,
  grant,
  ID,
  askedAnew,
  onAttempt,
  oneStep,
  planned,
  stepCreated,
  policyOf,
  requestAnew,
} from '../support/course/asked.ts';
import { courseAt, courseOf, replay, withCourse } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { exampleOf } from '../support/examples.ts';
import { leased } from '../support/course/worked.ts';
import { CAST, DIGEST, fact, missionAfter, TASK, when } from '../support/given.ts';

const STATUSES: readonly AttemptStatus[] = [
  'created',
  'awaiting_policy',
  'awaiting_approval',
  'authorized',
  'leased',
  'compiling_context',
  'reasoning',
  'executing',
  'observing',
  'receipt_pending',
  'succeeded',
  'failed',
  'cancelled',
  'superseded',
];
const OVER: readonly AttemptStatus[] = ['succeeded', 'failed', 'cancelled', 'superseded'];

/** In the order of an attempt: where each event finds it, besides where the event itself leads to. */
const FROM: Partial<Record<EventType, { by: Role; to: AttemptStatus; from: string }>> = {
  'approval.requested': {
    by: 'gate',
    to: 'awaiting_approval',
    from: 'awaiting_policy authorized leased executing observing',
  },
  'approval.granted': { by: 'gate', to: 'authorized', from: 'awaiting_policy awaiting_approval leased' },
  'context.compiled': { by: 'runner', to: 'compiling_context', from: 'leased' },
  'cell.spawned': {
    by: 'runner',
    to: 'executing',
    from: 'authorized leased compiling_context reasoning observing receipt_pending',
  },
  'work.proposed': { by: 'runner', to: 'observing', from: 'executing receipt_pending' },
  'verification.recorded': { by: 'runner', to: 'observing', from: 'executing receipt_pending' },
  'effects.computed': { by: 'writer', to: 'observing', from: 'executing receipt_pending' },
  'effect.intended': {
    by: 'writer',
    to: 'executing',
    from: 'authorized leased compiling_context reasoning observing receipt_pending',
  },
  'attempt.succeeded': { by: 'writer', to: 'succeeded', from: 'receipt_pending' },
  'attempt.failed': { by: 'runner', to: 'failed', from: notOver() },
  'attempt.cancelled': { by: 'person', to: 'cancelled', from: notOver() },
  'attempt.superseded': { by: 'gate', to: 'superseded', from: notOver() },
};

function notOver(): string {
  return STATUSES.filter((status) => !OVER.includes(status)).join(' ');
}

describe.each(STATUSES)('an attempt that is %s', (status) => {
  it.each(Object.keys(FROM) as EventType[])('and %s', (type) => {
    const { by, to, from } = FROM[type]!;
    const { given, event } = exampleOf(type, CAST[by]);
    const verdict = when(withStatus(given as MissionState, status), event, CAST[by]);
    const isMet = status === to || from.split(' ').includes(status);
    if (OVER.includes(status)) expect(verdict).toMatchObject({ code: 'attempt_over' });
    else if (isMet) expect(courseOf(missionAfter(verdict)).attempt?.status).toBe(to);
    else expect(verdict).toMatchObject({ code: 'attempt_transition_illegal', facts: { status, to } });
  });

  it('is over or may still fail, be cancelled and be superseded', () => {
    expect(isOver(status)).toBe(OVER.includes(status));
    for (const end of ['failed', 'cancelled', 'superseded'] as const)
      expect(moveAttempt(status, end).is).toBe(isOver(status) && status !== end ? 'refused' : 'accepted');
  });
});

function withStatus(state: MissionState, status: AttemptStatus): MissionState {
  const course = courseOf(state);
  return withCourse(state, { attempt: { ...course.attempt!, status } });
}

describe('the order of an attempt', () => {
  it('leads all the way, state by state', () => {
    const order: AttemptStatus[] = [
      'created',
      'awaiting_policy',
      'awaiting_approval',
      'authorized',
      'leased',
      'compiling_context',
      'reasoning',
      'executing',
      'observing',
      'receipt_pending',
      'succeeded',
    ];
    for (const [i, status] of order.slice(1).entries())
      expect(moveAttempt(order[i]!, status)).toMatchObject({ is: 'accepted' });
  });

  it('lets nobody run before policy and people were asked', () => {
    for (const early of ['created', 'awaiting_policy', 'awaiting_approval'] as const)
      for (const late of [
        'leased',
        'compiling_context',
        'executing',
        'observing',
        'receipt_pending',
        'succeeded',
      ] as const)
        expect(moveAttempt(early, late)).toMatchObject({ code: 'attempt_transition_illegal' });
  });

  it('is the one the walk takes', () => {
    const seen = (['created', 'asked', 'awaiting', 'approved', 'leased', 'compiled', 'spawned'] as const).map(
      (stage) => courseOf(courseAt(stage)).attempt?.status,
    );
    expect(seen).toEqual([
      'created',
      'awaiting_policy',
      'awaiting_approval',
      'authorized',
      'leased',
      'compiling_context',
      'executing',
    ]);
    const later = (['worked', 'intended', 'observed', 'receipted', 'succeeded'] as const).map(
      (stage) => courseOf(courseAt(stage)).attempt?.status,
    );
    expect(later).toEqual(['observing', 'executing', 'observing', 'receipt_pending', 'succeeded']);
  });
});

const because = { because: 'tests_failed' };
const attempt = { entity: ID.attempt };

const tasksMade = created()
  .slice(0, 2)
  .map((event) => ({ event, by: CAST.gate }));
const withoutStep = replay(courseAt('planned'), tasksMade);

describe('a step', () => {
  it('is created once', () => {
    const state = courseAt('created');
    const other = { entity_id: uuid('another step'), step_id: uuid('another step') };
    expect(when(state, stepCreated(), CAST.gate)).toMatchObject({ code: 'step_exists' });
    // Two steps of one task would both move it.
    expect(when(state, { ...stepCreated(), ...other }, CAST.gate)).toMatchObject({ code: 'step_exists' });
    expect(when(withoutStep, { ...stepCreated(), ...other, step_id: ID.step }, CAST.gate)).toMatchObject({
      code: 'event_malformed',
    });
  });

  it('stands in the plan, in its order', () => {
    const another = uuid('another task');
    const more = replay(courseAt('created'), [
      { event: fact('task.created', { contract: DIGEST }, CAST.gate, { task: another }), by: CAST.gate },
    ]);
    const id = uuid('another step');
    for (const place of [0, 1, 2]) {
      const second = { ...stepCreated(), entity_id: id, step_id: id, task_id: another };
      const said = { ...second, payload: { ...second.payload, place } };
      expect(when(more, said, CAST.gate)).toMatchObject({ code: 'step_unplanned', facts: { place, planned: 1 } });
    }
    expect(when(withoutStep, stepCreated(), CAST.gate)).toMatchObject({ is: 'accepted' });
    const unplanned = replay(courseAt('proposed'), tasksMade);
    expect(when(unplanned, stepCreated(), CAST.gate)).toMatchObject({ code: 'plan_missing' });
  });

  it('is the only one: several are refused by name, for nobody can say yet on which base the second begins', () => {
    const two = [...oneStep(['src/**']), { ...oneStep(['docs/**'])[0]!, depends_on: [0] }];
    expect(when(courseAt('proposed'), planned({ plan: { steps: two } }), CAST.gate)).toMatchObject({
      code: 'several_steps',
      facts: { steps: 2 },
    });
  });

  it('is what everything of it is about: no event of an attempt goes without, nor names a step of nowhere', () => {
    const state = courseAt('granted');
    for (const step_id of [undefined, uuid('another step')])
      expect(when(state, { ...leased(1, CAST.runner, 'isolated'), step_id }, CAST.runner)).toMatchObject({
        code: 'step_unknown',
      });
  });
});

describe('the next attempt', () => {
  const failed = onAttempt('attempt.failed', because, CAST.gate, attempt);
  const after = missionAfter(when(courseAt('closed'), failed, CAST.gate));
  const second = attemptCreated(2, ID.attempt);
  const ofSecond = { entity: uuid('attempt 2'), attempt_id: uuid('attempt 2') };

  it('takes a new number, names the one before and starts from nothing', () => {
    const course = courseOf(missionAfter(when(after, second, CAST.gate)));
    expect(course.attempt).toMatchObject({ no: 2, status: 'created', work: null, verdict: null, planned: null });
    expect({ requests: course.requests, grants: course.grants }).toEqual({ requests: {}, grants: {} });
    expect(course.approvals[ID.approval]).toMatchObject({ granted: true });
  });

  it('waits until the one before is over', () => {
    expect(when(courseAt('granted'), second, CAST.gate)).toMatchObject({ code: 'attempt_open' });
  });

  it.each([
    ['a number left out', attemptCreated(3, ID.attempt)],
    ['a number again', attemptCreated(1, ID.attempt)],
    ['no predecessor', attemptCreated(2)],
    ['another predecessor', attemptCreated(2, uuid('attempt 7'))],
  ])('is refused with %s', (_, said) => {
    expect(when(after, said, CAST.gate)).toMatchObject({ code: 'attempt_stale' });
  });

  it('is not begun once one succeeded: what was asked for would be done again', () => {
    const again = attemptCreated(2, ID.attempt);
    expect(when(courseAt('succeeded'), again, CAST.gate)).toMatchObject({ code: 'mission_succeeded' });
  });

  it('belongs to its step and carries its own id', () => {
    const [stray, renamed] = [{ step_id: uuid('another step') }, { attempt_id: uuid('attempt 9') }];
    expect(when(after, { ...second, ...stray }, CAST.gate)).toMatchObject({ code: 'step_unknown' });
    expect(when(after, { ...second, ...renamed }, CAST.gate)).toMatchObject({ code: 'event_malformed' });
  });

  it('is not made past what the step allows', () => {
    const twice = replay(after, [
      { event: second, by: CAST.gate },
      { event: onAttempt('attempt.failed', because, CAST.gate, ofSecond), by: CAST.gate },
    ]);
    expect(when(twice, attemptCreated(3, uuid('attempt 2')), CAST.gate)).toMatchObject({ code: 'attempts_exhausted' });
  });

  it('runs under the approval that people gave the plan, with grants of its own', () => {
    const request = requestAnew();
    const again = grant(request, { policy_result_ref: policyOf(request) }, { entity: uuid('second grant') });
    const event = { ...again, attempt_id: uuid('attempt 2') };
    const waiting = replay(after, [{ event: second, by: CAST.gate }, ...askedAnew('anew', uuid('attempt 2'))]);
    expect(courseOf(missionAfter(when(waiting, event, CAST.gate))).attempt?.status).toBe('authorized');
  });

  it('is not moved by a zombie of the first', () => {
    const state = missionAfter(when(after, second, CAST.gate));
    for (const type of ['attempt.failed', 'attempt.cancelled', 'attempt.superseded'] as const)
      expect(when(state, onAttempt(type, because, CAST.gate, attempt), CAST.gate)).toMatchObject({
        code: 'attempt_stale',
        facts: { attempt: ID.attempt, current: uuid('attempt 2') },
      });
    expect(when(state, asked(), CAST.gate)).toMatchObject({ code: 'attempt_stale' });
  });
});

describe('an attempt ends', () => {
  it.each(['attempt.failed', 'attempt.cancelled', 'attempt.superseded'] as const)(
    '%s: not with its cell open',
    (type) => {
      const said = onAttempt(type, because, CAST.gate, attempt);
      expect(when(courseAt('spawned'), said, CAST.gate)).toMatchObject({ code: 'cell_open' });
    },
  );

  it.each(['intended', 'observed'] as const)('not while effects are %s without a receipt', (stage) => {
    for (const type of ['attempt.failed', 'attempt.cancelled'] as const)
      expect(when(courseAt(stage), onAttempt(type, because, CAST.gate, attempt), CAST.gate)).toMatchObject({
        code: 'receipt_missing',
      });
  });

  it('with the reason on record and nothing left to use', () => {
    const said = onAttempt('attempt.cancelled', because, CAST.gate, attempt);
    const course = courseOf(missionAfter(when(courseAt('granted'), said, CAST.gate)));
    expect(course.attempt).toMatchObject({ status: 'cancelled', because: 'tests_failed' });
    expect({ requests: course.requests, grants: course.grants }).toEqual({ requests: {}, grants: {} });
  });

  it('about another task is none of this attempt', () => {
    const said = { ...onAttempt('attempt.failed', because, CAST.gate, attempt), task_id: uuid('other task') };
    const state = courseAt('granted');
    const two = { ...state, tasks: { ...state.tasks, [uuid('other task')]: 'running' } } as const;
    expect(when(two, said, CAST.gate)).toMatchObject({ code: 'step_unknown' });
    expect(Object.keys(state.tasks)).toEqual([TASK]);
  });
});
