// What a plan asks for decides its tier, and its tier how many have to be there to agree: a gate cannot talk either down.
import { describe, expect, it } from 'vitest';
import { denied, grant, judged, NOW, onAttempt, PIA, planned, VIC, vote, withdrawal } from '../support/course/asked.ts';
import { requestOf } from '../support/course/caused.ts';
import { courseAt, courseOf, courseRoster, replay, whenSaid } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, fact, missionAfter, TASK } from '../support/given.ts';
import { decideEnd } from '../../src/kernel/decide/end.ts';
import type { EventOf } from '../../src/kernel/event.ts';
import { whatIsDue } from '../../src/kernel/decide/due.ts';

const PUSH = { action_class: 'vcs_mutation', ask: 'a5'.repeat(32), kind: 'push_branch' } as const;

describe('a plan', () => {
  const created = courseAt('created');

  it('that pushes is no plan of tier 0', () => {
    expect(whenSaid(created, planned({ tier: 0, plan: { asks: [PUSH] } }), CAST.gate)).toMatchObject({
      code: 'tier_too_low',
      facts: { tier: 0, least: 1 },
    });
    const override = { ...PUSH, action_class: 'policy_override', kind: null } as const;
    expect(whenSaid(created, planned({ tier: 2, plan: { asks: [override] } }), CAST.gate)).toMatchObject({
      code: 'tier_too_low',
      facts: { least: 3 },
    });
  });

  it('that calls a push a look is not believed', () => {
    const lie = { ...PUSH, action_class: 'read_local' } as const;
    expect(whenSaid(created, planned({ tier: 0, plan: { asks: [lie] } }), CAST.gate)).toMatchObject({
      code: 'event_malformed',
    });
  });

  it('of tier 0 that does not speak of a push grants none, whatever policy is said to have said', () => {
    const about = { tier: 0 } as const;
    const id = requestOf('push_branch');
    const payload: EventOf<'action.requested'>['payload'] = {
      action_class: 'vcs_mutation',
      kind: 'push_branch',
      params_ref: DIGEST,
      reversibility_hint: 'reversible',
      target_resources: ['work/1'],
    };
    const asks = replay(courseAt('asked', about), [
      { event: onAttempt('action.requested', payload, CAST.writer, { entity: id }), by: CAST.writer },
      { event: judged(id, CAST.writer, { result: 'allow' }), by: CAST.writer },
    ]);
    const push = grant(
      id,
      { action_class: 'vcs_mutation', approval_ref: null, resource_scope: ['work/1'] },
      { by: CAST.writer, entity: uuid('grant of a push') },
    );
    expect(whenSaid(asks, push, CAST.writer)).toMatchObject({ code: 'tier_too_low' });
  });

  it('is refused where those who may vote are too few, and says who they are', () => {
    expect(whenSaid(created, planned({ plan: { quorum: 4 } }), CAST.gate)).toMatchObject({
      code: 'quorum_unreachable',
      facts: { quorum: 4, voters: ['person', 'val', 'vic'] },
    });
    const roster = courseRoster();
    const members = roster.members.map((one) => (one.principal_id === 'val' ? { ...one, person_id: 'vic' } : one));
    const fewer = courseAt('created', {}, { ...roster, members });
    // Two accounts of one person are one.
    expect(whenSaid(fewer, planned({ plan: { quorum: 3 } }), CAST.gate)).toMatchObject({ code: 'quorum_unreachable' });
    expect(whenSaid(fewer, planned({ plan: { quorum: 2 } }), CAST.gate)).toMatchObject({ is: 'accepted' });
  });
});

describe('denied', () => {
  it('by one who may vote, the attempt is over and nothing brings it back', () => {
    const state = missionAfter(whenSaid(courseAt('voted'), denied(VIC), VIC));
    const { approvals, grants, attempt } = courseOf(state);
    expect({ approvals, grants }).toEqual({ approvals: {}, grants: {} });
    expect(attempt).toMatchObject({ status: 'cancelled', because: 'approval_denied' });
    expect(whenSaid(state, vote({}, VIC).event, VIC)).toMatchObject({ code: 'approval_unknown' });
    expect(whatIsDue(state, { now: NOW })).toEqual({ is: 'end' });
    expect(decideEnd(state)).toMatchObject({
      value: [{ event_type: 'task.cancelled' }, { payload: { outcome: 'cancelled', because: 'approval_denied' } }],
    });
  });

  it('is not what a proposer, a gate by itself or another account says', () => {
    const state = courseAt('awaiting');
    expect(whenSaid(state, denied(PIA), PIA)).toMatchObject({ code: 'self_approval' });
    expect(whenSaid(state, { ...denied(VIC), actor_id: 'gate' }, CAST.gate)).toMatchObject({ code: 'not_authorised' });
    expect(whenSaid(state, denied(VIC, CAST.gate), CAST.gate)).toMatchObject({ is: 'accepted' });
    const said = denied(VIC, CAST.gate);
    const forge = { ...said.payload.forge!, user_id: 104 };
    expect(whenSaid(state, { ...said, payload: { ...said.payload, forge } }, CAST.gate)).toMatchObject({
      code: 'actor_mismatch',
    });
  });

  it('at tier 3 takes a signature, and what is granted is taken back otherwise', () => {
    const state = courseAt('awaiting', { tier: 3 });
    expect(whenSaid(state, denied(VIC, CAST.gate), CAST.gate)).toMatchObject({ code: 'word_unsigned' });
    expect(whenSaid(state, denied(VIC), VIC)).toMatchObject({ is: 'accepted' });
    expect(whenSaid(courseAt('granted'), denied(VIC), VIC)).toMatchObject({ code: 'approval_settled' });
    expect(whenSaid(courseAt('granted'), withdrawal(VIC), VIC)).toMatchObject({ is: 'accepted' });
  });
});

describe('a mission', () => {
  it.each(['failed', 'cancelled', 'expired'] as const)('that did what was asked does not end as %s', (outcome) => {
    const said = fact('mission.ended', { because: 'no_longer_wanted', outcome }, CAST.gate);
    expect(whenSaid(courseAt('succeeded'), said, CAST.gate)).toMatchObject({ code: 'mission_succeeded' });
  });

  it('that is over takes aftercare and no new work', () => {
    const over = courseAt('ended');
    const artifact = { bytes: 1, digest: DIGEST, encryption: 'none', media_type: 'text/plain' } as const;
    const entity = uuid('afterwards');
    expect(whenSaid(over, fact('artifact.recorded', artifact, CAST.gate, { entity }), CAST.gate)).toMatchObject({
      is: 'accepted',
    });
    const erased = fact('artifact.erased', { because: 'asked_for', digest: DIGEST }, CAST.gate, { entity });
    expect(whenSaid(over, erased, CAST.gate)).toMatchObject({ is: 'accepted' });
    const note = { bytes: 1, digest: DIGEST, media_type: 'text/plain' };
    for (const said of [
      fact('note.recorded', note, CAST.gate, { entity }),
      fact('task.created', { contract: null }, CAST.gate, { task: uuid('another task') }),
      fact('task.rolled_back', { because: 'no_longer_wanted' }, CAST.writer, { task: TASK }),
      planned(),
    ])
      expect(whenSaid(over, said, said.actor_id === 'writer' ? CAST.writer : CAST.gate)).toMatchObject({
        code: 'mission_over',
      });
  });
});
