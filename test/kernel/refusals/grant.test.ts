// What a refused grant tells its reader, and the last moment in which one can be used.
import { describe, expect, it } from 'vitest';
import { useGrant } from '../../../src/kernel/grant/evolve.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { Course } from '../../../src/kernel/course/course.ts';
import { writeEvent } from '../../../src/kernel/codec.ts';
import { grant, ID, LATER, onAttempt, SOON, VIC } from '../../support/course/asked.ts';
import { effectGrants, grantOf, requestOf } from '../../support/course/caused.ts';
import { courseAt, courseOf, withCourse } from '../../support/course.ts';
import { uuid } from '../../support/events.ts';
import { CAST, MISSION, when } from '../../support/given.ts';
import { refusal } from '../../support/refusals.ts';

const EXEC = { action_request: ID.exec };

describe('a grant that is refused says', () => {
  const approved = courseAt('approved');
  const give = (changes: object) => when(approved, grant(ID.exec, changes), CAST.gate);

  it('what it was for', () => {
    const nothing = uuid('nothing');
    expect(give({ action_request_ref: nothing })).toEqual(refusal('action_unknown', { action_request: nothing }));
    expect(give({ action_class: 'write_local' })).toEqual(refusal('grant_mismatch', EXEC));
    expect(give({ resource_scope: ['docs/**'] })).toEqual(refusal('grant_mismatch', EXEC));
    const { requests } = courseOf(approved);
    const over = withCourse(approved, { requests: { [ID.exec]: { ...requests[ID.exec]!, receipted: true } } });
    expect(when(over, grant(), CAST.gate)).toEqual(refusal('receipt_exists', EXEC));
  });

  it('whose it was', () => {
    const [push] = effectGrants({});
    expect(when(courseAt('computed'), { ...push!, actor_id: 'gate' }, CAST.gate)).toEqual(
      refusal('role_not_allowed', { event_type: 'grant.issued', principal: 'gate' }),
    );
  });

  it('how long it may last, to the second', () => {
    expect(give({ expires_at: '2026-12-18T10:00:00.000Z' })).toMatchObject({ is: 'accepted' });
    const expires_at = '2026-12-18T10:00:01.000Z';
    expect(give({ expires_at })).toEqual(refusal('window_too_long', { expires_at, hours_max: 720 }));
  });

  it('that there is one, or an effect under one', () => {
    const again = { ...grant(), entity_id: uuid('again') };
    expect(when(courseAt('granted'), again, CAST.gate)).toEqual(refusal('grant_exists', EXEC));
    const [push] = effectGrants({});
    expect(when(courseAt('intended'), { ...push!, entity_id: uuid('again') }, CAST.writer)).toEqual(
      refusal('effect_exists', { action_request: requestOf('push_branch') }),
    );
  });

  it('which one was to be taken back', () => {
    const revoked = onAttempt('grant.revoked', { because: 'halted' }, VIC, { entity: uuid('nothing') });
    expect(when(courseAt('granted'), revoked, VIC)).toEqual(refusal('grant_missing', { grant: uuid('nothing') }));
  });
});

it('a grant to run counts against other grants to run, and no others', () => {
  const approved = courseAt('approved');
  const ofPush = { ...courseOf(courseAt('granted')).grants[ID.execGrant]!, request: requestOf('push_branch') };
  const beside = (action_class: 'execute_command' | 'vcs_mutation') =>
    when(withCourse(approved, { grants: { [uuid('other')]: { ...ofPush, action_class } } }), grant(), CAST.gate);
  expect(beside('vcs_mutation')).toMatchObject({ is: 'accepted' });
  expect(beside('execute_command')).toMatchObject({ code: 'births_exhausted' });
});

it('a grant is for one use or more', () => {
  const uses = (max_uses: number) => writeEvent(grant(ID.exec, { max_uses })).is;
  expect([0, 1, 2].map(uses)).toEqual(['refused', 'accepted', 'accepted']);
});

describe('the use of a grant that is refused says', () => {
  const writing = courseAt('writing');
  const push = grantOf('push_branch');
  const given = courseOf(writing).grants[push]!;
  const signer = writing.roster.members.find((one) => one.principal_id === 'writer')!;
  const use = (changes: Partial<Course>, id = push, now = SOON) =>
    useGrant(
      {
        crypto: nodeCrypto,
        mission: MISSION,
        course: { ...courseOf(writing), ...changes },
        roster: writing.roster,
        signer,
      },
      id,
      now,
    );

  it('which one is missing, or over', () => {
    expect(use({}, uuid('nothing'))).toEqual(refusal('grant_missing', { grant: uuid('nothing') }));
    const { requests } = courseOf(writing);
    const over = { ...requests, [given.request]: { ...requests[given.request]!, receipted: true } };
    expect(use({ requests: over })).toEqual(refusal('receipt_exists', { action_request: given.request }));
    expect(use({}, push, LATER)).toEqual(refusal('grant_expired', { grant: push, expires_at: SOON }));
  });

  it('whose agreement is gone', () => {
    const gone = refusal('quorum_missing', { approval: ID.approval });
    const { approvals } = courseOf(writing);
    expect(use({ approvals: {} })).toEqual(gone);
    const fallen = { ...approvals[ID.approval]!, granted: false };
    expect(use({ approvals: { [ID.approval]: fallen } })).toEqual(gone);
    const short = { ...approvals[ID.approval]!, expires_at: '2026-11-18T11:00:00.000Z' };
    expect(use({ approvals: { [ID.approval]: short } })).toEqual(
      refusal('approval_expired', { expires_at: '2026-11-18T11:00:00.000Z' }),
    );
  });

  it('nothing in the last moment, nor where nobody had to agree, nor where the request is gone', () => {
    expect(use({})).toMatchObject({ is: 'accepted' });
    expect(use({ approvals: {}, grants: { [push]: { ...given, approval: null } } })).toMatchObject({ is: 'accepted' });
    expect(use({ requests: {} })).toMatchObject({ is: 'accepted' });
  });
});
