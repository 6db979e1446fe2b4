// The task state machine against the specification's own list of transitions: every state with every event.
import { describe, expect, it } from 'vitest';
import type { TaskMove, TaskStatus } from '../../src/kernel/task/evolve.ts';
import { started } from '../support/course/worked.ts';
import { LATER, NOW } from '../support/course/asked.ts';
import { courseAt, courseRoster } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { exampleOf } from '../support/examples.ts';
import { CAST, DIGEST, MISSION, TASK, after, fact, missionAfter, openedMission, when } from '../support/given.ts';
import { member, testKey } from '../support/people.ts';
import type { Role } from '../../src/kernel/principal.ts';

// Hermit kernel specification, 12.1, with the event that makes each transition.
const ALLOWED = new Map<string, TaskStatus>([
  ['created task.readied', 'ready'],
  ['ready task.started', 'running'],
  ['running task.blocked', 'blocked'],
  ['blocked task.unblocked', 'running'],
  ['running task.paused', 'paused'],
  ['paused task.resumed', 'ready'],
  ['running task.completed', 'completed'],
  ['running task.failed', 'failed'],
  ['ready task.cancelled', 'cancelled'],
  ['running task.cancelled', 'cancelled'],
  ['blocked task.cancelled', 'cancelled'],
  ['paused task.cancelled', 'cancelled'],
  ['completed task.rolled_back', 'rolled_back'],
  ['failed task.rolled_back', 'rolled_back'],
]);
const STATUSES: readonly TaskStatus[] = [
  'created',
  'ready',
  'running',
  'blocked',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'rolled_back',
];
const MOVES = [...new Set([...ALLOWED.keys()].map((each) => each.split(' ')[1] as TaskMove))];

describe.each(STATUSES)('a task that is %s', (status) => {
  it.each(MOVES)('and %s', (move) => {
    const by = SIGNS[move];
    const { event } = exampleOf(move, CAST[by]);
    const before = by === 'runner' ? courseAt('leased') : openedMission();
    const verdict = when({ ...before, tasks: { [TASK]: status } }, event, CAST[by]);
    const expected = ALLOWED.get(`${status} ${move}`);
    if (expected === undefined) expect(verdict).toMatchObject({ is: 'refused', code: 'task_transition_illegal' });
    else expect(missionAfter(verdict).tasks[TASK]).toBe(expected);
  });
});

describe('a runner', () => {
  const OTHER = testKey('other-runner');
  const paused = (by = CAST.runner, occurred_at = NOW) =>
    fact('task.paused', { because: 'held' }, by, { task: TASK, occurred_at });
  const running = (stage: 'granted' | 'leased') => ({
    ...courseAt(stage, {}, courseRoster(member(OTHER, { roles: ['runner'] }))),
    tasks: { [TASK]: 'running' as const },
  });

  it('moves a task while it holds the lease, and nobody else’s', () => {
    expect(when(running('leased'), paused(), CAST.runner)).toMatchObject({ is: 'accepted' });
    expect(when(running('leased'), paused(OTHER), OTHER)).toMatchObject({ code: 'lease_held' });
  });

  it('without a lease, or after its time, holds up nobody', () => {
    expect(when(running('granted'), paused(), CAST.runner)).toMatchObject({ code: 'lease_lost' });
    expect(when(running('leased'), paused(CAST.runner, LATER), CAST.runner)).toMatchObject({ code: 'lease_lost' });
    expect(when(openedMission(), started(), CAST.runner)).toMatchObject({ code: 'task_unknown' });
  });

  it('that is a gate as well is one: it starts a task under a lease, and pauses it without', () => {
    const both = testKey('laptop');
    const state = { ...running('granted'), tasks: { [TASK]: 'ready' as const } };
    const roster = courseRoster(member(both, { roles: ['gate', 'runner'] }));
    const start = fact('task.started', {}, both, { task: TASK });
    expect(when({ ...state, roster }, start, both)).toMatchObject({ code: 'lease_lost' });
    expect(when({ ...state, roster, tasks: { [TASK]: 'running' } }, paused(both), both)).toMatchObject({
      is: 'accepted',
    });
  });
});

const SIGNS: Record<TaskMove, Role> = {
  'task.readied': 'gate',
  'task.started': 'runner',
  'task.blocked': 'runner',
  'task.unblocked': 'runner',
  'task.paused': 'runner',
  'task.resumed': 'gate',
  'task.completed': 'writer',
  'task.failed': 'gate',
  'task.cancelled': 'gate',
  'task.rolled_back': 'writer',
};

describe('a task', () => {
  const created = fact('task.created', { contract: null }, CAST.gate, { task: TASK });

  it('begins as created', () => {
    expect(missionAfter(when(openedMission(), created, CAST.gate)).tasks).toEqual({ [TASK]: 'created' });
  });

  it('is created once', () => {
    const state = after(when(openedMission(), created, CAST.gate));
    expect(when(state, created, CAST.gate)).toMatchObject({ code: 'task_exists' });
  });

  it('cannot take the id of its mission', () => {
    const said = fact('task.created', { contract: null }, CAST.gate);
    expect(when(openedMission(), said, CAST.gate)).toMatchObject({ code: 'task_exists', facts: { task: MISSION } });
  });

  it('is its own entity', () => {
    const said = fact('task.created', { contract: null }, CAST.gate, { task: TASK, entity: uuid('other') });
    expect(when(openedMission(), said, CAST.gate)).toMatchObject({ code: 'event_malformed' });
  });

  it('cannot be moved by an event whose entity is another task', () => {
    const state = { ...openedMission(), tasks: { [TASK]: 'created', [uuid('other')]: 'created' } } as const;
    const said = fact('task.readied', {}, CAST.gate, { task: TASK, entity: uuid('other') });
    expect(when(state, said, CAST.gate)).toMatchObject({ code: 'task_unknown' });
  });

  it('that was never created cannot move, nor can the mission itself', () => {
    for (const task of [TASK, MISSION]) {
      const said = fact('task.readied', {}, CAST.gate, { task });
      expect(when(openedMission(), said, CAST.gate)).toMatchObject({ code: 'task_unknown' });
    }
  });

  it('is not created past the limit', () => {
    const tasks = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [uuid(`task ${i}`), 'created' as const]));
    const { [uuid('task 7')]: _one, ...oneLess } = tasks;
    expect(when({ ...openedMission(), tasks: oneLess }, created, CAST.gate)).toMatchObject({ is: 'accepted' });
    expect(when({ ...openedMission(), tasks }, created, CAST.gate)).toMatchObject({ code: 'limit_reached' });
  });

  it('leaves the other tasks as they are', () => {
    const state = { ...openedMission(), tasks: { [TASK]: 'created', [uuid('other')]: 'paused' } } as const;
    const next = missionAfter(when(state, fact('task.readied', {}, CAST.gate, { task: TASK }), CAST.gate));
    expect(next.tasks).toEqual({ [TASK]: 'ready', [uuid('other')]: 'paused' });
    expect(state.tasks[TASK]).toBe('created');
  });

  it('may have notes and artifacts of its own, a task that does not exist may not', () => {
    const note = { bytes: 1, digest: DIGEST, media_type: 'text/plain' };
    const said = fact('note.recorded', note, CAST.runner, { task: TASK, entity: uuid('note') });
    const state = { ...openedMission(), tasks: { [TASK]: 'running' } } as const;
    expect(missionAfter(when(state, said, CAST.runner)).notes).toBe(1);
    expect(when(openedMission(), said, CAST.runner)).toMatchObject({ code: 'task_unknown' });
  });
});
