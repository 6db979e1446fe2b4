// What comes out of a cell: claims that change nothing, one commit on the approved base, and a verdict that follows from
// an independent run.
import { describe, expect, it } from 'vitest';
import type { MissionState } from '../../src/kernel/state.ts';
import { onAttempt, WORK } from '../support/course/asked.ts';
import { checkClosed, claimed, result, verified, worked } from '../support/course/worked.ts';
import { courseAt, courseOf, replay } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, missionAfter, when } from '../support/given.ts';

const running = courseAt('spawned');

describe('what an agent says of itself', () => {
  const claims = [
    claimed(),
    onAttempt('done.claimed', { claim: DIGEST, fence: 1, status: 'failed' }, CAST.runner, { entity: uuid('claim') }),
    onAttempt('blocked.raised', { document: DIGEST, fence: 1 }, CAST.runner, { entity: uuid('question') }),
    onAttempt('work.refused', { because: 'outside_scope', fence: 1, scope_audit: null }, CAST.runner, {
      entity: uuid('refusal'),
    }),
  ];

  it.each(claims.map((said) => [said.event_type, said] as const))('%s changes nothing', (_, said) => {
    expect(missionAfter(when(running, said, CAST.runner))).toEqual(running);
  });

  it('is not heard of another attempt', () => {
    for (const said of claims)
      expect(when(running, { ...said, attempt_id: uuid('attempt 2') }, CAST.runner)).toMatchObject({
        code: 'attempt_stale',
      });
  });

  it('is no verdict: nothing follows from it', () => {
    const state = missionAfter(when(running, claimed(), CAST.runner));
    const done = onAttempt('attempt.succeeded', {}, CAST.writer, { entity: courseOf(running).attempt!.id });
    expect(when(state, done, CAST.writer)).toMatchObject({ code: 'cell_open' });
    expect(courseOf(state).attempt).toMatchObject({ work: null, verdict: null });
  });
});

describe('work', () => {
  it('is one commit on the base that was approved', () => {
    const moved = worked({ base_commit: '0c'.repeat(20) });
    expect(when(running, moved, CAST.runner)).toMatchObject({ code: 'ref_moved' });
    expect(courseOf(missionAfter(when(running, worked(), CAST.runner))).attempt).toMatchObject({
      status: 'observing',
      work: { commit: WORK },
    });
  });

  it('is taken once', () => {
    const other = worked({ commit: '4d'.repeat(20) });
    expect(when(courseAt('worked'), other, CAST.runner)).toMatchObject({ code: 'work_exists' });
  });

  it('is not nothing', () => {
    expect(when(running, worked({ changed_paths: 0 }), CAST.runner)).toMatchObject({ code: 'nothing_done' });
  });

  it('does not come from where no cell was', () => {
    for (const stage of ['leased', 'compiled'] as const)
      expect(when(courseAt(stage), worked(), CAST.runner)).toMatchObject({ code: 'attempt_transition_illegal' });
  });
});

/** Both checks are over, the second with this exit code. */
function over(second: number | null = 0): MissionState {
  return replay(courseAt('checking'), [
    { event: checkClosed(0), by: CAST.runner },
    { event: checkClosed(1, second), by: CAST.runner },
  ]);
}

describe('a verdict', () => {
  const done = courseAt('checked');

  it.each([
    ['a check that failed', 1],
    ['a check that never ended', null],
  ])('is not satisfied with %s', (_, exit_code) => {
    const checks = [result(0), result(1, { exit_code })];
    const state = over(exit_code);
    expect(when(state, verified({ checks }), CAST.runner)).toMatchObject({ code: 'verdict_unfounded' });
    expect(when(state, verified({ checks, verdict: 'unsatisfied' }), CAST.runner)).toMatchObject({ is: 'accepted' });
  });

  it('is not unsatisfied where everything passed', () => {
    expect(when(done, verified({ verdict: 'unsatisfied' }), CAST.runner)).toMatchObject({ code: 'verdict_unfounded' });
  });

  it.each([
    ['without the acceptance check that the plan names', [result(0)]],
    ['with one more than the plan names', [result(0), result(1), result(2)]],
    ['in another order', [result(1, { n: 0 }), result(0, { n: 1 })]],
    ['with one check given for another', [result(0), result(1, { check: 'verify' })]],
    ['counted in another way', [result(0), result(1, { n: 7 })]],
    ['from a cell that was not born for it', [result(0), result(1, { cell: uuid('elsewhere') })]],
    ['with another result than its cell ended with', [result(0), result(1, { exit_code: 3 })]],
    ['from a cell that was weaker than it says', [result(0), result(1, { level: 3 })]],
  ])('is refused %s', (_, checks) => {
    const verdict = checks.every(({ exit_code }) => exit_code === 0) ? 'satisfied' : 'unsatisfied';
    expect(when(done, verified({ checks, verdict }), CAST.runner)).toMatchObject({ code: 'checks_not_planned' });
  });

  it('does not come before every check was born, and has ended', () => {
    for (const stage of ['worked', 'checking'] as const)
      expect(when(courseAt(stage), verified(), CAST.runner)).toMatchObject({ code: 'checks_not_planned' });
  });

  it('is about the commit that was proposed, and given once', () => {
    expect(when(done, verified({ revision: '4d'.repeat(20) }), CAST.runner)).toMatchObject({ code: 'revision_stale' });
    expect(when(running, verified(), CAST.runner)).toMatchObject({ code: 'revision_stale' });
    const again = verified({ verdict: 'unsatisfied' });
    expect(when(courseAt('verified'), again, CAST.runner)).toMatchObject({ code: 'verdict_exists' });
  });
});
