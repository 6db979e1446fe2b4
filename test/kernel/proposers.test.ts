// Whoever stands behind a proposal, and does everything not to be counted as such: members who name others, or nobody, or
// come back under another name.
import { describe, expect, it } from 'vitest';
import {
  askedAnew,
  FORGE_USER,
  PIA,
  planned,
  proposal,
  PROPOSERS,
  requestAnew,
  VAL,
  VIC,
  vote,
  type Terms,
  oneStep,
} from '../support/course/asked.ts';
import { cast, withRoster } from '../support/course/ballots.ts';
import { courseAt, courseOf, courseRoster, eventsUpTo, replay, whenSaid } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, missionAfter, openedMission, openedProject } from '../support/given.ts';
import { member, testKey } from '../support/people.ts';
import type { MissionState } from '../../src/kernel/state.ts';

const LAPTOP = testKey('laptop');
const opened = (...more: Parameters<typeof courseRoster>): MissionState =>
  openedMission(openedProject(courseRoster(...more)));

/** From a proposal to the question, whoever proposed. */
function asked(state: MissionState, about: Terms): MissionState {
  return replay(state, eventsUpTo('awaiting', about).slice(eventsUpTo('proposed', about).length));
}

describe('whoever signs a proposal', () => {
  const vic = { forge_user_id: null, principal_id: 'vic' };
  const val = { forge_user_id: null, principal_id: 'val' };

  it('is named in it', () => {
    expect(whenSaid(opened(), proposal(1, [vic], VIC), VIC)).toMatchObject({ is: 'accepted' });
    expect(whenSaid(opened(), proposal(1, [val], VIC), VIC)).toMatchObject({ code: 'proposer_missing' });
    const stranger = { forge_user_id: 900, principal_id: null };
    expect(whenSaid(opened(), proposal(1, [stranger], VIC), VIC)).toMatchObject({
      code: 'proposer_missing',
      facts: { principal: 'vic' },
    });
  });

  it('is named in a revision of somebody else’s, and may not vote on it either', () => {
    const state = courseAt('awaiting');
    expect(whenSaid(state, proposal(2, PROPOSERS, VIC), VIC)).toMatchObject({ code: 'proposer_missing' });
    const about = { plan: { revision: 2 } };
    const revised = missionAfter(whenSaid(courseAt('created'), proposal(2, [...PROPOSERS, vic], VIC), VIC));
    const asked = eventsUpTo('awaiting', about).slice(eventsUpTo('created', about).length);
    const again = replay(revised, [{ event: planned(about), by: CAST.gate }, ...asked]);
    expect(cast(again, about, VIC)).toMatchObject({ code: 'self_approval' });
    expect(cast(again, about, VAL)).toMatchObject({ is: 'accepted' });
  });

  it('names nobody else, so that no reviewer is barred by it', () => {
    const both = proposal(1, [vic, val], VIC);
    expect(whenSaid(opened(), both, VIC)).toMatchObject({ code: 'proposer_foreign', facts: { principal_id: 'val' } });
    const writer = member(testKey('wim'), { roles: ['person', 'writer'] });
    const relayed = { ...proposal(1, [val], testKey('wim')), actor_id: 'val' };
    expect(whenSaid(opened(writer), relayed, testKey('wim'))).toMatchObject({ code: 'proposer_missing' });
  });

  it('is named as well where it is a gate, if it can vote', () => {
    const gate = member(LAPTOP, { roles: ['gate', 'person'] });
    expect(whenSaid(opened(gate), proposal(1, PROPOSERS, LAPTOP), LAPTOP)).toMatchObject({ code: 'proposer_missing' });
    // What a gate says for a voter is that voter's.
    const spoken = { ...proposal(), actor_id: 'vic' };
    expect(whenSaid(opened(), spoken, CAST.gate)).toMatchObject({
      code: 'proposer_missing',
      facts: { principal: 'vic' },
    });
  });
});

