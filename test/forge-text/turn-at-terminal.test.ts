// Whose turn it is at a terminal, where the easy answer would be wrong: a base that was rewritten, and the last attempt.
import { expect, it } from 'vitest';
import { turnAtTerminal, turnInIssue, whoseTurn } from '../../src/forge-text/next-turn.ts';
import type { StatusView } from '../../src/forge-text/status-view.ts';
import { courseAt, courseOf, withCourse } from '../support/course.ts';
import { AWAITING } from '../support/status.ts';

const state = courseAt('spawned');
const beside = { plan: undefined, state, isOnForge: false };
const queued: StatusView = { ...AWAITING, state: 'queued', asked: null };
const moved = (goesOn: boolean): StatusView => ({
  ...queued,
  drift: [{ is: 'base', base: 'main', planned: 'a'.repeat(40), now: 'b'.repeat(40), goesOn }],
});

it('says that a mission may run, and of one whose base was rewritten that it may not', () => {
  expect(turnAtTerminal(moved(true), { is: 'cell' }, beside)).toEqual({
    says: 'it may run',
    type: 'lazarus run m-0123456789ab',
  });
  expect(turnAtTerminal(moved(false), { is: 'cell' }, beside)).toEqual({
    says: 'its base was rewritten: nothing runs before there is a new plan',
    type: 'lazarus plan m-0123456789ab',
  });
});

it('offers another attempt as long as there is one, and then the end', () => {
  const failed: StatusView = { ...queued, because: { code: 'runner_lost', says: 'gone' } };
  expect(turnAtTerminal(failed, { is: 'recover' }, beside).type).toBe('lazarus run m-0123456789ab');
  const { attempt, step } = courseOf(state);
  const last = withCourse(state, { attempt: { ...attempt!, no: step!.max_attempts } });
  expect(turnAtTerminal(failed, { is: 'recover' }, { ...beside, state: last })).toEqual({
    says: 'the last attempt came to nothing; to end it',
    type: 'lazarus reconcile m-0123456789ab',
  });
});

it('goes on from what failed in a mission of its own, and shows the story of what people ended', () => {
  const over = (state: StatusView['state']): string | null =>
    turnAtTerminal({ ...queued, state }, { is: 'over' }, beside).type;
  expect(over('failed')).toBe("lazarus followup m-0123456789ab '<what is to be true then>'");
  for (const state of ['cancelled', 'rejected', 'expired'] as const)
    expect(over(state)).toBe('lazarus explain m-0123456789ab');
});

it('sends a root for people where nobody is left who may let go on what is held', () => {
  const held: StatusView = {
    ...queued,
    state: 'held',
    held: { by: 'bo', how: 'signed', at: '2026-11-19T17:07:34.000Z', who: [], isSigned: true },
  };
  const step = { is: 'held', by: 'bo' } as const;
  expect(turnAtTerminal(held, step, beside)).toMatchObject({ type: 'lazarus roster add --help' });
  expect(turnInIssue(held)).toMatchObject({ type: 'lazarus roster add --help' });
  const standing = { ...held, step, isOnForge: true, roots: ['rut'], people: ['ana'] };
  expect(whoseTurn(standing)).toEqual(['rut']);
  // Whoever proposed it has left, and so has whoever held it: those who are there may do what they would.
  expect(whoseTurn({ ...standing, step: { is: 'plan' } })).toEqual(['ana']);
});

it('sends nobody to watch a run that was killed on this computer', () => {
  const busy = { is: 'busy', holder: 'ana-machine', fence: 1, until: '2026-11-19T17:07:34.000Z' } as const;
  const running: StatusView = { ...queued, state: 'running' };
  expect(turnAtTerminal(running, busy, beside).type).toBe('lazarus watch m-0123456789ab');
  const left = { ...beside, isBrokenOff: true };
  expect(turnAtTerminal(running, busy, left).type).toBe('lazarus run m-0123456789ab');
  // Nothing begins in these: what was begun is closed.
  const said = { by: 'bo', how: 'signed', at: busy.until } as const;
  expect(turnAtTerminal({ ...running, cancelled: said }, busy, left).type).toBe('lazarus reconcile m-0123456789ab');
  expect(turnAtTerminal(running, busy, { ...left, isOnForge: true }).type).toBe('lazarus watch m-0123456789ab');
});
