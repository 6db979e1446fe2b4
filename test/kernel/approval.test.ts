// How many must agree to a mission, on which digest, and when their agreement ends.
import { describe, expect, it } from 'vitest';
import {
  approvalAsked,
  approved,
  digestOf,
  ID,
  askedAnew,
  judged,
  requestAnew,
  LATER,
  NOW,
  onAttempt,
  PIA,
  planned,
  SOON,
  VAL,
  VIC,
  vote,
  type Terms,
  proposal,
  oneStep,
} from '../support/course/asked.ts';
import { courseAt, courseOf, replay, whenSaid } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, missionAfter, when } from '../support/given.ts';

import { approve } from '../support/course/ballots.ts';
describe.each([
  [0, []],
  [1, [VIC]],
  [2, [VIC, VAL]],
  [3, [VIC, VAL]],
] as const)('tier %i', (tier, voters) => {
  const state = courseAt('awaiting', { tier });

  it('is approved by as many people as it needs, and the attempt is authorized', () => {
    const after = courseOf(missionAfter(approve(state, { tier }, voters)));
    expect(after.approvals[ID.approval]?.granted).toBe(true);
    expect(after.attempt?.status).toBe('authorized');
  });

  it('is not approved by fewer', () => {
    if (voters.length === 0) return expect(tier).toBe(0);
    const verdict = approve(state, { tier }, voters.slice(1));
    return expect(verdict).toMatchObject({ code: 'quorum_missing', facts: { missing: 1 } });
  });
});

