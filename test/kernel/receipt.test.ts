// Receipts: one for each thing that is known, from whoever may say it, saying what was seen and naming what was used.
import { describe, expect, it } from 'vitest';
import { checkReceipts } from '../../src/kernel/receipt/evolve.ts';
import { approvalReceipt, approved, denied, grant, ID, LATER, onAttempt, VIC } from '../support/course/asked.ts';
import { approvalFor, effectOf, observed, receipt, requestOf, runReceipt } from '../support/course/caused.ts';
import { cellClosed, leased, spawned } from '../support/course/worked.ts';
import { courseAt, courseOf, replay, whenSaid } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, missionAfter, when } from '../support/given.ts';

describe('a receipt', () => {
  const seen = courseAt('observed');

  it.each([
    ['says something else than was seen', { result_code: 'failed' as const }],
    ['says that nothing is known where something is', { result_code: 'unknown_outcome' as const }],
    ['names another request', { action_request_ref: requestOf('open_pull_request') }],
  ])('of an effect is refused when it %s', (_, changes) => {
    expect(when(seen, receipt('push_branch', changes), CAST.writer)).toMatchObject({ code: 'receipt_mismatch' });
  });

  it.each([
    ['the approval of the plan for that of the effects', { approval_ref: ID.approval }],
    ['a grant that was not used', { capability_grant_ref: ID.execGrant }],
    ['no answer of policy', { policy_result_ref: null }],
    ['other inputs', { input_refs: [] }],
    ['outputs that nobody saw', { output_refs: [DIGEST] }],
    ['no environment', { environment_ref: null }],
    ['a decision that nobody made', { decision_ref: uuid('decision') }],
    ['a way back that there is not', { rollback: { how: 'delete_comment', supported: 'yes' } as const }],
  ])('of an effect is refused when it names %s', (_, changes) => {
    const about = { tier: 2 } as const;
    const said = receipt('push_branch', { ...approvalFor(about), ...changes });
    expect(when(courseAt('observed', about), said, CAST.writer)).toMatchObject({
      code: 'receipt_mismatch',
      facts: { at: Object.keys(changes)[0] },
    });
  });

  it('of an effect does not come before its outcome', () => {
    expect(when(courseAt('intended'), receipt('push_branch'), CAST.writer)).toMatchObject({ code: 'receipt_mismatch' });
  });

  it('of an effect is the writer’s', () => {
    for (const who of [CAST.gate, CAST.runner, CAST.person])
      expect(when(seen, receipt('push_branch', {}, who), who)).toMatchObject({ code: 'role_not_allowed' });
  });

  it('of something that never was is refused, whoever signs it', () => {
    for (const who of [CAST.gate, CAST.runner, CAST.person, CAST.writer])
      expect(when(courseAt('granted'), receipt('push_branch', {}, who), who)).toMatchObject({
        code: who === CAST.writer ? 'receipt_subject_unknown' : 'role_not_allowed',
      });
  });

  it('of another class than its subject’s is refused, and of classes that nothing here is of', () => {
    const run = receipt('push_branch', { receipt_class: 'command_execution' });
    expect(when(seen, run, CAST.writer)).toMatchObject({ code: 'receipt_mismatch', facts: { at: 'receipt_class' } });
    for (const receipt_class of ['tool_execution', 'memory_promotion', 'rollback'] as const)
      expect(when(seen, receipt('push_branch', { receipt_class }), CAST.writer)).toMatchObject({
        code: 'role_not_allowed',
        facts: { receipt_class },
      });
  });

  it('that is final is the last one of its subject; one of not knowing is not final', () => {
    const once = replay(seen, [{ event: receipt('push_branch'), by: CAST.writer }]);
    const twice = { ...receipt('push_branch', { result_code: 'refused' }), entity_id: uuid('second receipt') };
    expect(when(once, twice, CAST.writer)).toMatchObject({ code: 'receipt_exists' });
    const unknown = missionAfter(
      when(courseAt('intended'), observed('push_branch', { outcome: 'unknown_outcome' }), CAST.writer),
    );
    const said = (n: number) => ({
      ...receipt('push_branch', { result_code: 'unknown_outcome' }),
      entity_id: uuid(`unknown ${n}`),
    });
    const still = replay(unknown, [{ event: said(1), by: CAST.writer }]);
    expect(when(still, said(2), CAST.writer)).toMatchObject({ is: 'accepted' });
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

describe('a run', () => {
  const failed = { result_code: 'failed', result_summary: 'cell_failed' } as const;

  it('has its receipt when its cell is closed, from its own runner or the gate, and then no other', () => {
    const open = courseAt('worked');
    expect(when(open, runReceipt(failed, CAST.runner), CAST.runner)).toMatchObject({ code: 'receipt_mismatch' });
    const closed = missionAfter(when(open, cellClosed(1), CAST.runner));
    for (const who of [CAST.runner, CAST.gate]) {
      const once = missionAfter(when(closed, runReceipt(failed, who), who));
      const again = { ...runReceipt(failed, who), entity_id: uuid('again') };
      expect(when(once, again, who)).toMatchObject({ code: 'receipt_exists' });
    }
    const late = runReceipt(failed, CAST.writer);
    expect(when(closed, late, CAST.writer)).toMatchObject({ code: 'role_not_allowed' });
  });

  it('is called a success by the writer alone, and only where the work was verified', () => {
    const unverified = missionAfter(when(courseAt('worked'), cellClosed(1), CAST.runner));
    expect(when(unverified, runReceipt(), CAST.writer)).toMatchObject({ code: 'receipt_mismatch' });
    const verified = courseAt('closed');
    expect(when(verified, runReceipt({}, CAST.runner), CAST.runner)).toMatchObject({ code: 'role_not_allowed' });
    expect(when(verified, runReceipt(failed, CAST.gate), CAST.gate)).toMatchObject({ code: 'receipt_mismatch' });
    expect(when(verified, runReceipt(), CAST.writer)).toMatchObject({ is: 'accepted' });
  });

  it('names the cell’s facts, what it printed, and the grant that it used', () => {
    for (const [changes, at] of [
      [{ environment_ref: null }, 'environment_ref'],
      [{ output_refs: [] }, 'output_refs'],
      [{ capability_grant_ref: null }, 'capability_grant_ref'],
      [{ action_request_ref: ID.attempt }, 'action_request_ref'],
    ] as const)
      expect(when(courseAt('closed'), runReceipt({ ...changes } as object), CAST.writer)).toMatchObject({
        code: 'receipt_mismatch',
        facts: { at },
      });
  });

  it('that was called off before it began is begun and granted no more, and its attempt ends with it', () => {
    const off = runReceipt(
      { result_code: 'refused', subject_ref: ID.exec, environment_ref: null, output_refs: [] },
      CAST.runner,
    );
    const state = missionAfter(when(courseAt('granted'), off, CAST.runner));
    const begun = missionAfter(when(state, leased(1, CAST.runner, 'isolated'), CAST.runner));
    expect(when(begun, spawned(), CAST.runner)).toMatchObject({ code: 'receipt_exists' });
    const again = grant(ID.exec, {}, { entity: uuid('again') });
    expect(when(state, again, CAST.gate)).toMatchObject({ code: 'receipt_exists' });
    expect(checkReceipts(state)).toMatchObject({ code: 'attempt_open' });
    const failing = onAttempt('attempt.failed', { because: 'sandbox_missing' }, CAST.runner, { entity: ID.attempt });
    expect(checkReceipts(missionAfter(when(state, failing, CAST.runner)))).toMatchObject({ is: 'accepted' });
    // The receipt does not make the grant run out: that is no way to blame the world before its time.
    const expired = { ...failing, payload: { because: 'grant_expired' } };
    expect(when(state, expired, CAST.runner)).toMatchObject({ code: 'lease_lost' });
    expect(when(state, { ...expired, occurred_at: LATER }, CAST.runner)).toMatchObject({ is: 'accepted' });
    // A cell that is born stands for it.
    expect(when(courseAt('spawned'), off, CAST.runner)).toMatchObject({ code: 'receipt_mismatch' });
  });
});

describe('an approval', () => {
  const settled = missionAfter(when(courseAt('voted'), approved({}, [VIC]), CAST.gate));

  it('owes its receipt in the transaction that settles it', () => {
    expect(checkReceipts(settled)).toMatchObject({ code: 'receipt_missing', facts: { approvals: [ID.approval] } });
    const said = missionAfter(when(settled, approvalReceipt(), CAST.gate));
    expect(checkReceipts(said)).toMatchObject({ is: 'accepted' });
    const again = { ...approvalReceipt(), entity_id: uuid('again') };
    expect(when(said, again, CAST.gate)).toMatchObject({ code: 'receipt_exists' });
  });

  it('has none before it is settled, and none that says something else', () => {
    expect(when(courseAt('voted'), approvalReceipt(), CAST.gate)).toMatchObject({ code: 'receipt_mismatch' });
    for (const result_code of ['denied', 'expired', 'refused'] as const)
      expect(when(settled, approvalReceipt({ result_code }), CAST.gate)).toMatchObject({
        code: 'receipt_mismatch',
        facts: { at: 'result_code' },
      });
  });

  it.each([
    ['approval.invalidated', 'refused'],
    ['approval.expired', 'expired'],
  ] as const)('ended by %s has a receipt that says %s', (type, result_code) => {
    const late = { entity: ID.approval, occurred_at: LATER };
    const ended = missionAfter(
      when(courseAt('awaiting'), onAttempt(type, { because: 'too_late' }, CAST.gate, late), CAST.gate),
    );
    expect(checkReceipts(ended)).toMatchObject({ code: 'receipt_missing' });
    const said = { ...approvalReceipt({ result_code }), occurred_at: LATER };
    expect(checkReceipts(missionAfter(when(ended, said, CAST.gate)))).toMatchObject({ is: 'accepted' });
  });

  it.each([
    ['under its own key', VIC],
    ['relayed by the gate', CAST.gate],
  ])('that a voter denied, %s, has a receipt that says so, by the same hand', (_, by) => {
    const ended = missionAfter(whenSaid(courseAt('awaiting'), denied(VIC, by), by));
    expect(checkReceipts(ended)).toMatchObject({ code: 'receipt_missing', facts: { approvals: [ID.approval] } });
    const silent = approvalReceipt({ result_code: 'denied', policy_result_ref: null }, by);
    expect(when(ended, silent, by)).toMatchObject({ code: 'receipt_mismatch', facts: { at: 'policy_result_ref' } });
    const said = missionAfter(when(ended, approvalReceipt({ result_code: 'denied' }, by), by));
    expect(checkReceipts(said)).toMatchObject({ is: 'accepted' });
    // Nothing is granted any more for what was asked.
    expect(when(said, grant(), CAST.gate)).toMatchObject({ is: 'refused' });
  });
});
