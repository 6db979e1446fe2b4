// Whose say counts on a mission, how often each person counts, and who may speak for whom: the attacks of people and
// accounts that want their own work to run.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/kernel/event.ts';
import type { Member, Roster } from '../../src/kernel/roster/roster.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import {
  approved,
  grant,
  ID,
  LATER,
  PIA,
  planned,
  proposal,
  PROPOSERS,
  relayed,
  relayOf,
  SOON,
  VAL,
  VIC,
  vote,
  voteOf,
  withdrawal,
  oneStep,
} from '../support/course/asked.ts';
import { courseAt, courseOf, courseRoster, eventsUpTo, replay, whenSaid, withCourse } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, castRoster, missionAfter, STRANGER, when } from '../support/given.ts';
import { member, roster, testKey } from '../support/people.ts';

import { approve, cast, withRoster } from '../support/course/ballots.ts';

const TIERS = [0, 1, 2, 3] as const;

describe('whoever proposed', () => {
  it.each(TIERS.slice(1))('may not approve it at tier %i', (tier) => {
    expect(cast(courseAt('awaiting', { tier }), { tier }, PIA)).toMatchObject({ code: 'self_approval' });
  });

  it('may at tier 0, where nobody has to', () => {
    const about = { tier: 0, plan: { quorum: 1 } } as const;
    expect(approve(courseAt('awaiting', about), about, [PIA])).toMatchObject({ is: 'accepted' });
  });

  it('may not reject it either: a proposer withdraws', () => {
    expect(cast(courseAt('awaiting'), {}, PIA, PIA, { choice: 'reject' })).toMatchObject({ code: 'self_approval' });
  });

  it('may not through a second account', () => {
    const second = testKey('pia-at-work');
    const state = courseAt('awaiting', {}, courseRoster(member(second, { person_id: 'pia', roles: ['person'] })));
    expect(cast(state, {}, second)).toMatchObject({ code: 'self_approval' });
  });

  it('may not when the proposal came through the forge account alone, or through an agent of that person', () => {
    const agent = member(testKey('vics-agent'), {
      person_id: 'vic',
      principal_type: 'agent',
      roles: ['runner'],
      forge_user_id: 105,
    });
    const people = courseRoster(agent);
    for (const proposer of [
      { forge_user_id: 103, principal_id: 'vic' },
      { forge_user_id: 105, principal_id: 'vics-agent' },
    ]) {
      const edited = missionAfter(
        whenSaid(courseAt('proposed', {}, people), proposal(2, [...PROPOSERS, proposer]), CAST.gate),
      );
      const plan = { revision: 2 };
      const state = replay(edited, eventsUpTo('awaiting', { plan }).slice(eventsUpTo('proposed').length));
      expect(cast(state, { plan }, VIC)).toMatchObject({ code: 'self_approval', facts: { principal: 'vic' } });
    }
  });
});