describe('an approval', () => {
  it('is asked for on the digest at hand and nothing else', () => {
    const state = courseAt('judged');
    const ask = (changes: object) => when(state, approvalAsked({}, changes), CAST.gate);
    expect(ask({ digest: 'ab'.repeat(32) })).toMatchObject({ code: 'digest_unknown' });
    expect(ask({ approval_type: 'effects' })).toMatchObject({ code: 'digest_unknown' });
    expect(ask({ requested_action_ref: uuid('nothing') })).toMatchObject({ code: 'action_unknown' });
    expect(ask({ expires_at: NOW })).toMatchObject({ code: 'approval_expired' });
    expect(ask({ carries: uuid('nothing') })).toMatchObject({ code: 'approval_unknown' });
    expect(when(courseAt('awaiting'), approvalAsked(), CAST.gate)).toMatchObject({ code: 'approval_exists' });
    const unplanned = missionAfter(whenSaid(state, proposal(2), CAST.gate));
    expect(when(unplanned, approvalAsked(), CAST.gate)).toMatchObject({ code: 'revision_stale' });
  });

  it('replaces the one before, with everything that was granted under it', () => {
    const again = approvalAsked({}, {}, uuid('second approval'));
    const { approvals, grants, attempt } = courseOf(missionAfter(when(courseAt('granted'), again, CAST.gate)));
    expect(Object.keys(approvals)).toEqual([uuid('second approval')]);
    expect(grants).toEqual({});
    expect(attempt?.status).toBe('awaiting_approval');
  });

  it('names the votes that make it, all of them and no others', () => {
    const voted = replay(courseAt('awaiting'), [vote({}, VIC), vote({}, VAL)]);
    for (const votes of [[], [VIC], [VAL, VIC], [VIC, VAL, PIA]])
      expect(when(voted, approved({}, votes), CAST.gate)).toMatchObject({ code: 'event_malformed' });
    expect(when(voted, approved({}, [VIC, VAL]), CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('is granted once, in time, for its own digest', () => {
    const voted = courseAt('voted');
    const stale = approved({}, [VIC], { digest: 'ab'.repeat(32) });
    expect(when(voted, stale, CAST.gate)).toMatchObject({ code: 'approval_stale' });
    const late = { ...approved({}, [VIC]), occurred_at: LATER };
    expect(when(voted, late, CAST.gate)).toMatchObject({ code: 'approval_expired' });
    expect(when(voted, approved({}, [VIC], {}, uuid('nothing')), CAST.gate)).toMatchObject({
      code: 'approval_unknown',
    });
    expect(when(courseAt('approved'), approved({}, [VIC]), CAST.gate)).toMatchObject({ code: 'approval_settled' });
  });

  it('ends when its time is over, and not before', () => {
    const because = { because: 'votes_expired' };
    const expired = (occurred_at: string) =>
      onAttempt('approval.expired', because, CAST.gate, { entity: ID.approval, occurred_at });
    expect(when(courseAt('awaiting'), expired(SOON), CAST.gate)).toMatchObject({ code: 'approval_settled' });
    expect(courseOf(missionAfter(when(courseAt('awaiting'), expired(LATER), CAST.gate))).approvals).toEqual({});
    const nothing = onAttempt('approval.invalidated', because, CAST.gate, { entity: uuid('nothing') });
    expect(when(courseAt('awaiting'), nothing, CAST.gate)).toMatchObject({ code: 'approval_unknown' });
  });

  it('that is ended takes its grants along', () => {
    const said = onAttempt('approval.invalidated', { because: 'drifted' }, CAST.gate, { entity: ID.approval });
    const { approvals, grants } = courseOf(missionAfter(when(courseAt('granted'), said, CAST.gate)));
    expect({ approvals, grants }).toEqual({ approvals: {}, grants: {} });
  });
});

describe('votes carried over to the next plan', () => {
  /** Voted for, and then planned anew: the approval for that is asked for with the votes of the first. */
  function next(plan: NonNullable<Terms['plan']>, changes = {}) {
    const again = replay(courseAt('voted'), [{ event: planned({ plan }), by: CAST.gate }, ...askedAnew()]);
    const about = { carries: ID.approval, requested_action_ref: requestAnew(), ...changes };
    const asked = approvalAsked({ plan }, about, uuid('next approval'));
    return { asked: when(again, asked, CAST.gate), before: again };
  }

  it('count where it asks for less', () => {
    const plan = { steps: oneStep([]) };
    const state = missionAfter(next(plan).asked);
    const granted = approved({ plan }, [VIC], {}, uuid('next approval'));
    expect(courseOf(missionAfter(when(state, granted, CAST.gate))).attempt?.status).toBe('authorized');
  });

  it('count for the very same plan', () => {
    expect(next({}).asked).toMatchObject({ is: 'accepted' });
  });

  it('do not where it asks for more', () => {
    expect(next({ steps: oneStep(['**']) }).asked).toMatchObject({
      code: 'approval_stale',
      facts: { digest: digestOf() },
    });
    expect(next({ budget_minutes: 600 }).asked).toMatchObject({ code: 'approval_stale' });
  });

  it('expire when they would have', () => {
    expect(next({}, { expires_at: LATER }).asked).toMatchObject({ code: 'approval_expired' });
  });

  it('do not reach over a plan in between that nobody was asked about', () => {
    const { before } = next({ steps: oneStep([]), budget_minutes: 1 });
    const again = replay(before, [
      { event: planned({ plan: { steps: oneStep([]) } }), by: CAST.gate },
      ...askedAnew('once more'),
    ]);
    const about = { carries: ID.approval, requested_action_ref: requestAnew('once more') };
    const asked = approvalAsked({ plan: { steps: oneStep([]) } }, about, uuid('next approval'));
    expect(when(again, asked, CAST.gate)).toMatchObject({ code: 'approval_stale' });
  });

  it('still mean what they said: a rejection is carried over as well', () => {
    const state = replay(courseAt('awaiting'), [vote({}, VIC), vote({}, VAL, VAL, { choice: 'reject' })]);
    const again = replay(state, [
      { event: planned({ plan: { steps: oneStep([]) } }), by: CAST.gate },
      ...askedAnew(),
      {
        event: approvalAsked(
          { plan: { steps: oneStep([]) } },
          { carries: ID.approval, requested_action_ref: requestAnew() },
          uuid('next approval'),
        ),
        by: CAST.gate,
      },
    ]);
    const granted = approved({ plan: { steps: oneStep([]) } }, [VIC], {}, uuid('next approval'));
    expect(when(again, granted, CAST.gate)).toMatchObject({ code: 'rejected' });
  });
});

it('policy that judged another policy than the plan’s is refused', () => {
  const state = courseAt('asked');
  const other = { policy: { digest: `sha256:${'ff'.repeat(32)}`, revision: 1 } };
  expect(when(state, judged(ID.exec, CAST.gate, other), CAST.gate)).toMatchObject({ code: 'policy_drifted' });
  const older = { policy: { digest: `sha256:${'70'.repeat(32)}`, revision: 0 } };
  expect(when(state, judged(ID.exec, CAST.gate, older), CAST.gate)).toMatchObject({ code: 'policy_drifted' });
  expect(when(state, judged(uuid('nothing')), CAST.gate)).toMatchObject({ code: 'action_unknown' });
});
