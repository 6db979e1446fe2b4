// What a refused receipt tells its reader, who may say what came of anything, and what is due for each thing that state
// knows, in whatever state it is.
import { describe, expect, it } from 'vitest';
import { maySignReceipt } from '../../../src/kernel/receipt/classes.ts';
import { subjectOf } from '../../../src/kernel/receipt/due.ts';
import { checkReceipts } from '../../../src/kernel/receipt/evolve.ts';
import { EFFECT_KINDS } from '../../../src/kernel/course/classes.ts';
import type { Course, Request } from '../../../src/kernel/course/course.ts';
import type { Event } from '../../../src/kernel/event.ts';
import { approvalReceipt, ID, policyOf } from '../../support/course/asked.ts';
import { effectOf, grantOf, receipt, requestOf, runReceipt } from '../../support/course/caused.ts';
import { cellClosed, leaseReleased } from '../../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, replay, withCourse } from '../../support/course.ts';
import { uuid } from '../../support/events.ts';
import { CAST, DIGEST, missionAfter, openedProject, ROLES, when } from '../../support/given.ts';
import { member, testKey, type TestKey } from '../../support/people.ts';
import { refusal } from '../../support/refusals.ts';

const RITA = testKey('rita');
const people = courseRoster(member(RITA, { roles: ['runner'] }));
const PUSH = effectOf('push_branch');
const FAILED = { result_code: 'failed', result_summary: 'cell_failed' } as const;

/** Whoever may say what, and nobody else anything else. */
const SIGNERS = `
  publish                 succeeded        writer
  publish                 failed           writer
  publish                 refused          writer
  publish                 unknown_outcome  writer
  observation_resolution  succeeded        writer
  observation_resolution  failed           writer
  command_execution       succeeded        writer
  command_execution       failed           gate runner
  command_execution       refused          gate runner writer
  approval_resolution     succeeded        gate person
  approval_resolution     denied           gate person writer
  approval_resolution     expired          gate writer
  approval_resolution     refused          gate person writer
`;

const CLASSES = [
  'tool_execution',
  'command_execution',
  'publish',
  'memory_promotion',
  'approval_resolution',
  'rollback',
  'observation_resolution',
] as const;
const RESULTS = ['succeeded', 'failed', 'refused', 'denied', 'expired', 'unknown_outcome'] as const;

describe.each(CLASSES)('a receipt of class %s', (receipt_class) => {
  it.each(RESULTS)('that says %s', (result_code) => {
    const { payload } = receipt('push_branch', { receipt_class, result_code });
    const may = ROLES.filter((role) => maySignReceipt(payload, [role]));
    const row = SIGNERS.split('\n').find(
      (line) => line.trim().startsWith(`${receipt_class} `) && line.includes(` ${result_code} `),
    );
    expect(may).toEqual(row === undefined ? [] : row.trim().split(/ +/u).slice(2));
  });
});

it('what was done is undone in its own way', () => {
  const undone = Object.entries(EFFECT_KINDS).map(([kind, { rollback }]) => [kind, rollback]);
  expect(Object.fromEntries(undone)).toEqual({
    write_local_branch: { how: 'delete_branch', supported: 'yes' },
    push_branch: { how: 'delete_branch', supported: 'yes' },
    open_pull_request: { how: 'close_pull_request', supported: 'partly' },
    post_comment: { how: 'delete_comment', supported: 'partly' },
  });
});

