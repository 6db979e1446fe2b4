// How votes are counted, apart from any course: which approve, which reject, who is missing, and whose own it was.
import { describe, expect, it } from 'vitest';
import { askedOf } from '../../src/kernel/approval/asked.ts';
import { electorate, isSelfApproved, tally, type Ballot } from '../../src/kernel/approval/voters.ts';
import type { Approval, Vote } from '../../src/kernel/course/course.ts';
import { PIA, relayed, VAL, VIC, vote } from '../support/course/asked.ts';
import { approve } from '../support/course/ballots.ts';
import { courseAt, courseOf, courseRoster, replay } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, STRANGER } from '../support/given.ts';
import type { TestKey } from '../support/people.ts';

function ballot(tier: 0 | 1 | 2 | 3 = 1): Ballot {
  const { plan, proposers } = courseOf(courseAt('awaiting', { tier }));
  return { roster: courseRoster(), proposers, plan: plan! };
}

function of(who: TestKey, choice: Vote['choice'] = 'approve', signed = true): Vote {
  const { principalId } = who;
  return { id: uuid(`vote of ${principalId}`), person: principalId, principal: principalId, choice, signed };
}

describe('votes', () => {
  it('that reject do not approve', () => {
    const [yes, no] = [of(VIC), of(VAL, 'reject')];
    expect(tally(ballot(2), [yes, no])).toEqual({ approving: [yes], rejecting: [no], missing: 1 });
  });

  it('more than enough leave nobody missing', () => {
    expect(tally(ballot(1), [of(VIC), of(VAL)]).missing).toBe(0);
  });

  it('that a gate relayed count below tier 3, and there not', () => {
    const said = of(VIC, 'approve', false);
    expect(tally(ballot(2), [said]).approving).toEqual([said]);
    expect(tally(ballot(3), [said]).approving).toEqual([]);
    const state = replay(courseAt('awaiting'), relayed(vote({}, VIC, CAST.gate)));
    expect(approve(state, {}, [VAL], { votes: [uuid('vote of vic'), uuid('vote of val')] })).toMatchObject({
      is: 'accepted',
    });
  });

  it('are asked of people who did not propose', () => {
    expect(electorate(ballot()).map((one) => one.principal_id)).toEqual(['person', 'val', 'vic']);
  });
});

describe('what people are asked', () => {
  const asked = (tier: 1 | 2 | 3, votes: readonly Vote[], roster = courseRoster()) => {
    const state = courseAt('awaiting', { tier });
    const course = state.course!;
    const [[id, approval]] = Object.entries(course.approvals) as [[string, Approval]];
    return askedOf({ roster, course: { ...course, approvals: { [id]: { ...approval, votes } } } });
  };

  it('is asked of everybody who may vote, and says who may not and why', () => {
    expect(asked(2, [])).toMatchObject({
      missing: 2,
      from: ['person', 'val', 'vic'],
      cannot: [{ principal: 'pia', because: 'self_approval' }],
    });
  });

  it('is not asked again of whoever agreed, and still of whoever rejected', () => {
    expect(asked(2, [of(VIC)])).toMatchObject({ missing: 1, from: ['person', 'val'] });
    expect(asked(2, [of(VIC, 'reject')])).toMatchObject({ missing: 2, from: ['person', 'val', 'vic'] });
  });

  it('is not asked of a person’s second account, by which one would seem to be two', () => {
    const members = courseRoster().members.map((one) =>
      one.principal_id === 'val' ? { ...one, person_id: 'vic' } : one,
    );
    const known = { ...courseRoster(), members };
    expect(asked(2, [of(VIC)], known)).toMatchObject({ missing: 1, from: ['person'] });
  });

  it('is asked again of those whose vote does not count: at tier 3 one that a gate relayed', () => {
    expect(asked(3, [of(VIC, 'approve', false)])).toMatchObject({ missing: 2, from: ['person', 'val', 'vic'] });
    expect(asked(3, [of(VIC)])).toMatchObject({ missing: 1, from: ['person', 'val'] });
  });

  it('counts no vote of somebody who has left the roster since', () => {
    const members = courseRoster().members.filter(({ principal_id }) => principal_id !== 'vic');
    expect(asked(2, [of(VIC)], { ...courseRoster(), members })).toMatchObject({ missing: 2, from: ['person', 'val'] });
  });

  it('is nothing before there is a plan, and once it was agreed to or called off', () => {
    const { roster, course } = courseAt('awaiting');
    const approvals = Object.fromEntries(
      Object.entries(course!.approvals).map(([id, one]) => [id, { ...one, granted: true }]),
    );
    expect(askedOf({ roster, course: undefined })).toBeUndefined();
    expect(askedOf({ roster, course: { ...course!, plan: null } })).toBeUndefined();
    expect(askedOf({ roster, course: { ...course!, approvals } })).toBeUndefined();
    const cancelled = { by: 'pia', at: '2026-11-18T10:00:00.000Z', account: null };
    expect(askedOf({ roster, course: { ...course!, cancelled } })).toBeUndefined();
  });
});

describe('an approval is one’s own', () => {
  it('as soon as one of those who agreed had proposed it', () => {
    expect(isSelfApproved(ballot(), [of(VIC)])).toBe(false);
    expect(isSelfApproved(ballot(), [of(VIC), of(PIA)])).toBe(true);
    expect(isSelfApproved(ballot(), [])).toBe(false);
    expect(isSelfApproved(ballot(), [of(STRANGER)])).toBe(false);
  });

  it('nowhere at tier 0, where nobody had to agree', () => {
    expect(isSelfApproved(ballot(0), [of(PIA)])).toBe(false);
  });
});
