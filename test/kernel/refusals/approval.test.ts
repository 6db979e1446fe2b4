// What a refused word on an approval tells its reader: what was asked, what stands, and who is missing.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/kernel/event.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import {
  approvalAsked,
  approved,
  askedAnew,
  denied,
  digestOf,
  ID,
  LATER,
  NOW,
  onAttempt,
  oneStep,
  PIA,
  planned,
  requestAnew,
  SOON,
  VAL,
  VIC,
  vote,
  voteOf,
  withdrawal,
  type Terms,
} from '../../support/course/asked.ts';
import { effectsApprovalAsked } from '../../support/course/caused.ts';
import { leaseReleased } from '../../support/course/worked.ts';
import { approve, cast } from '../../support/course/ballots.ts';
import { courseAt, courseOf, replay, whenSaid, withCourse } from '../../support/course.ts';
import { uuid } from '../../support/events.ts';
import { CAST, MISSION, missionAfter, when } from '../../support/given.ts';
import { refusal } from '../../support/refusals.ts';

const OTHER = 'ab'.repeat(32);
const NOTHING = uuid('nothing');
const unknown = refusal('approval_unknown', { approval: NOTHING });
const stale = refusal('approval_stale', { digest: OTHER, current: digestOf() });
const settled = refusal('approval_settled', { approval: ID.approval });
const expired = refusal('approval_expired', { expires_at: SOON });

describe('a question that is refused says', () => {
  const ask = (changes: object, state = courseAt('judged')) => when(state, approvalAsked({}, changes), CAST.gate);

  it('which digest is at hand, and that there is none of effects', () => {
    expect(ask({ digest: OTHER })).toEqual(refusal('digest_unknown', { digest: OTHER, expected: digestOf() }));
    expect(ask({ approval_type: 'effects' })).toEqual(refusal('digest_unknown', { digest: digestOf(), expected: '' }));
  });

  it('what it is about, and what stands already', () => {
    expect(ask({ requested_action_ref: NOTHING })).toEqual(refusal('action_unknown', { action_request: NOTHING }));
    expect(ask({}, courseAt('awaiting'))).toEqual(refusal('approval_exists', { approval: ID.approval }));
  });

  it('how long it may stand open, to the second', () => {
    expect(ask({ expires_at: NOW })).toEqual(refusal('approval_expired', { expires_at: NOW }));
    const far = '2026-12-18T10:00:01.000Z';
    expect(ask({ expires_at: far })).toEqual(refusal('window_too_long', { expires_at: far, hours_max: 720 }));
  });

  it('whose votes it wanted', () => {
    expect(ask({ carries: NOTHING })).toEqual(unknown);
  });
});

it('a question about effects is about those of an attempt', () => {
  const asks = approvalAsked({}, { approval_type: 'effects' });
  expect(when(withCourse(courseAt('judged'), { attempt: null }), asks, CAST.gate)).toEqual(
    refusal('digest_unknown', { digest: digestOf(), expected: '' }),
  );
});

it('a question about effects leaves what was agreed to before the run', () => {
  const { approvals } = courseOf(courseAt('effectsAwaiting', { tier: 2 }));
  expect(Object.keys(approvals)).toEqual([ID.approval, ID.effectsApproval]);
});

describe('a question that is asked anew', () => {
  const about = { tier: 2 } as const;
  const state = courseAt('effectsAwaiting', about);
  const { approvals } = courseOf(state);
  const [plan, effects] = [approvals[ID.approval]!, approvals[ID.effectsApproval]!];
  const ofAnother = { step: uuid('another step') };
  const left = (standing: typeof approvals, said: Event) =>
    Object.keys(courseOf(missionAfter(when(withCourse(state, { approvals: standing }), said, CAST.gate))).approvals);

  it('about effects takes the place of the one about those of its step, and of no other', () => {
    const anew = { ...effectsApprovalAsked(), entity_id: uuid('anew') };
    const other = { ...effects, ...ofAnother };
    expect(left({ [ID.approval]: plan, [ID.effectsApproval]: effects, [uuid('other')]: other }, anew)).toEqual([
      ID.approval,
      uuid('other'),
      uuid('anew'),
    ]);
  });

  it('about the plan takes the place of every one about a plan', () => {
    const anew = approvalAsked(about, {}, uuid('anew'));
    const other = { ...plan, ...ofAnother };
    expect(left({ [ID.approval]: plan, [ID.effectsApproval]: effects, [uuid('other')]: other }, anew)).toEqual([
      ID.effectsApproval,
      uuid('anew'),
    ]);
  });
});