describe('a receipt that is refused says', () => {
  const seen = courseAt('observed');

  it('which attempt it was about', () => {
    const said = receipt('push_branch');
    const { attempt_id: _, ...nobodys } = said;
    const other = { ...said, attempt_id: uuid('attempt 2') };
    expect(when(seen, other, CAST.writer)).toEqual(
      refusal('attempt_stale', { attempt: uuid('attempt 2'), current: ID.attempt }),
    );
    expect(when(seen, nobodys as Event, CAST.writer)).toEqual(
      refusal('attempt_stale', { attempt: '', current: ID.attempt }),
    );
    expect(when(withCourse(seen, { attempt: null }), said, CAST.writer)).toEqual(
      refusal('attempt_stale', { attempt: ID.attempt, current: '' }),
    );
    const ofRun = { ...runReceipt(), attempt_id: uuid('attempt 2') };
    expect(when(courseAt('closed'), ofRun, CAST.writer)).toMatchObject({ code: 'attempt_stale' });
  });

  it('who said what', () => {
    expect(when(seen, receipt('push_branch', {}, CAST.gate), CAST.gate)).toEqual(
      refusal('role_not_allowed', { principal: 'gate', receipt_class: 'publish', result_code: 'succeeded' }),
    );
  });

  it('of what it was', () => {
    const nothing = receipt('push_branch', { subject_ref: uuid('nothing') });
    expect(when(seen, nothing, CAST.writer)).toEqual(refusal('receipt_subject_unknown', { subject: uuid('nothing') }));
    const once = replay(seen, [{ event: receipt('push_branch'), by: CAST.writer }]);
    const again = { ...receipt('push_branch'), entity_id: uuid('again') };
    expect(when(once, again, CAST.writer)).toEqual(refusal('receipt_exists', { subject: PUSH }));
    expect(when(courseAt('intended'), receipt('push_branch'), CAST.writer)).toEqual(
      refusal('receipt_mismatch', { subject: PUSH, result_code: 'succeeded', at: 'subject_ref' }),
    );
  });

  it('where it says something else than what is known', () => {
    const half = { how: 'delete_branch', supported: 'partly' } as const;
    expect(when(seen, receipt('push_branch', { rollback: half }), CAST.writer)).toEqual(
      refusal('receipt_mismatch', { subject: PUSH, result_code: 'succeeded', at: 'rollback' }),
    );
  });

  it('whose run it is', () => {
    const closed = replay(courseAt('worked', {}, people), [{ event: cellClosed(1), by: CAST.runner }]);
    expect(when(closed, runReceipt(FAILED, RITA), RITA)).toEqual(
      refusal('lease_lost', { holder: 'runner', signer: 'rita' }),
    );
    const released = replay(closed, [{ event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner }]);
    for (const who of [RITA, CAST.runner])
      expect(when(released, runReceipt(FAILED, who), who)).toEqual(
        refusal('lease_lost', { holder: 'none', signer: who.principalId }),
      );
    expect(when(released, runReceipt(FAILED, CAST.gate), CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('whose request it is', () => {
    const off = (by: TestKey) =>
      runReceipt({ result_code: 'refused', subject_ref: ID.exec, environment_ref: null, output_refs: [] }, by);
    const leased = courseAt('leased', {}, people);
    expect(when(leased, off(RITA), RITA)).toEqual(refusal('lease_lost', { holder: 'runner', signer: 'rita' }));
    expect(when(leased, off(CAST.runner), CAST.runner)).toMatchObject({ is: 'accepted' });
    expect(when(courseAt('granted', {}, people), off(RITA), RITA)).toMatchObject({ is: 'accepted' });
  });
});

describe('a run', () => {
  const closed = courseAt('closed');
  const run = courseOf(closed).runs[ID.cell]!;
  const withRun = (changes: Partial<NonNullable<typeof run.closed>>, more: Partial<Course> = {}) =>
    withCourse(closed, { runs: { [ID.cell]: { ...run, closed: { ...run.closed!, ...changes } } }, ...more });

  it('has the receipt kept that it got', () => {
    for (const result_code of ['succeeded', 'refused'] as const) {
      const { runs } = courseOf(missionAfter(when(closed, runReceipt({ result_code }), CAST.writer)));
      expect(runs[ID.cell]!.receipt).toBe(result_code);
    }
    const lost = when(withRun({ outcome: 'lost' }), runReceipt(FAILED, CAST.gate), CAST.gate);
    expect(courseOf(missionAfter(lost)).runs[ID.cell]!.receipt).toBe('failed');
  });

  it('that was lost, or of an attempt that is gone, has failed', () => {
    for (const state of [withRun({ outcome: 'lost' }), withRun({}, { attempt: null })])
      expect(subjectOf(courseOf(state), ID.cell)).toMatchObject({ is: 'run', due: { results: ['failed'] } });
    expect(subjectOf(courseOf(closed), ID.cell)).toMatchObject({ due: { results: ['succeeded', 'refused'] } });
  });

  it('may name more outputs than what it printed, and none where it printed nothing', () => {
    const more = runReceipt({ output_refs: [`sha256:${'11'.repeat(32)}`, DIGEST] });
    expect(when(closed, more, CAST.writer)).toMatchObject({ is: 'accepted' });
    expect(when(withRun({ output: null }), runReceipt({ output_refs: [] }), CAST.writer)).toMatchObject({
      is: 'accepted',
    });
    expect(subjectOf(courseOf(withRun({ output: null })), ID.cell)).toMatchObject({
      due: { outputs: { only: false, refs: [] } },
    });
  });

  it('that is open has no receipt, and one that has it gets no other', () => {
    const { runs } = courseOf(courseAt('spawned'));
    expect(subjectOf({ ...courseOf(closed), runs }, ID.cell)).toEqual({ is: 'open' });
    expect(subjectOf({ ...courseOf(closed), runs: { [ID.cell]: { ...run, receipt: 'failed' } } }, ID.cell)).toEqual({
      is: 'receipted',
    });
  });
});

describe('an effect', () => {
  const seen = courseAt('observed');

  it('that nobody has looked at is open', () => {
    expect(subjectOf(courseOf(courseAt('intended')), PUSH)).toEqual({ is: 'open' });
  });

  it('that is over is known by its id and by its request, and nothing else is', () => {
    const over = courseOf(replay(seen, [{ event: receipt('push_branch'), by: CAST.writer }]));
    for (const id of [PUSH, requestOf('push_branch')]) expect(subjectOf(over, id)).toEqual({ is: 'receipted' });
    expect(subjectOf(over, uuid('nothing'))).toEqual({ is: 'unknown' });
    expect(subjectOf({ ...over, attempt: null }, PUSH)).toEqual({ is: 'unknown' });
    // Intended, and then gone without a word: nobody said what came of it.
    const vanished = { ...courseOf(courseAt('intended')), effects: {}, requests: {} };
    for (const id of [PUSH, requestOf('push_branch')]) expect(subjectOf(vanished, id)).toEqual({ is: 'unknown' });
  });

  it('whose request is gone has no word of policy', () => {
    const course = { ...courseOf(seen), requests: {} };
    expect(subjectOf(course, PUSH)).toMatchObject({ due: { policy_result_ref: null } });
    expect(subjectOf(courseOf(seen), PUSH)).toMatchObject({
      due: { policy_result_ref: policyOf(requestOf('push_branch')) },
    });
  });

  it('takes its own grants along, and no others', () => {
    const one = courseOf(courseAt('writing')).grants[grantOf('push_branch')]!;
    const other = { ...one, request: requestOf('open_pull_request') };
    const state = withCourse(seen, { grants: { [uuid('own')]: one, [uuid('other')]: other } });
    const { grants } = courseOf(missionAfter(when(state, receipt('push_branch'), CAST.writer)));
    expect(Object.keys(grants)).toEqual([uuid('other')]);
  });

  it('is remembered among the last 256', () => {
    const deed = courseOf(seen).effects[PUSH]!.effect;
    const before = Array.from({ length: 256 }, (_, i) => String(i).padStart(64, '0'));
    const after = (caused: string[]) =>
      courseOf(missionAfter(when(withCourse(seen, { caused }), receipt('push_branch'), CAST.writer))).caused;
    expect(after(before)).toEqual([...before.slice(1), deed]);
    expect(after(before.slice(1))).toEqual([...before.slice(1), deed]);
  });

  it('is closed where the set that it stood in is gone', () => {
    const { attempt } = courseOf(seen);
    const state = withCourse(seen, { attempt: { ...attempt!, planned: null } });
    const after = courseOf(missionAfter(when(state, receipt('push_branch'), CAST.writer)));
    expect(after.attempt).toMatchObject({ planned: null, applied: ['push_branch'] });
  });
});

describe('a request', () => {
  const asked = courseOf(courseAt('granted'));
  const exec = asked.requests[ID.exec]!;
  const subject = (changes: Partial<Request>, more: Partial<Course> = {}) =>
    subjectOf({ ...asked, requests: { ...asked.requests, [ID.exec]: { ...exec, ...changes } }, ...more }, ID.exec);
  const said = (result: NonNullable<Request['policy']>['result']) => ({ policy: { ref: uuid('policy'), result } });

  it('that policy denied is an approval that was denied', () => {
    for (const result of ['deny', 'downgrade'] as const)
      expect(subject(said(result))).toMatchObject({
        is: 'request',
        due: { receipt_class: 'approval_resolution', results: ['denied'] },
      });
  });

  it('that came to nothing was refused, and one to run may have failed', () => {
    expect(subject({})).toMatchObject({ due: { receipt_class: 'command_execution', results: ['refused', 'failed'] } });
    expect(subject({ kind: 'push_branch' })).toMatchObject({
      due: { receipt_class: 'publish', results: ['refused'] },
    });
  });

  it('is open while it is not judged, and once something was begun for it', () => {
    expect(subject({ policy: null })).toEqual({ is: 'open' });
    expect(subject({}, { runs: courseOf(courseAt('spawned')).runs })).toEqual({ is: 'open' });
    const effect = { ...courseOf(courseAt('intended')).effects[PUSH]!, request: ID.exec };
    expect(subject({}, { effects: { [PUSH]: effect } })).toEqual({ is: 'open' });
    const elsewhere = { ...effect, request: uuid('another') };
    expect(subject({}, { effects: { [PUSH]: elsewhere } })).toMatchObject({ is: 'request' });
  });

  it('has one receipt', () => {
    expect(subject({ receipted: true })).toEqual({ is: 'receipted' });
  });

  it('names its own grant, or none', () => {
    const grant = asked.grants[ID.execGrant]!;
    const other = { ...grant, request: uuid('another') };
    expect(subject({}, { grants: { [uuid('other')]: other, [ID.execGrant]: grant } })).toMatchObject({
      due: { capability_grant_ref: ID.execGrant, approval_ref: ID.approval },
    });
    expect(subject({}, { grants: { [uuid('other')]: other } })).toMatchObject({
      due: { capability_grant_ref: null, approval_ref: null },
    });
  });
});

describe('an approval', () => {
  it('waits for people, then owes its receipt, then has it', () => {
    expect(subjectOf(courseOf(courseAt('voted')), ID.approval)).toEqual({ is: 'open' });
    expect(subjectOf(courseOf(courseAt('approved')), ID.approval)).toEqual({ is: 'receipted' });
    expect(when(courseAt('voted'), approvalReceipt(), CAST.gate)).toMatchObject({ code: 'receipt_mismatch' });
  });

  it('of what was never judged names no word of policy', () => {
    const { requests } = courseOf(courseAt('asked'));
    const owed = { [ID.approval]: { request: ID.exec, result: 'expired' } } as const;
    expect(subjectOf({ ...courseOf(courseAt('asked')), owed }, ID.approval)).toMatchObject({
      is: 'approval',
      due: { action_request_ref: ID.exec, policy_result_ref: null, results: ['expired'] },
    });
    expect(requests[ID.exec]!.policy).toBeNull();
  });
});

describe('at the end of a transaction', () => {
  const granted = courseAt('granted');
  const { attempt, requests } = courseOf(granted);
  const off = (changes: Partial<Request>, more: Partial<Course> = {}) =>
    checkReceipts(
      withCourse(granted, { requests: { [ID.exec]: { ...requests[ID.exec]!, receipted: true, ...changes } }, ...more }),
    );
  const accepted = { is: 'accepted', value: undefined };

  it('no run is called off of an attempt that goes on', () => {
    const facts = { attempt: ID.attempt, called_off: [ID.exec] };
    expect(off({})).toEqual(refusal('attempt_open', facts));
    expect(off({ policy: null })).toEqual(refusal('attempt_open', facts));
    expect(off({ receipted: false })).toEqual(accepted);
  });

  it('one is of an attempt that is over, or gone', () => {
    expect(off({}, { attempt: { ...attempt!, status: 'failed' } })).toEqual(accepted);
    expect(off({}, { attempt: null })).toEqual(accepted);
  });

  it('what policy denied, and effects, are no runs that were called off', () => {
    for (const result of ['deny', 'downgrade'] as const)
      expect(off({ policy: { ref: uuid('policy'), result } })).toEqual(accepted);
    expect(off({ kind: 'push_branch' })).toEqual(accepted);
  });

  it('a project owes none', () => {
    expect(checkReceipts(openedProject())).toEqual(accepted);
  });
});
