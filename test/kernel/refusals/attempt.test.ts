// What a refused beginning or end of an attempt tells its reader, and which reasons are whose fault.
import { describe, expect, it } from 'vitest';
import { isFinal, isVerdict, mayTryAgain, mustAskAgain } from '../../../src/kernel/attempt/blame.ts';
import type { Course } from '../../../src/kernel/course/course.ts';
import { attemptCreated, ID, onAttempt } from '../../support/course/asked.ts';
import { leaseReleased } from '../../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, replay, withCourse } from '../../support/course.ts';
import { uuid } from '../../support/events.ts';
import { CAST, missionAfter, when } from '../../support/given.ts';
import { member, testKey, type TestKey } from '../../support/people.ts';
import { refusal } from '../../support/refusals.ts';

const RITA = testKey('rita');
const people = courseRoster(member(RITA, { roles: ['runner'] }));

const OF_THE_RUNNER = [
  'agent_missing',
  'backend_unmet',
  'cell_prepare_failed',
  'cell_start_failed',
  'disk_full',
  'environment_altered',
  'environment_failed',
  'environment_missing',
  'git_failed',
  'git_missing',
  'interrupted',
  'level_unmet',
  'login_not_a_key',
  'runner_exposed',
  'runner_lost',
  'runner_silent',
  'sandbox_missing',
  'sandbox_unfit',
  'secret_exposed',
  'secret_missing',
  'secret_unusable',
  'vault_unreadable',
];
const OF_THE_WORLD = [
  'approval_expired',
  'base_unknown',
  'grant_expired',
  'policy_drifted',
  'policy_unreadable',
  'quorum_missing',
  'ref_moved',
  'sacred_unreadable',
];
const OF_THE_WORK = ['verify_failed', 'scope_violated', 'approval_denied', ''];

describe('why an attempt ended', () => {
  it.each(OF_THE_RUNNER)('%s is the runner’s fault: another one may try', (because) => {
    expect([mayTryAgain(because), mustAskAgain(because), isVerdict(because)]).toEqual([true, false, false]);
    expect(isFinal({ status: 'failed', because })).toBe(false);
  });

  it.each(OF_THE_WORLD)('%s is for people to say something on', (because) => {
    expect([mayTryAgain(because), mustAskAgain(because), isVerdict(because)]).toEqual([false, true, false]);
    expect(isFinal({ status: 'failed', because })).toBe(false);
  });

  it.each(OF_THE_WORK)('"%s" is a verdict', (because) => {
    expect([mayTryAgain(because), mustAskAgain(because), isVerdict(because)]).toEqual([false, false, true]);
    expect(isFinal({ status: 'failed', because })).toBe(true);
  });

  it('takes the mission along where it failed for good or was denied', () => {
    expect(isFinal({ status: 'failed', because: null })).toBe(true);
    expect(isFinal({ status: 'cancelled', because: 'approval_denied' })).toBe(true);
    expect(isFinal({ status: 'cancelled', because: 'verify_failed' })).toBe(false);
    expect(isFinal({ status: 'superseded', because: 'approval_denied' })).toBe(false);
  });
});

describe('an attempt that is not begun says', () => {
  const failed = replay(courseAt('created'), [
    { event: onAttempt('attempt.failed', { because: 'x' }, CAST.gate, { entity: ID.attempt }), by: CAST.gate },
  ]);
  const begin = (no: number, from: string | null, changes: object = {}) =>
    when(failed, { ...attemptCreated(no, from), ...changes }, CAST.gate);

  it('what stands in its way', () => {
    expect(when(courseAt('granted'), attemptCreated(2, ID.attempt), CAST.gate)).toEqual(
      refusal('attempt_open', { attempt: ID.attempt, status: 'authorized' }),
    );
    expect(when(courseAt('succeeded'), attemptCreated(2, ID.attempt), CAST.gate)).toEqual(
      refusal('mission_succeeded', { attempt: ID.attempt }),
    );
  });

  it('which number is due', () => {
    expect(begin(3, ID.attempt)).toEqual(refusal('attempt_stale', { attempt_no: 3, expected: 2 }));
    expect(begin(2, null)).toEqual(refusal('attempt_stale', { attempt_no: 2, expected: 2 }));
    const none = withCourse(courseAt('created'), { attempt: null });
    expect(when(none, attemptCreated(2), CAST.gate)).toEqual(refusal('attempt_stale', { attempt_no: 2, expected: 1 }));
  });

  it('that it is about something else', () => {
    const malformed = refusal('event_malformed', { event_type: 'attempt.created', at: 'step_id' });
    expect(begin(2, ID.attempt, { attempt_id: uuid('attempt 9') })).toEqual(malformed);
    expect(begin(2, ID.attempt, {})).toMatchObject({ is: 'accepted' });
  });

  it('how many there may be', () => {
    const { step } = courseOf(failed);
    const once = withCourse(failed, { step: { ...step!, max_attempts: 1 } });
    expect(when(once, attemptCreated(2, ID.attempt), CAST.gate)).toEqual(
      refusal('attempts_exhausted', { attempts_max: 1 }),
    );
  });
});

