// Receipts: what they say of an effect is what was seen of it, by the writer; a refusal or a run has one from whoever
// decided it.
import { describe, expect, it } from 'vitest';
import { ID } from '../support/course/asked.ts';
import { effectOf, observed, receipt, requestOf } from '../support/course/caused.ts';
import { courseAt, courseOf } from '../support/course.ts';
import { CAST, missionAfter, when } from '../support/given.ts';

describe('a receipt', () => {
  const seen = courseAt('observed');

  it.each([
    ['says something else than was seen', { result_code: 'failed' as const }],
    ['says that nothing is known where something is', { result_code: 'unknown_outcome' as const }],
    ['names another request', { action_request_ref: requestOf('open_pull_request') }],
  ])('of an effect is refused when it %s', (_, changes) => {
    expect(when(seen, receipt('push_branch', changes), CAST.writer)).toMatchObject({ code: 'receipt_mismatch' });
  });

  it('of an effect does not come before its outcome', () => {
    expect(when(courseAt('intended'), receipt('push_branch'), CAST.writer)).toMatchObject({
      code: 'receipt_mismatch',
      facts: { outcome: 'none' },
    });
  });

  it('of an effect is the writer’s', () => {
    for (const who of [CAST.gate, CAST.runner, CAST.person])
      expect(when(seen, receipt('push_branch', {}, who), who)).toMatchObject({ code: 'role_not_allowed' });
  });

  it('of anything else, a refusal or a run, is its signer’s, and counted', () => {
    for (const who of [CAST.gate, CAST.runner, CAST.person, CAST.writer]) {
      const said = receipt('push_branch', { subject_ref: ID.cell, result_code: 'refused' }, who);
      expect(courseOf(missionAfter(when(seen, said, who))).receipts).toBe(1);
    }
  });

  it('of one effect does not wait for the others, and does not pass for theirs', () => {
    const one = missionAfter(when(courseAt('intended'), observed('push_branch'), CAST.writer));
    const receipted = missionAfter(when(one, receipt('push_branch'), CAST.writer));
    expect(courseOf(receipted).attempt?.status).toBe('executing');
    expect(Object.keys(courseOf(receipted).effects)).toEqual([effectOf('open_pull_request')]);
    const both = missionAfter(when(receipted, observed('open_pull_request'), CAST.writer));
    const done = missionAfter(when(both, receipt('open_pull_request'), CAST.writer));
    expect(courseOf(done).attempt?.status).toBe('receipt_pending');
  });

  it('closes its effect for good', () => {
    const once = missionAfter(when(seen, receipt('push_branch'), CAST.writer));
    const { effects, requests, attempt } = courseOf(once);
    expect(effects[effectOf('push_branch')]).toBeUndefined();
    expect(requests[requestOf('push_branch')]).toBeUndefined();
    expect(attempt?.planned?.effects).toMatchObject([{ outcome: 'applied' }, { outcome: null }]);
    expect(when(once, observed('push_branch'), CAST.writer)).toMatchObject({ code: 'effect_unknown' });
  });
});
