// Attacks on what follows an agreement: leases, cells, verdicts, effects and receipts that were not granted, not seen or
// not owed to whoever claims them.
import type { Event } from '../../../../src/kernel/event.ts';
import {
  by,
  attemptCreated,
  ID,
  ingress,
  onAttempt,
  PIA,
  proposal,
  VIC,
  type Said,
} from '../../../support/course/asked.ts';
import { decided, effectGrants, effectOf, intended, observed, receipt } from '../../../support/course/caused.ts';
import {
  checkClosed,
  leased,
  leaseReleased,
  result,
  spawned,
  verified,
  worked,
} from '../../../support/course/worked.ts';
import type { Attack } from '../../../support/forge/attack.ts';
import { ABOUT } from '../../../support/forge/course.ts';
import { uuid } from '../../../support/events.ts';
import { CAST, fact, TASK } from '../../../support/given.ts';
import { forgedCourses } from './course.ts';

const runner = (...events: Event[]) => by(CAST.runner, ...events);
const writer = (...events: Event[]) => by(CAST.writer, ...events);
const [PUSH] = effectGrants(ABOUT);
const FAILED = { because: 'agent_says_so' };
/** The writer looked in vain and let go. */
const SILENCE: Said[] = writer(
  observed('push_branch', { outcome: 'unknown_outcome', oid: null }),
  leaseReleased(2, CAST.writer, ID.effectLease),
);

