// How votes are counted, apart from any course: which approve, which reject, who is missing, and whose own it was.
import { describe, expect, it } from 'vitest';
import { electorate, isSelfApproved, tally, type Ballot } from '../../src/kernel/approval/voters.ts';
import type { Vote } from '../../src/kernel/course/course.ts';
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
