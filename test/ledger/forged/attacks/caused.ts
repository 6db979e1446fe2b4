// Attacks on what is caused and on what is said of it: effects that no computed set holds, answers of policy that change,
// receipts of what never was or of something else than was used.
import {
  by,
  approvalReceipt,
  approved,
  asked,
  denied,
  grant,
  ID,
  judged,
  onAttempt,
  VAL,
  VIC,
} from '../../../support/course/asked.ts';
import {
  approvalFor,
  computedAs,
  decided,
  decisionOn,
  effectItems,
  intended,
  observed,
  once,
  receipt,
  runReceipt,
} from '../../../support/course/caused.ts';
import { cellClosed, leased, leaseReleased, spawned } from '../../../support/course/worked.ts';
import type { Attack } from '../../../support/forge/attack.ts';
import { ABOUT } from '../../../support/forge/course.ts';
import { uuid } from '../../../support/events.ts';
import { CAST, DIGEST } from '../../../support/given.ts';
import { forgedCourses } from './course.ts';

const { gate, runner, writer } = CAST;
const ANEW = once('push_branch', 'anew');
const COMMENT = {
  ...ANEW.asked,
  payload: { ...ANEW.asked.payload, action_class: 'publication', kind: 'post_comment', params_ref: DIGEST },
} as const;
const ALLOWED = { ...ANEW.judged, payload: { ...ANEW.judged.payload, result: 'allow' } } as const;
const SETTLED = {
  receipt_class: 'observation_resolution',
  decision_ref: decisionOn('push_branch'),
  output_refs: [DIGEST] as string[],
  ...approvalFor(ABOUT),
} as const;

const CALLED_OFF = runReceipt(
  { result_code: 'refused', subject_ref: ID.exec, environment_ref: null, output_refs: [] },
  runner,
);