export const COURSE_WORK: readonly Attack[] = forgedCourses({
  'attempt-after-success': {
    does: 'begins another attempt of a mission whose work was delivered, to have it delivered again',
    at: 'succeeded',
    says: [{ by: CAST.gate, event: attemptCreated(2, ID.attempt) }],
    code: 'mission_succeeded',
  },
  'fence-reused': {
    does: 'takes the lease again under a fence that was given out before',
    at: 'closed',
    says: writer(leased(1, CAST.writer, 'mutable')),
    code: 'fence_stale',
  },
  'lease-of-two': {
    does: 'takes the lease while a runner holds it',
    at: 'leased',
    says: writer(leased(2, CAST.writer, 'mutable')),
    code: 'lease_held',
  },
  'work-of-a-zombie': {
    does: 'hands work over after its lease was given back',
    at: 'closed',
    says: runner(worked({ commit: '4d'.repeat(20) })),
    code: 'lease_lost',
  },
  'cell-without-a-lease': {
    does: 'starts a cell without holding the lease',
    at: 'granted',
    says: runner(spawned()),
    code: 'lease_lost',
  },
  'cell-without-a-grant': {
    does: 'starts a cell under a grant that nobody gave',
    at: 'leased',
    says: runner(spawned({ grant_id: uuid('no grant') })),
    code: 'grant_missing',
  },
  'cell-without-isolation': {
    does: 'starts the agent with less isolation than people agreed to',
    at: 'leased',
    says: runner(spawned({ level: 0 })),
    code: 'level_unmet',
  },
  'work-on-another-base': {
    does: 'hands over work on another base than the one that was approved',
    at: 'spawned',
    says: runner(worked({ base_commit: '0c'.repeat(20) })),
    code: 'ref_moved',
  },
  'verdict-without-checks-behind-it': {
    does: 'calls work verified whose checks failed',
    at: 'checking',
    says: runner(checkClosed(0, 1), checkClosed(1), verified({ checks: [result(0, { exit_code: 1 }), result(1)] })),
    code: 'verdict_unfounded',
  },
  'done-without-verification': {
    does: 'ends the mission as done on the agent’s word',
    at: 'worked',
    says: writer(fact('mission.ended', { because: 'agent_says_so', outcome: 'done' }, CAST.writer)),
    code: 'receipt_missing',
  },
  'effect-granted-under-the-plan-alone': {
    does: 'grants an effect of tier 2 under the approval of the plan, without the one of the exact effects',
    at: 'computed',
    says: writer({ ...PUSH!, payload: { ...PUSH!.payload, approval_ref: ID.approval } }),
    code: 'effects_approval_missing',
  },
  'effect-other-than-approved': {
    does: 'intends another effect under the grant for an approved one',
    at: 'writing',
    says: writer(intended('push_branch', { effect: '99'.repeat(32) })),
    code: 'effect_unplanned',
  },
  'effect-on-another-target': {
    does: 'aims an approved effect at another branch',
    at: 'writing',
    says: writer(intended('push_branch', { target: 'main' })),
    code: 'grant_mismatch',
  },
  'effect-without-an-intent': {
    does: 'records the outcome of an effect that no intent came before',
    at: 'writing',
    says: writer(observed('push_branch')),
    code: 'effect_unknown',
  },
  'effect-caused-twice': {
    does: 'grants an effect again whose first outcome is not known yet',
    at: 'intended',
    says: writer({ ...PUSH!, entity_id: uuid('second grant') }),
    code: 'effect_exists',
  },
  'receipt-against-the-observation': {
    does: 'receipts as failed what was seen to have been applied',
    at: 'observed',
    says: writer(receipt('push_branch', { result_code: 'failed' })),
    code: 'receipt_mismatch',
  },
  'receipt-before-the-outcome': {
    does: 'receipts an effect as applied before anybody looked',
    at: 'intended',
    says: writer(receipt('push_branch', { subject_ref: effectOf('push_branch') })),
    code: 'receipt_mismatch',
  },
  'success-without-receipts': {
    does: 'ends the attempt as succeeded while effects have no receipt',
    at: 'observed',
    says: writer(onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt })),
    code: 'receipt_missing',
  },
  'mission-ended-by-its-runner': {
    does: 'ends, as its runner, the mission whose attempt it failed',
    at: 'leased',
    says: runner(
      onAttempt('attempt.failed', FAILED, CAST.runner, { entity: ID.attempt }),
      leaseReleased(1, CAST.runner, ID.cellLease),
      fact('mission.ended', { ...FAILED, outcome: 'failed' }, CAST.runner),
    ),
    code: 'role_not_allowed',
    shows: true,
  },
  'mission-done-by-the-gate': {
    does: 'calls the mission done, as the gate, before the writer does',
    at: 'succeeded',
    says: [{ by: CAST.gate, event: fact('mission.ended', { because: 'verified', outcome: 'done' }, CAST.gate) }],
    code: 'role_not_allowed',
  },
  'task-failed-by-its-runner': {
    does: 'fails, as its runner, the task that it was given to work on',
    at: 'spawned',
    says: runner(fact('task.failed', FAILED, CAST.runner, { task: TASK })),
    code: 'role_not_allowed',
    shows: true,
  },
  'attempt-failed-after-the-hand-over': {
    does: 'fails, as a runner without the lease, the attempt whose work is handed over and verified',
    at: 'closed',
    says: runner(onAttempt('attempt.failed', FAILED, CAST.runner, { entity: ID.attempt })),
    code: 'lease_lost',
  },
  'effect-settled-by-the-writer': {
    does: 'settles, as the writer, what only a person may settle',
    at: 'intended',
    says: [...SILENCE, ...writer({ ...decided('push_branch'), actor_id: CAST.writer.principalId })],
    code: 'role_not_allowed',
    shows: true,
  },
  'effect-settled-in-anothers-name': {
    does: 'settles an effect, as a person, in the name of another one',
    at: 'intended',
    says: [...SILENCE, { by: PIA, event: decided('push_branch') }],
    code: 'actor_mismatch',
    shows: true,
  },
  'effect-settled-against-what-was-seen': {
    does: 'settles as not applied, as a person, what was seen to have been applied',
    at: 'observed',
    says: [
      ...writer(leaseReleased(2, CAST.writer, ID.effectLease)),
      { by: VIC, event: decided('push_branch', { outcome: 'not_applied' }) },
    ],
    code: 'effect_settled',
  },
  'settlement-passed-off-as-seen': {
    does: 'receipts as an effect like any other what a person settled',
    at: 'intended',
    says: [...SILENCE, { by: VIC, event: decided('push_branch') }, ...writer(receipt('push_branch'))],
    code: 'receipt_mismatch',
  },
  'course-goes-on-after-the-end': {
    does: 'revises a mission that has ended',
    at: 'ended',
    says: [
      { by: CAST.gate, event: ingress() },
      { by: CAST.gate, event: proposal(2) },
    ],
    code: 'mission_over',
  },
});
