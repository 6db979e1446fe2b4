// A mission’s course as a whole: what people see of it, what it can and cannot end in, and that nothing but its events
// makes it.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jcs } from '../../src/format/jcs.ts';
import { decodeEvent } from '../../src/kernel/codec.ts';
import { missionStatus, type MissionStatus } from '../../src/kernel/mission/status.ts';
import { ID, ingress, onAttempt, planned, proposal, VAL, vote } from '../support/course/asked.ts';
import { effectRequests, receipt } from '../support/course/caused.ts';
import { claimed } from '../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, eventsUpTo, replay, type Stage } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { shuffled } from '../support/shuffled.ts';
import { exampleOf } from '../support/examples.ts';
import {
  bytesOf,
  CAST,
  fact,
  MISSION,
  missionAfter,
  openedMission,
  openedProject,
  TASK,
  when,
} from '../support/given.ts';

const opened = openedMission(openedProject(courseRoster()));

describe('people see a mission as', () => {
  it.each([
    ['proposed', 'proposed'],
    ['created', 'proposed'],
    ['judged', 'proposed'],
    ['awaiting', 'awaiting'],
    ['voted', 'approved'],
    ['approved', 'approved'],
    ['granted', 'queued'],
    ['leased', 'running'],
    ['spawned', 'running'],
    ['worked', 'verifying'],
    ['closed', 'verifying'],
    ['intended', 'verifying'],
    ['receipted', 'verifying'],
    ['ended', 'done'],
  ] as const satisfies [Stage, MissionStatus][])('%s: %s', (stage, status) => {
    expect(missionStatus(courseAt(stage))).toBe(status);
  });

  it('opened before anything is proposed, rejected while somebody rejects it', () => {
    expect(missionStatus(opened)).toBe('opened');
    const { event, by } = vote({}, VAL, VAL, { choice: 'reject' });
    expect(missionStatus(missionAfter(when(courseAt('awaiting'), event, by)))).toBe('rejected');
  });

  it.each(['failed', 'cancelled', 'expired'] as const)('%s when it ended so', (outcome) => {
    const said = fact('mission.ended', { because: 'no_longer_wanted', outcome }, CAST.gate);
    expect(missionStatus(missionAfter(when(courseAt('proposed'), said, CAST.gate)))).toBe(outcome);
  });
});

describe('a mission is done', () => {
  const done = fact('mission.ended', { because: 'verified', outcome: 'done' }, CAST.writer);

  it.each([
    'proposed',
    'created',
    'awaiting',
    'approved',
    'granted',
    'leased',
    'spawned',
    'worked',
    'verified',
    'closed',
    'computed',
    'intended',
    'observed',
    'receipted',
  ] as const)('not when it is only %s', (stage) => {
    expect(when(courseAt(stage), done, CAST.writer)).toMatchObject({ is: 'refused', code: 'receipt_missing' });
    const completed = fact('task.completed', { evidence: [] }, CAST.writer, { task: TASK });
    expect(when(courseAt(stage), completed, CAST.writer)).toMatchObject({
      code: stage === 'proposed' ? 'task_unknown' : 'receipt_missing',
    });
    const succeeded = onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt });
    if (stage !== 'receipted') expect(when(courseAt(stage), succeeded, CAST.writer)).toMatchObject({ is: 'refused' });
  });

  it('when an independent run said so and every effect has its receipt', () => {
    expect(courseOf(courseAt('ended'))).toMatchObject({
      end: { outcome: 'done' },
      attempt: { verdict: 'satisfied', planned: { effects: [{ outcome: 'applied' }, { outcome: 'applied' }] } },
      effects: {},
      receipts: 4,
    });
  });

  it('not without effects having happened: no receipt, no success', () => {
    const state = courseAt('verified');
    const succeeded = onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt });
    expect(when(state, succeeded, CAST.writer)).toMatchObject({ code: 'receipt_missing' });
  });

  it('at tier 2 and 3 the same way', () => {
    for (const tier of [2, 3] as const) expect(missionStatus(courseAt('ended', { tier }))).toBe('done');
  });
});