export const CAUSED: readonly Attack[] = forgedCourses({
  'effect-asked-for-by-a-runner': {
    does: 'asks, as the runner, for an effect of its own beside those of the plan',
    at: 'spawned',
    says: by(runner, { ...ANEW.asked, actor_id: runner.principalId }),
    code: 'role_not_allowed',
  },
  'effect-before-any-work': {
    does: 'grants itself a push before any agent ran',
    at: 'granted',
    says: by(writer, ANEW.asked, ALLOWED, ANEW.granted),
    code: 'effect_unplanned',
  },
  'effect-that-nobody-asked-for': {
    does: 'computes an effect of a kind that the plan does not ask for, on its own word that policy allows it',
    at: 'closed',
    says: by(writer, COMMENT, ALLOWED, computedAs([{ ...ANEW.item, kind: 'post_comment' }])),
    code: 'effect_unplanned',
  },
  'effect-swapped-under-its-grant': {
    does: 'puts another effect under the request of the one that people approved, and uses its grant',
    at: 'writing',
    says: by(
      writer,
      intended('push_branch'),
      observed('push_branch'),
      receipt('push_branch', approvalFor(ABOUT)),
      computedAs([{ ...effectItems()[1]!, effect: '77'.repeat(32) }]),
      intended('open_pull_request', { effect: '77'.repeat(32) }),
    ),
    code: 'grant_missing',
  },
  'effect-caused-again-after-it-was-applied': {
    does: 'computes again, under another request, what was applied',
    at: 'receipted',
    says: by(writer, ANEW.asked, ANEW.judged, computedAs([ANEW.item])),
    code: 'effect_exists',
  },
  'effect-computed-again-while-open': {
    does: 'computes an effect anew whose outcome nobody knows yet',
    at: 'intended',
    says: by(writer, ANEW.asked, ANEW.judged, computedAs([ANEW.item])),
    code: 'effect_exists',
  },
  'policy-result-changed': {
    does: 'answers again, as policy, what it has denied',
    at: 'asked',
    says: by(gate, judged(ID.exec, gate, { result: 'deny' }), { ...judged(), entity_id: uuid('second answer') }),
    code: 'policy_result_final',
  },
  'policy-asked-until-it-allows': {
    does: 'asks for the same thing under another id, after policy denied it',
    at: 'asked',
    says: by(
      gate,
      judged(ID.exec, gate, { result: 'deny' }),
      { ...asked(), entity_id: uuid('the same again') },
      judged(uuid('the same again')),
    ),
    code: 'policy_result_final',
  },
  'success-without-what-was-asked-for': {
    does: 'ends the attempt as succeeded with none of the effects that people approved',
    at: 'closed',
    says: by(writer, runReceipt(), onAttempt('attempt.succeeded', {}, writer, { entity: ID.attempt })),
    code: 'effect_missing',
  },
  'receipt-of-nothing': {
    does: 'receipts as published what never was',
    at: 'granted',
    says: by(writer, receipt('push_branch')),
    code: 'receipt_subject_unknown',
  },
  'receipt-by-the-gate': {
    does: 'receipts an effect, as the gate, in the writer’s place',
    at: 'observed',
    says: by(gate, receipt('push_branch', approvalFor(ABOUT), gate)),
    code: 'role_not_allowed',
  },
  'receipt-by-a-person': {
    does: 'receipts an effect, as a person, in the writer’s place',
    at: 'observed',
    says: [{ by: VAL, event: receipt('push_branch', approvalFor(ABOUT), VAL) }],
    code: 'role_not_allowed',
  },
  'receipt-of-a-class-that-is-not-done': {
    does: 'receipts a rollback, which nobody can do yet',
    at: 'observed',
    says: by(writer, receipt('push_branch', { ...approvalFor(ABOUT), receipt_class: 'rollback' })),
    code: 'role_not_allowed',
  },
  'receipt-over-a-true-one': {
    does: 'receipts as refused what has its receipt as applied',
    at: 'receipted',
    says: by(writer, {
      ...receipt('push_branch', { ...approvalFor(ABOUT), result_code: 'refused' }),
      entity_id: uuid('second receipt'),
    }),
    code: 'receipt_exists',
  },
  'receipt-under-another-approval': {
    does: 'names, in the receipt of an effect, the approval of the plan and not that of the effects',
    at: 'observed',
    says: by(writer, receipt('push_branch', { approval_ref: ID.approval })),
    code: 'receipt_mismatch',
  },
  'receipt-with-a-way-back-that-is-none': {
    does: 'says that a pull request can be undone without a trace',
    at: 'observed',
    says: by(
      writer,
      receipt('open_pull_request', { ...approvalFor(ABOUT), rollback: { how: 'delete_branch', supported: 'yes' } }),
    ),
    code: 'receipt_mismatch',
  },
  'receipt-of-a-settlement-resting-on-nothing': {
    does: 'receipts what a person settled without the documents that it rests on',
    at: 'intended',
    says: [
      ...by(
        writer,
        observed('push_branch', { outcome: 'unknown_outcome', oid: null }),
        leaseReleased(2, writer, ID.effectLease),
      ),
      { by: VIC, event: decided('push_branch') },
      ...by(writer, receipt('push_branch', { ...SETTLED, output_refs: [] })),
    ],
    code: 'receipt_mismatch',
  },
  'run-called-a-success-by-its-runner': {
    does: 'receipts its own run as a success',
    at: 'closed',
    says: by(runner, runReceipt({}, runner)),
    code: 'role_not_allowed',
  },
  'run-receipted-before-its-end': {
    does: 'receipts a run whose cell is open',
    at: 'worked',
    says: by(runner, runReceipt({ result_code: 'failed' }, runner)),
    code: 'receipt_mismatch',
  },
  'run-receipted-with-other-facts': {
    does: 'receipts a run with other facts of its cell than the cell’s own',
    at: 'worked',
    says: by(
      runner,
      cellClosed(1),
      runReceipt({ result_code: 'failed', environment_ref: `sha256:${'11'.repeat(32)}` }, runner),
    ),
    code: 'receipt_mismatch',
  },
  'denied-without-a-receipt': {
    does: 'denies for good, as a voter, and leaves out the receipt of it',
    at: 'awaiting',
    says: [{ by: VIC, event: denied(VIC) }],
    code: 'receipt_missing',
  },
  'run-called-off-to-blame-the-grant': {
    does: 'receipts, as a runner without a lease, a run that never began, and fails it as if its grant had run out',
    at: 'granted',
    says: by(
      runner,
      CALLED_OFF,
      onAttempt('attempt.failed', { because: 'grant_expired' }, runner, { entity: ID.attempt }),
    ),
    code: 'lease_lost',
  },
  'run-begun-after-it-was-called-off': {
    does: 'spawns a cell in the transaction that says that the run came to nothing',
    at: 'granted',
    says: by(runner, CALLED_OFF, leased(1, runner, 'isolated'), spawned()),
    code: 'receipt_exists',
  },
  'run-called-off-and-kept': {
    does: 'says that the run came to nothing, and leaves its attempt open',
    at: 'granted',
    says: by(runner, CALLED_OFF),
    code: 'attempt_open',
  },
  'approval-without-its-receipt': {
    does: 'settles an approval and says nothing of it',
    at: 'voted',
    says: by(gate, approved(ABOUT, [VIC, VAL])),
    code: 'receipt_missing',
  },
  'approval-receipted-as-expired': {
    does: 'receipts as expired an approval that was granted',
    at: 'voted',
    says: by(gate, approved(ABOUT, [VIC, VAL]), approvalReceipt({ result_code: 'expired' })),
    code: 'receipt_mismatch',
  },
  'id-drawn-twice': {
    does: 'gives a second grant the id of the first',
    at: 'granted',
    says: by(gate, onAttempt('grant.revoked', { because: 'again' }, gate, { entity: ID.execGrant }), grant()),
    code: 'id_repeated',
  },
});