describe('votes that are not carried over say', () => {
  function next(about: Terms, changes: object, before: MissionState = courseAt('voted', about)) {
    const again = replay(before, [{ event: planned(about), by: CAST.gate }, ...askedAnew()]);
    const asks = { carries: ID.approval, requested_action_ref: requestAnew(), ...changes };
    return when(again, approvalAsked(about, asks, uuid('next approval')), CAST.gate);
  }

  it('from which tier on', () => {
    expect(next({ tier: 3 }, {})).toEqual(refusal('votes_not_carried', { tier: 3 }));
  });

  it('when they end', () => {
    expect(next({}, { expires_at: LATER })).toEqual(expired);
    expect(next({}, { expires_at: SOON })).toMatchObject({ is: 'accepted' });
  });

  it('what they were for', () => {
    const wider = { plan: { steps: oneStep(['**']) } };
    const again = replay(courseAt('voted'), [{ event: planned(wider), by: CAST.gate }, ...askedAnew()]);
    const asks = { carries: ID.approval, requested_action_ref: requestAnew() };
    expect(when(again, approvalAsked(wider, asks, uuid('next approval')), CAST.gate)).toEqual(
      refusal('approval_stale', { digest: digestOf(), current: digestOf(wider) }),
    );
  });

  it('that another plan lay in between, however small the last one is beside it', () => {
    const wider = { plan: { steps: oneStep(['src/**', 'docs/**']) } };
    const last = { plan: { steps: oneStep(['docs/**']) } };
    const between = replay(courseAt('voted'), [{ event: planned(wider), by: CAST.gate }]);
    expect(next(last, {}, between)).toEqual(refusal('approval_stale', { digest: digestOf(), current: digestOf(last) }));
  });

  it('that there is no plan any more that they were for', () => {
    const last = { plan: { steps: oneStep([]) } };
    const again = replay(courseAt('voted'), [{ event: planned(last), by: CAST.gate }, ...askedAnew()]);
    const asks = { carries: ID.approval, requested_action_ref: requestAnew() };
    const said = approvalAsked(last, asks, uuid('next approval'));
    expect(when(withCourse(again, { former_plan: null }), said, CAST.gate)).toMatchObject({ code: 'approval_stale' });
    expect(when(again, said, CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('that those of the plan are none for effects, nor the other way round', () => {
    const state = courseAt('voted');
    const { approvals } = courseOf(state);
    const ofEffects = { ...approvals[ID.approval]!, type: 'effects' as const };
    const asks = { carries: ID.approval };
    const said = approvalAsked({}, asks, uuid('next approval'));
    const other = withCourse(state, { approvals: { [ID.approval]: ofEffects } });
    expect(when(other, said, CAST.gate)).toEqual(refusal('approval_unknown', { approval: ID.approval }));
    expect(when(state, said, CAST.gate)).toMatchObject({ is: 'accepted' });
  });
});

describe('a vote that is refused says', () => {
  const state = courseAt('awaiting');

  it('on what it was', () => {
    expect(cast(state, {}, VIC, VIC, { approval_id: NOTHING })).toEqual(unknown);
    expect(cast(state, {}, VIC, VIC, { digest: OTHER })).toEqual(stale);
    expect(cast(courseAt('approved'), {}, VAL)).toEqual(settled);
    expect(when(state, { ...vote({}, VIC).event, occurred_at: LATER }, VIC)).toEqual(expired);
  });

  it('whose it was', () => {
    expect(cast(state, {}, PIA)).toEqual(refusal('self_approval', { principal: 'pia', tier: 1 }));
    expect(cast(state, {}, CAST.runner, CAST.gate)).toEqual(refusal('not_authorised', { principal: 'runner' }));
    expect(cast(state, {}, VIC, CAST.gate, { forge: null })).toEqual(
      refusal('actor_mismatch', { actor: 'vic', signer: 'gate' }),
    );
  });

  it('how many there may be', () => {
    const { approvals } = courseOf(state);
    const votes = Array.from({ length: 64 }, (_, i) => ({
      id: uuid(`vote ${i}`),
      person: `p${i}`,
      principal: 'vic',
      choice: 'approve' as const,
      signed: true,
    }));
    const full = withCourse(state, { approvals: { [ID.approval]: { ...approvals[ID.approval]!, votes } } });
    expect(cast(full, {}, VIC)).toEqual(refusal('limit_reached', { votes_max: 64 }));
  });

  it('taken back: whose it would have been, and whether it is too late', () => {
    const voted = courseAt('voted');
    expect(whenSaid(voted, withdrawal(VIC, VIC, NOTHING), VIC)).toEqual(unknown);
    expect(whenSaid(voted, withdrawal(VAL), VAL)).toEqual(refusal('vote_missing', { principal: 'val' }));
    expect(whenSaid(courseAt('leased'), withdrawal(VIC), VIC)).toEqual(
      refusal('mission_under_way', { mission: MISSION }),
    );
  });
});

describe('a vote taken back', () => {
  it('leaves the others’ votes where they are', () => {
    const about = { tier: 2 } as const;
    const { approvals } = courseOf(missionAfter(when(courseAt('voted', about), withdrawal(VIC), VIC)));
    expect(approvals[ID.approval]!.votes.map(({ id }) => id)).toEqual([voteOf(VAL)]);
  });

  it('is too late while somebody holds the lease, and once there is work', () => {
    const granted = courseAt('granted');
    expect(when(granted, withdrawal(VIC), VIC)).toMatchObject({ is: 'accepted' });
    const { lease } = courseOf(courseAt('leased'));
    expect(when(withCourse(granted, { lease }), withdrawal(VIC), VIC)).toMatchObject({ code: 'mission_under_way' });
    const { work } = courseOf(courseAt('worked')).attempt!;
    const worked = withCourse(granted, { attempt: { ...courseOf(granted).attempt!, work } });
    expect(when(worked, withdrawal(VIC), VIC)).toMatchObject({ code: 'mission_under_way' });
  });

  it('is too late once somebody held the lease, or where nobody ever could', () => {
    const released = replay(courseAt('leased'), [
      { event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner },
    ]);
    expect(when(released, withdrawal(VIC), VIC)).toMatchObject({ code: 'mission_under_way' });
    const without = withCourse(courseAt('granted'), { attempt: null });
    expect(when(without, withdrawal(VIC), VIC)).toMatchObject({ code: 'mission_under_way' });
  });

  it('of an approval that has fallen already leaves the attempt where it is', () => {
    const anew = replay(courseAt('granted'), [{ event: planned({ plan: { steps: oneStep([]) } }), by: CAST.gate }]);
    const { attempt, approvals } = courseOf(missionAfter(when(anew, withdrawal(VIC), VIC)));
    expect(attempt?.status).toBe('awaiting_policy');
    expect(approvals[ID.approval]).toMatchObject({ granted: false, votes: [] });
  });

  it('takes no grants along that rest on something else', () => {
    const granted = courseAt('granted');
    const grants = { ...courseOf(granted).grants, [uuid('other')]: otherGrant(granted) };
    const { grants: left } = courseOf(missionAfter(when(withCourse(granted, { grants }), withdrawal(VIC), VIC)));
    expect(Object.keys(left)).toEqual([uuid('other')]);
  });
});

describe('an approval that is not granted says', () => {
  const voted = courseAt('voted');

  it('which one, on what, until when', () => {
    expect(when(voted, approved({}, [VIC], {}, NOTHING), CAST.gate)).toEqual(unknown);
    expect(when(voted, approved({}, [VIC], { digest: OTHER }), CAST.gate)).toEqual(stale);
    expect(when(courseAt('approved'), approved({}, [VIC]), CAST.gate)).toEqual(settled);
    expect(when(voted, { ...approved({}, [VIC]), occurred_at: LATER }, CAST.gate)).toEqual(expired);
    expect(when(voted, { ...approved({}, [VIC]), occurred_at: SOON }, CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('who is against it, who is missing, and where it tells of other votes', () => {
    const against = replay(courseAt('awaiting'), [vote({}, VIC, VIC, { choice: 'reject' }), vote({}, VAL)]);
    expect(when(against, approved({}, [VAL]), CAST.gate)).toEqual(refusal('rejected', { by: ['vic'] }));
    expect(approve(courseAt('awaiting', { tier: 2 }), { tier: 2 }, [VIC])).toEqual(
      refusal('quorum_missing', { missing: 1, quorum: 2 }),
    );
    expect(when(voted, approved({}, []), CAST.gate)).toEqual(
      refusal('event_malformed', { event_type: 'approval.granted', at: 'votes' }),
    );
  });
});

describe('an approval that is not ended says', () => {
  const end = (type: 'approval.expired' | 'approval.invalidated', entity: string, occurred_at: string) =>
    when(courseAt('awaiting'), onAttempt(type, { because: 'x' }, CAST.gate, { entity, occurred_at }), CAST.gate);

  it('which one it is', () => {
    expect(end('approval.invalidated', NOTHING, NOW)).toEqual(unknown);
    expect(end('approval.expired', ID.approval, SOON)).toEqual(settled);
  });
});

describe('a no for good that is refused says', () => {
  it('which approval it was, and whose word', () => {
    const state = courseAt('awaiting');
    expect(whenSaid(state, { ...denied(VIC), entity_id: NOTHING }, VIC)).toEqual(unknown);
    expect(whenSaid(courseAt('granted'), denied(VIC), VIC)).toEqual(settled);
    expect(whenSaid(state, denied(PIA), PIA)).toEqual(refusal('self_approval', { principal: 'pia', tier: 1 }));
    expect(whenSaid(courseAt('awaiting', { tier: 3 }), denied(VIC, CAST.gate), CAST.gate)).toEqual(
      refusal('word_unsigned', { tier: 3 }),
    );
  });

  it('that there is no plan to deny', () => {
    expect(whenSaid(withCourse(courseAt('awaiting'), { plan: null }), denied(VIC), VIC)).toEqual(
      refusal('plan_missing', {}),
    );
  });

  it('what is still open', () => {
    const state = courseAt('awaiting');
    const { cells } = courseOf(courseAt('spawned'));
    expect(whenSaid(withCourse(state, { cells }), denied(VIC), VIC)).toEqual(refusal('cell_open', { cell: ID.cell }));
    const { effects } = courseOf(courseAt('intended'));
    expect(whenSaid(withCourse(state, { effects }), denied(VIC), VIC)).toEqual(
      refusal('receipt_missing', { effects: 2 }),
    );
  });
});

describe('an approval that comes to an end', () => {
  it('takes along the grants under it, and no others', () => {
    const granted = courseAt('granted');
    const grants = { ...courseOf(granted).grants, [uuid('other')]: otherGrant(granted) };
    const said = onAttempt('approval.invalidated', { because: 'x' }, CAST.gate, { entity: ID.approval });
    const { grants: left } = courseOf(missionAfter(when(withCourse(granted, { grants }), said, CAST.gate)));
    expect(Object.keys(left)).toEqual([uuid('other')]);
  });
});

/** Under an approval that is another one. */
function otherGrant(state: MissionState) {
  return { ...courseOf(state).grants[ID.execGrant]!, approval: uuid('another approval') };
}