describe('a vote', () => {
  const state = courseAt('awaiting');

  it('is cast by people on the roster only', () => {
    const bot = testKey('bot');
    const withBot = courseAt(
      'awaiting',
      {},
      courseRoster(member(bot, { principal_type: 'agent', roles: ['person'], person_id: null })),
    );
    const botVote = { ...vote({}, bot).event, actor_type: 'agent' } as Event;
    expect(when(withBot, botVote, bot)).toMatchObject({ code: 'not_authorised', facts: { principal: 'bot' } });
    const ofStranger = vote({}, STRANGER, CAST.gate);
    expect(when(state, ofStranger.event, CAST.gate)).toMatchObject({ code: 'actor_unknown' });
    const ofRunner = vote({}, CAST.runner, CAST.gate);
    expect(whenSaid(state, ofRunner.event, CAST.gate)).toMatchObject({ code: 'not_authorised' });
  });

  it('is for the digest at hand, of an approval that is open', () => {
    expect(cast(state, { plan: { steps: oneStep([]) } }, VIC)).toMatchObject({ code: 'approval_stale' });
    const unknown = { approval_id: uuid('another approval') };
    expect(cast(state, {}, VIC, VIC, unknown)).toMatchObject({ code: 'approval_unknown' });
    expect(cast(courseAt('approved'), {}, VAL)).toMatchObject({ code: 'approval_settled' });
  });

  it('is cast in time', () => {
    const late = { ...vote({}, VIC).event, occurred_at: LATER };
    expect(when(state, late, VIC)).toMatchObject({ code: 'approval_expired', facts: { expires_at: SOON } });
    expect(when(state, { ...late, occurred_at: SOON }, VIC)).toMatchObject({ is: 'accepted' });
  });

  it('is relayed for the account that the roster names, and no other', () => {
    expect(cast(state, {}, VIC, CAST.gate)).toMatchObject({ is: 'accepted' });
    const forge = { ...relayOf(VIC), user_id: 104 };
    expect(cast(state, {}, VIC, CAST.gate, { forge })).toMatchObject({ code: 'actor_mismatch' });
  });

  it('cannot be signed by a gate in somebody’s place, account or no account', () => {
    expect(cast(state, {}, VIC, CAST.gate, { forge: null })).toMatchObject({ code: 'actor_mismatch' });
    // A member without a forge account is not the one behind an account that nobody has.
    const rootless = { forge: { ...relayOf(VIC), user_id: 0 } };
    const people = courseRoster(member(testKey('una'), { roles: ['person'] }));
    const asked = courseAt('awaiting', {}, people);
    expect(cast(asked, {}, testKey('una'), CAST.gate, rootless)).toMatchObject({ code: 'actor_mismatch' });
  });

  it('is not relayed by a person who may write: only a gate speaks for the forge', () => {
    const writer = testKey('wim');
    const people = courseRoster(member(writer, { roles: ['person', 'writer'] }));
    const asked = courseAt('awaiting', {}, people);
    expect(cast(asked, {}, VIC, writer)).toMatchObject({ code: 'actor_mismatch' });
    expect(cast(asked, {}, writer)).toMatchObject({ is: 'accepted' });
  });

  it('counts once per person, the latest one, from whichever account', () => {
    const second = testKey('vic-at-work');
    const people = courseRoster(member(second, { person_id: 'vic', roles: ['person'] }));
    const about = { tier: 2 } as const;
    const asked = courseAt('awaiting', about, people);
    expect(approve(asked, about, [VIC, second])).toMatchObject({ code: 'quorum_missing', facts: { missing: 1 } });
    const changed = replay(asked, [vote(about, VIC), vote(about, second, second, { choice: 'reject' })]);
    expect(courseOf(changed).approvals[ID.approval]?.votes).toMatchObject([
      { principal: 'vic-at-work', choice: 'reject' },
    ]);
  });

  it('counts once for two accounts that turn out to be one person later', () => {
    const second = testKey('dee');
    const about = { tier: 2 } as const;
    const before = courseRoster(member(second, { roles: ['person'] }));
    const voted = replay(courseAt('awaiting', about, before), [vote(about, VIC), vote(about, second)]);
    const later = withRoster(voted, (one) => (one.principal_id === 'dee' ? { ...one, person_id: 'vic' } : one));
    expect(when(later, approved(about, [VIC, second]), CAST.gate)).toMatchObject({ code: 'quorum_missing' });
    expect(when(voted, approved(about, [VIC, second]), CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('at tier 3 counts only with the person’s own signature', () => {
    const about = { tier: 3 } as const;
    const asked = courseAt('awaiting', about);
    const byGate = replay(asked, [...relayed(vote(about, VIC, CAST.gate)), vote(about, VAL)]);
    const refused = when(byGate, approved(about, [VIC, VAL]), CAST.gate);
    expect(refused).toMatchObject({ code: 'quorum_missing', facts: { missing: 1 } });
    const again = uuid('signed by vic');
    const { event, by } = vote(about, VIC);
    const signed = replay(byGate, [{ event: { ...event, entity_id: again }, by }]);
    const granted = approved(about, [VAL, VIC], { votes: [voteOf(VAL), again] });
    expect(when(signed, granted, CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('at tier 3 that a person signed is ended by no word that a gate relays', () => {
    const about = { tier: 3 } as const;
    const signed = replay(courseAt('awaiting', about), [vote(about, VIC), vote(about, VAL, VAL, { choice: 'reject' })]);
    const relayedYes = vote(about, VAL, CAST.gate).event;
    const again = { ...relayedYes, entity_id: uuid('relayed') };
    for (const event of [again, withdrawal(VAL, CAST.gate)])
      expect(whenSaid(signed, event, CAST.gate)).toMatchObject({ code: 'word_unsigned', facts: { tier: 3 } });
    expect(when(signed, withdrawal(VAL), VAL)).toMatchObject({ is: 'accepted' });
    // Below it, and of what a gate relayed itself, people go on in the issue.
    const below = replay(courseAt('awaiting', { tier: 2 }), [vote({ tier: 2 }, VAL, VAL, { choice: 'reject' })]);
    expect(whenSaid(below, withdrawal(VAL, CAST.gate), CAST.gate)).toMatchObject({ is: 'accepted' });
    const said = replay(courseAt('awaiting', about), relayed(vote(about, VAL, CAST.gate, { choice: 'reject' })));
    expect(whenSaid(said, withdrawal(VAL, CAST.gate), CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('of somebody who has left the roster does not count, neither for the approval nor for a grant under it', () => {
    const left = (one: Member): Member | undefined => (one.principal_id === 'vic' ? undefined : one);
    const voted = withRoster(courseAt('voted'), left);
    expect(when(voted, approved({}, [VIC]), CAST.gate)).toMatchObject({ code: 'quorum_missing' });
    const granted = withRoster(courseAt('approved'), left);
    expect(when(granted, grant(), CAST.gate)).toMatchObject({ code: 'quorum_missing', facts: { missing: 1 } });
  });

  it('that rejects stops the approval until it is taken back', () => {
    const rejected = replay(courseAt('awaiting'), [vote({}, VIC), vote({}, VAL, VAL, { choice: 'reject' })]);
    expect(when(rejected, approved({}, [VIC]), CAST.gate)).toMatchObject({ code: 'rejected', facts: { by: ['val'] } });
    const again = missionAfter(when(rejected, withdrawal(VAL), VAL));
    expect(when(again, approved({}, [VIC]), CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('is not one of more than an approval can hold', () => {
    const many = Array.from({ length: 64 }, (_, i) => ({ ...VOTE, id: uuid(`vote ${i}`), person: `p${i}` }));
    const full = withVotes(state, many);
    expect(cast(full, {}, VIC)).toMatchObject({ code: 'limit_reached' });
    expect(cast(withVotes(state, many.slice(1)), {}, VIC)).toMatchObject({ is: 'accepted' });
  });
});

const VOTE = { choice: 'approve', principal: 'vic', signed: true } as const;

function withVotes(state: MissionState, votes: { id: string; person: string }[]): MissionState {
  const course = courseOf(state);
  const approval = course.approvals[ID.approval]!;
  const cast = votes.map((one) => ({ ...VOTE, ...one }));
  return withCourse(state, { approvals: { [ID.approval]: { ...approval, votes: cast } } });
}

describe('taking a vote back', () => {
  it('is for the voter alone', () => {
    const voted = courseAt('voted', { tier: 2 });
    expect(whenSaid(voted, withdrawal(VIC, CAST.gate), CAST.gate)).toMatchObject({ is: 'accepted' });
    const others = { ...withdrawal(VIC, CAST.gate), payload: { approval_id: ID.approval, forge: relayOf(VAL) } };
    expect(whenSaid(voted, others, CAST.gate)).toMatchObject({ code: 'actor_mismatch' });
    const signedByGate = { ...withdrawal(VIC, CAST.gate), payload: { approval_id: ID.approval, forge: null } };
    expect(when(voted, signedByGate, CAST.gate)).toMatchObject({ code: 'actor_mismatch' });
    expect(when(voted, withdrawal(CAST.person), CAST.person)).toMatchObject({ code: 'vote_missing' });
    expect(when(voted, withdrawal(VIC, VIC, uuid('another')), VIC)).toMatchObject({ code: 'approval_unknown' });
  });

  it('before anything ran takes approval and grant with it', () => {
    const { attempt, approvals, grants } = courseOf(missionAfter(when(courseAt('granted'), withdrawal(VIC), VIC)));
    expect(approvals[ID.approval]).toMatchObject({ granted: false, votes: [] });
    expect(grants).toEqual({});
    expect(attempt?.status).toBe('awaiting_approval');
  });

  it.each(['leased', 'spawned', 'worked', 'closed'] as const)('is too late once the mission is %s', (stage) => {
    expect(when(courseAt(stage), withdrawal(VIC), VIC)).toMatchObject({ code: 'mission_under_way' });
  });

  it('is not for whoever left the roster', () => {
    const state = withRoster(courseAt('voted'), (one) => (one.principal_id === 'vic' ? undefined : one));
    expect(when(state, withdrawal(VIC, CAST.gate), CAST.gate)).toMatchObject({ code: 'actor_unknown' });
  });
});

describe('a roster of one person', () => {
  const alone = (...more: Member[]): Roster => {
    const one = member(PIA, { roles: ['person'], forge_user_id: 102 });
    const machines = castRoster().members.filter((each) => each.principal_id !== 'person');
    return roster(castRoster().project_id, [...machines, one, ...more]);
  };
  const about = { voters: [PIA] } as const;

  it('may approve its own at tier 1, and is recorded as having done so', () => {
    const asked = courseAt('awaiting', about, alone());
    expect(approve(asked, about, [PIA], { self_approved: true })).toMatchObject({ is: 'accepted' });
    expect(approve(asked, about, [PIA])).toMatchObject({ code: 'event_malformed' });
  });

  it('may not from tier 2 on: the plan is refused before anybody is asked in vain', () => {
    const plan = planned({ tier: 2, ...about });
    expect(when(courseAt('created', about, alone()), plan, CAST.gate)).toMatchObject({
      code: 'quorum_unreachable',
      facts: { tier: 2, quorum: 2, voters: [] },
    });
  });

  it('may not once somebody else is on it', () => {
    const asked = courseAt('awaiting', about, alone(member(VIC, { roles: ['person'] })));
    expect(cast(asked, about, PIA)).toMatchObject({ code: 'self_approval' });
  });

  it('is still one person with a second account, and with agents', () => {
    const twin = member(testKey('pia-two'), { person_id: 'pia', roles: ['person'] });
    const agent = member(testKey('bot'), { principal_type: 'agent', roles: ['person'], person_id: null });
    expect(cast(courseAt('awaiting', about, alone(twin, agent)), about, PIA)).toMatchObject({ is: 'accepted' });
  });

  it('does not call itself so where somebody else approved', () => {
    expect(approve(courseAt('awaiting'), {}, [VIC], { self_approved: true })).toMatchObject({
      code: 'event_malformed',
    });
  });
});