describe('a mission ends otherwise', () => {
  const failed = (by = CAST.gate) => fact('mission.ended', { because: 'agent_failed', outcome: 'failed' }, by);

  it('only when its attempt is over, its cell closed and its lease given back', () => {
    for (const stage of ['created', 'granted', 'leased', 'spawned', 'closed'] as const)
      expect(when(courseAt(stage), failed(), CAST.gate)).toMatchObject({ code: 'mission_under_way' });
    const over = onAttempt('attempt.failed', { because: 'x' }, CAST.runner, { entity: ID.attempt });
    const leased = missionAfter(when(courseAt('leased'), over, CAST.runner));
    expect(when(leased, failed(), CAST.gate)).toMatchObject({ code: 'mission_under_way' });
    const byGate = onAttempt('attempt.failed', { because: 'x' }, CAST.gate, { entity: ID.attempt });
    const closed = missionAfter(when(courseAt('closed'), byGate, CAST.gate));
    expect(when(closed, failed(), CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it.each([proposal(2), planned(), receipt('push_branch'), claimed(), effectRequests()[0]!])(
    'and takes no $event_type then',
    (said) => {
      const by = said.actor_id === 'gate' ? CAST.gate : said.actor_id === 'runner' ? CAST.runner : CAST.writer;
      expect(when(courseAt('ended'), said, by)).toMatchObject({ code: 'mission_over', facts: { outcome: 'done' } });
    },
  );

  it('and still records what comes in', () => {
    expect(when(courseAt('ended'), ingress(), CAST.gate)).toMatchObject({ is: 'accepted' });
  });
});

describe('an event of the course', () => {
  it('needs a proposal before it', () => {
    const types = ['step.created', 'action.requested', 'vote.cast', 'receipt.issued'] as const;
    const state = { ...opened, tasks: { [TASK]: 'running' } } as const;
    for (const type of types) {
      const { event } = exampleOf(type, CAST.gate);
      expect(when(state, event, CAST.gate)).toMatchObject({ code: 'nothing_proposed' });
    }
  });

  it('is about its task, or about the mission, as its type says', () => {
    const ofTask = { ...planned(), task_id: TASK };
    expect(when(courseAt('created'), ofTask, CAST.gate)).toMatchObject({ code: 'task_unknown' });
    const { given, event } = exampleOf('vote.cast', CAST.gate);
    expect(when(given, { ...event, task_id: MISSION }, CAST.gate)).toMatchObject({ code: 'task_unknown' });
    expect(when(given, { ...event, task_id: uuid('no task') }, CAST.gate)).toMatchObject({ code: 'task_unknown' });
  });

  it('anchors the status comment by its number', () => {
    const said = fact('projection.anchored', { comment_id: 7, issue: 3, kind: 'status_comment' }, CAST.gate);
    expect(courseOf(missionAfter(when(courseAt('created'), said, CAST.gate))).anchor).toEqual({
      comment_id: 7,
      issue: 3,
    });
  });
});

describe('the course', () => {
  const said = eventsUpTo('ended', { tier: 2 });

  it('is the same from nothing, from its bytes, and from any state that was kept, however its keys are ordered', () => {
    const whole = replay(opened, said);
    const again = said.map(({ event, by }) => {
      const read = decodeEvent(bytesOf(event));
      if (read.is === 'refused') throw new Error(read.code);
      return { event: read.value, by };
    });
    expect(replay(opened, again)).toEqual(whole);
    fc.assert(
      fc.property(fc.nat(said.length - 1), fc.integer(), (at, seed) => {
        const before = replay(opened, said.slice(0, at));
        expect(replay(shuffled(before, seed), said.slice(at))).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });

  it('is plain data with one spelling', () => {
    for (let at = 0; at <= said.length; at += 7) {
      const state = replay(opened, said.slice(0, at));
      expect(JSON.parse(jcs(state))).toEqual(state);
    }
  });

  it('changes nothing of the state it was met with', () => {
    const before = courseAt('intended');
    const text = jcs(before);
    replay(before, eventsUpTo('receipted').slice(eventsUpTo('intended').length));
    expect(jcs(before)).toBe(text);
  });

  it('does not grow with the number of effects that were caused', () => {
    const ended = courseOf(courseAt('ended'));
    const { effects, requests, grants, approvals } = ended;
    expect({ effects, requests, grants, approvals }).toEqual({ effects: {}, requests: {}, grants: {}, approvals: {} });
  });
});