describe('an attempt that is not ended says', () => {
  const fail = (because: string, by: TestKey) => onAttempt('attempt.failed', { because }, by, { entity: ID.attempt });

  it('who holds it', () => {
    const leased = courseAt('leased', {}, people);
    expect(when(leased, fail('no_more', RITA), RITA)).toEqual(
      refusal('lease_lost', { holder: 'runner', signer: 'rita' }),
    );
    const released = replay(leased, [{ event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner }]);
    expect(when(released, fail('no_more', CAST.runner), CAST.runner)).toEqual(
      refusal('lease_lost', { holder: 'none', signer: 'runner' }),
    );
    for (const judge of [CAST.gate, CAST.writer])
      expect(when(released, fail('no_more', judge), judge)).toMatchObject({ is: 'accepted' });
  });

  it('what is open', () => {
    expect(when(courseAt('spawned'), fail('x', CAST.gate), CAST.gate)).toEqual(refusal('cell_open', { cell: ID.cell }));
    expect(when(courseAt('intended'), fail('x', CAST.gate), CAST.gate)).toEqual(
      refusal('receipt_missing', { effects: 2 }),
    );
  });

  const end = (changes: Partial<Course>, stage: 'receipted' | 'intended' | 'computed' = 'receipted') => {
    const said = onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt });
    return when(withCourse(courseAt(stage), changes), said, CAST.writer);
  };
  const { attempt, runs } = courseOf(courseAt('receipted'));

  it('what is missing of its success', () => {
    expect(end({})).toMatchObject({ is: 'accepted' });
    expect(end({ attempt: { ...attempt!, work: null } })).toEqual(
      refusal('nothing_done', { attempt: ID.attempt, verdict: 'satisfied' }),
    );
    expect(end({ attempt: { ...attempt!, verdict: null } })).toEqual(
      refusal('nothing_done', { attempt: ID.attempt, verdict: 'none' }),
    );
    expect(end({}, 'intended')).toEqual(refusal('receipt_missing', { attempt: ID.attempt, effects: 2 }));
    const unsaid = { [ID.cell]: { ...runs[ID.cell]!, receipt: null } };
    expect(end({ runs: unsaid })).toEqual(refusal('receipt_missing', { attempt: ID.attempt, runs: [ID.cell] }));
    const run = { [ID.cell]: { ...runs[ID.cell]!, receipt: 'succeeded' as const } };
    expect(end({ runs: run }, 'computed')).toEqual(
      refusal('effect_missing', { attempt: ID.attempt, kinds: ['push_branch', 'open_pull_request'] }),
    );
    expect(end({ attempt: { ...attempt!, planned: null, applied: ['push_branch'] } })).toEqual(
      refusal('effect_missing', { attempt: ID.attempt, kinds: ['open_pull_request'] }),
    );
  });

  it('nothing where one of several runs succeeded', () => {
    const other = { ...runs[ID.cell]!, receipt: 'failed' as const };
    expect(end({ runs: { [uuid('first')]: other, ...runs } })).toMatchObject({ is: 'accepted' });
    const { requests, grants } = courseOf(missionAfter(end({})));
    expect({ requests, grants }).toEqual({ requests: {}, grants: {} });
  });
});