describe('a gate', () => {
  const by = (forge_user_id: number | null, principal_id: string | null) =>
    whenSaid(opened(), proposal(1, [{ forge_user_id, principal_id }]), CAST.gate);

  it('names others by their account, and as the roster has it', () => {
    expect(by(FORGE_USER['vic']!, 'vic')).toMatchObject({ is: 'accepted' });
    expect(by(900, null)).toMatchObject({ is: 'accepted' });
    expect(by(null, 'vic')).toMatchObject({ code: 'proposer_foreign' });
    for (const [account, name] of [
      [FORGE_USER['vic']!, null],
      [FORGE_USER['vic']!, 'val'],
      [900, 'vic'],
      [900, 'nobody'],
    ] as const)
      expect(by(account, name)).toMatchObject({ code: 'proposer_mismatch' });
  });
});

describe('a proposer', () => {
  const second = testKey('pia-at-work');
  const people = [member(second, { person_id: 'pia', roles: ['person'] })];

  it('who left the roster is the same person under a second account', () => {
    const left = withRoster(courseAt('proposed', {}, courseRoster(...people)), (one) =>
      one.principal_id === 'pia' ? undefined : one,
    );
    const about = { plan: { roster_n: 1 } };
    expect(cast(asked(left, about), about, second)).toMatchObject({ code: 'self_approval' });
  });

  it('whom a later roster makes known stays known', () => {
    const account = { forge_user_id: 900, principal_id: null };
    const state = missionAfter(whenSaid(opened(...people), proposal(1, [...PROPOSERS, account]), CAST.gate));
    const known = withRoster(state, (one) =>
      one.principal_id === 'vic' ? { ...one, forge_user_id: 900, person_id: 'vera' } : one,
    );
    const gone = withRoster(known, (one) =>
      one.principal_id === 'vic' ? { ...one, forge_user_id: null, person_id: 'vera' } : one,
    );
    const about = { plan: { roster_n: 2 } };
    expect(courseOf(gone).proposers.at(-1)).toEqual({ ...account, persons: ['vera'] });
    expect(cast(asked(gone, about), about, VIC)).toMatchObject({ code: 'self_approval' });
  });
});

describe('at tier 3', () => {
  const about = { tier: 3 } as const;

  it('a plan needs a proposal that its proposer signed: a gate’s key alone comes to nothing', () => {
    const relayed = replay(courseAt('created'), []);
    expect(whenSaid(relayed, planned(about), CAST.gate)).toMatchObject({ code: 'proposal_unsigned' });
    expect(whenSaid(courseAt('created', about), planned(about), CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('the latest revision is the one that counts', () => {
    const revised = missionAfter(whenSaid(courseAt('created', about), proposal(2), CAST.gate));
    const again = planned({ ...about, plan: { revision: 2 } });
    expect(whenSaid(revised, again, CAST.gate)).toMatchObject({ code: 'proposal_unsigned' });
    const signed = missionAfter(whenSaid(courseAt('created'), proposal(2, PROPOSERS, PIA), PIA));
    expect(whenSaid(signed, again, CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('nobody’s vote is carried over, not even to a plan of a lower tier', () => {
    const voted = replay(courseAt('awaiting', about), [vote(about, VIC)]);
    for (const tier of [3, 1] as const) {
      const next = { tier, plan: { steps: oneStep([]) } };
      const again = replay(voted, [{ event: planned(next), by: CAST.gate }, ...askedAnew()]);
      const carrying = eventsUpTo('awaiting', next).at(-1)!.event;
      if (carrying.event_type !== 'approval.requested') throw new Error('the question comes last');
      const payload = { ...carrying.payload, carries: carrying.entity_id, requested_action_ref: requestAnew() };
      const anew = { ...carrying, payload, entity_id: uuid('approval anew') };
      expect(whenSaid(again, anew, CAST.gate)).toMatchObject({ code: 'votes_not_carried' });
    }
  });
});
