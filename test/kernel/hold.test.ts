// Holding a mission: who may, until when, who may let it go on, and what nobody begins meanwhile, whichever key they hold.
import { describe, expect, it } from 'vitest';
import { whatIsDue } from '../../src/kernel/decide/due.ts';
import { decideGrant } from '../../src/kernel/decide/agreed.ts';
import { decideRecovery } from '../../src/kernel/decide/recover.ts';
import { decideVote } from '../../src/kernel/decide/vote.ts';
import type { Event } from '../../src/kernel/event.ts';
import { whoMayUnhold } from '../../src/kernel/mission/hold.ts';
import { missionStatus } from '../../src/kernel/mission/status.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import {
  approvalAsked,
  approved,
  attemptCreated,
  cancelled,
  digestOf,
  FORGE_USER,
  grant,
  held,
  ID,
  ingress,
  LATER,
  onAttempt,
  PIA,
  planned,
  proposal,
  PROPOSERS,
  relayOf,
  unheld,
  VIC,
  vote,
  VAL,
} from '../support/course/asked.ts';
import { effectsComputed, intended } from '../support/course/caused.ts';
import { cellClosed, leased, leaseReleased, spawned, verified, worked } from '../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, recordedFor, replay, whenSaid, type Stage } from '../support/course.ts';
import { CAST, fact, missionAfter, openedMission, openedProject, when } from '../support/given.ts';
import { member, testKey, type TestKey } from '../support/people.ts';

const NOW = { now: '2026-11-18T10:00:00.000Z' };

function onHold(stage: Stage | MissionState, by: TestKey = VIC): MissionState {
  const state = typeof stage === 'string' ? courseAt(stage) : stage;
  return missionAfter(when(state, held(by), by));
}

/** Proposed by accounts that no roster has, and by Pia. */
function ofStrangers(...accounts: readonly number[]): MissionState {
  const strangers = accounts.map((forge_user_id) => ({ forge_user_id, principal_id: null }));
  return replay(openedMission(openedProject(courseRoster())), [
    { event: ingress(), by: CAST.gate },
    { event: proposal(1, [...PROPOSERS, ...strangers]), by: CAST.gate },
  ]);
}

describe('who may hold a mission', () => {
  const state = courseAt('awaiting');

  it.each([
    ['a person', VIC, VIC],
    ['its proposer', PIA, PIA],
    ['a person through the gate', VIC, CAST.gate],
    ['its proposer through the gate', PIA, CAST.gate],
  ] as const)('%s', (_, who, by) => {
    const account = by === who ? null : FORGE_USER[who.principalId];
    const { held: word } = courseOf(missionAfter(whenSaid(state, held(who, by), by)));
    expect(word).toMatchObject({ by: who.principalId, account });
  });

  it('a person relayed at tier 3 as well: to stop is the safe direction', () => {
    expect(whenSaid(courseAt('awaiting', { tier: 3 }), held(VIC, CAST.gate), CAST.gate).is).toBe('accepted');
  });

  it('a proposer whom no roster has, through the gate and in nobody else’s name', () => {
    const stranger = { ...relayOf(PIA), user_id: 77 };
    expect(whenSaid(ofStrangers(77), held(CAST.gate, CAST.gate, stranger), CAST.gate).is).toBe('accepted');
    expect(whenSaid(ofStrangers(77), held(VIC, CAST.gate, stranger), CAST.gate)).toMatchObject({
      code: 'actor_mismatch',
    });
    expect(whenSaid(state, held(CAST.gate, CAST.gate, stranger), CAST.gate)).toMatchObject({ code: 'not_authorised' });
  });

  it('no gate by its own wish or in the name of somebody who never said so, no person for another, no other role', () => {
    expect(when(state, held(CAST.gate), CAST.gate)).toMatchObject({ code: 'not_authorised' });
    expect(when(state, held(VIC, CAST.gate, null), CAST.gate)).toMatchObject({ code: 'actor_mismatch' });
    expect(when(state, held(VIC, CAST.gate), CAST.gate)).toMatchObject({ code: 'source_missing' });
    expect(when(state, { ...held(VIC), actor_id: PIA.principalId }, VIC)).toMatchObject({ code: 'actor_mismatch' });
    for (const key of [CAST.runner, CAST.writer, CAST.root, CAST.witness])
      expect(when(state, held(key), key)).toMatchObject({ code: 'role_not_allowed' });
  });

  it('once; but a proposer who was first does not keep out who may approve it', () => {
    const byVic = onHold('awaiting', VIC);
    expect(when(byVic, held(VAL), VAL)).toMatchObject({ code: 'mission_held', facts: { by: 'vic' } });
    expect(when(byVic, held(PIA), PIA)).toMatchObject({ code: 'mission_held' });
    const byPia = onHold('awaiting', PIA);
    expect(when(byPia, held(PIA), PIA)).toMatchObject({ code: 'mission_held' });
    const firm = missionAfter(when(byPia, held(VIC), VIC));
    expect(courseOf(firm).held).toMatchObject({ by: 'vic' });
    expect(when(firm, unheld(PIA), PIA)).toMatchObject({ code: 'hold_of_another' });
  });
});

describe('until when', () => {
  it.each([
    'proposed',
    'created',
    'planned',
    'awaiting',
    'voted',
    'approved',
    'granted',
    'leased',
    'spawned',
    'worked',
    'checked',
    'verified',
    'closed',
    'computed',
    'writing',
  ] as const)('it may be held once it is %s, and goes on as it was', (stage) => {
    const before = courseAt(stage);
    const state = onHold(before);
    expect(missionStatus(state)).toBe('held');
    const after = missionAfter(when(state, unheld(VIC), VIC));
    expect(missionStatus(after)).toBe(missionStatus(before));
    expect(courseOf(after)).toEqual({ ...courseOf(before), held: null });
  });

  it.each(['intended', 'observed', 'receipted'] as const)('it may not once its effects are %s', (stage) => {
    expect(when(courseAt(stage), held(VIC), VIC)).toMatchObject({ code: 'effects_begun' });
  });

  it('nor when all was done, when it is over or called off, nor before anything is proposed', () => {
    expect(when(courseAt('succeeded'), held(VIC), VIC)).toMatchObject({ code: 'mission_succeeded' });
    expect(when(courseAt('ended'), held(VIC), VIC)).toMatchObject({ code: 'mission_over' });
    const off = missionAfter(when(courseAt('awaiting'), cancelled(VIC), VIC));
    expect(when(off, held(VIC), VIC)).toMatchObject({ code: 'mission_cancelled' });
    const opened = openedMission(openedProject(courseRoster()));
    expect(when(opened, held(VIC), VIC)).toMatchObject({ code: 'nothing_proposed' });
  });

  it('whoever holds it may still call it off, and then nobody holds it any more', () => {
    const off = missionAfter(when(onHold('spawned'), cancelled(VIC), VIC));
    expect(courseOf(off)).toMatchObject({ held: null, cancelled: { by: 'vic' } });
    expect(missionStatus(off)).toBe('cancelled');
  });
});

describe('who may let it go on', () => {
  it('whoever held it, and whoever may approve it; no proposer that a colleague holds it from', () => {
    const byPia = onHold('awaiting', PIA);
    expect(when(byPia, unheld(PIA), PIA).is).toBe('accepted');
    expect(when(byPia, unheld(VIC), VIC).is).toBe('accepted');
    const byVic = onHold('awaiting', VIC);
    expect(when(byVic, unheld(VAL), VAL).is).toBe('accepted');
    expect(whenSaid(byVic, unheld(VAL, CAST.gate), CAST.gate).is).toBe('accepted');
    expect(when(byVic, unheld(PIA), PIA)).toMatchObject({ code: 'hold_of_another', facts: { by: 'vic' } });
  });

  it('the names that are shown are those of whoever may', () => {
    const names = (state: MissionState) => whoMayUnhold({ course: state.course!, roster: state.roster });
    for (const holder of [PIA, VIC]) {
      const state = onHold('awaiting', holder);
      const letGo = state.roster.members.filter(({ principal_id, roles }) => {
        const key = [PIA, VIC, VAL, CAST.person].find((one) => one.principalId === principal_id);
        return key !== undefined && roles.includes('person') && when(state, unheld(key), key).is === 'accepted';
      });
      expect(names(state)).toEqual(letGo.map(({ principal_id }) => principal_id));
    }
    expect(names(courseAt('awaiting'))).toEqual([]);
  });

  it('a proposer whom no roster has only where it held it itself', () => {
    const [one, other] = [77, 78].map((user_id) => ({ ...relayOf(PIA), user_id })) as [
      ReturnType<typeof relayOf>,
      ReturnType<typeof relayOf>,
    ];
    const two = ofStrangers(77, 78);
    const byOne = missionAfter(whenSaid(two, held(CAST.gate, CAST.gate, one), CAST.gate));
    expect(whenSaid(byOne, unheld(CAST.gate, CAST.gate, one), CAST.gate).is).toBe('accepted');
    expect(whenSaid(byOne, unheld(CAST.gate, CAST.gate, other), CAST.gate)).toMatchObject({ code: 'hold_of_another' });
    const byVic = onHold(two, VIC);
    expect(whenSaid(byVic, unheld(CAST.gate, CAST.gate, one), CAST.gate)).toMatchObject({ code: 'hold_of_another' });
  });

  it('at tier 3 by signature alone: a gate that lies would let it go on in anybody’s name', () => {
    const high = onHold(courseAt('awaiting', { tier: 3 }));
    expect(whenSaid(high, unheld(VIC, CAST.gate), CAST.gate)).toMatchObject({ code: 'word_unsigned' });
    expect(when(high, unheld(VIC), VIC).is).toBe('accepted');
  });

  it('nobody where nobody holds it, and no gate by itself', () => {
    expect(when(courseAt('awaiting'), unheld(VIC), VIC)).toMatchObject({ code: 'hold_missing' });
    const state = onHold('awaiting');
    expect(when(state, unheld(CAST.gate), CAST.gate)).toMatchObject({ code: 'not_authorised' });
    expect(when(state, unheld(VIC, CAST.gate, null), CAST.gate)).toMatchObject({ code: 'actor_mismatch' });
    expect(when(state, unheld(VIC, CAST.gate), CAST.gate)).toMatchObject({ code: 'source_missing' });
  });

  it('the only person there is, of its own proposal as well', () => {
    const only = testKey('only');
    const roster = courseRoster(member(only, { roles: ['person'], forge_user_id: 91 }));
    const alone = {
      ...roster,
      members: roster.members.filter(({ principal_id, roles }) => principal_id === 'only' || !roles.includes('person')),
    };
    const state = replay(openedMission(openedProject(alone)), [
      { event: ingress(), by: CAST.gate },
      { event: proposal(1, [{ forge_user_id: 91, principal_id: 'only' }]), by: CAST.gate },
    ]);
    expect(when(onHold(state, only), unheld(only), only).is).toBe('accepted');
  });
});

describe('while it is held', () => {
  /** Each was accepted a moment before. */
  const BEGINS: readonly (readonly [string, Stage, Event, TestKey])[] = [
    ['a grant', 'approved', grant(), CAST.gate],
    ['a runner’s lease', 'granted', leased(1, CAST.runner, 'isolated'), CAST.runner],
    ['an agent’s cell', 'compiled', spawned(), CAST.runner],
    ['a writer’s lease', 'computed', leased(2, CAST.writer, 'mutable'), CAST.writer],
    ['an effect', 'writing', intended('push_branch'), CAST.writer],
  ];

  it.each(BEGINS)('nobody writes %s', (_, stage, event, by) => {
    const before = courseAt(stage);
    expect(when(before, event, by).is).toBe('accepted');
    expect(when(onHold(before), event, by)).toMatchObject({ code: 'mission_held', facts: { by: 'vic' } });
  });

  it('work that was verified is no success yet, although nothing was to be caused', () => {
    const done = onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt });
    expect(when(onHold('closed'), done, CAST.writer)).toMatchObject({ code: 'mission_held' });
  });

  it('no other attempt begins, also where the first one is lost meanwhile; what was lost is closed', () => {
    const expired = onAttempt('lease.expired', { fence: 1, silence: null }, CAST.gate, {
      entity: ID.cellLease,
      occurred_at: LATER,
    });
    const lost = replay(onHold('spawned'), [{ event: expired, by: CAST.gate }]);
    expect(whatIsDue(lost, { now: LATER }).is).toBe('recover');
    const names = (what: string) => `00000000-0000-4000-8000-${what.length.toString().padStart(12, '0')}`;
    const recovery = { actions: [], terms: {} as never, votesExpireAt: LATER };
    const decided = decideRecovery(lost, { recovery, by: 'gate' }, names);
    expect(decided).toMatchObject({
      is: 'accepted',
      value: [{ event_type: 'cell.closed' }, { event_type: 'receipt.issued' }, { event_type: 'attempt.failed' }],
    });
    const failed = onAttempt('attempt.failed', { because: 'runner_lost' }, CAST.gate, { entity: ID.attempt });
    const over = replay(courseAt('granted'), [{ event: failed, by: CAST.gate }]);
    const again = attemptCreated(2, ID.attempt);
    expect(when(over, again, CAST.gate).is).toBe('accepted');
    expect(when(onHold(over), again, CAST.gate)).toMatchObject({ code: 'mission_held' });
    expect(whatIsDue(onHold(over), NOW)).toEqual({ is: 'held', by: 'vic' });
  });

  it('people go on voting, and the grant waits until it is let go on', () => {
    const state = onHold('awaiting');
    const voted = decideVote(
      state,
      { choice: 'approve', digest: digestOf({}), voter: 'vic', forge: null, reason: null },
      { names: (what) => `00000000-0000-4000-8000-${what.length.toString().padStart(12, '0')}`, mayGrant: true },
    );
    expect(voted.is === 'accepted' && voted.value.map(({ event_type }) => event_type)).toEqual([
      'vote.cast',
      'approval.granted',
      'receipt.issued',
    ]);
    const agreed = replay(state, [vote({}, VIC), { event: approved({}, [VIC]), by: CAST.gate }]);
    expect(whatIsDue(agreed, NOW)).toEqual({ is: 'held', by: 'vic' });
    const gone = missionAfter(when(agreed, unheld(VIC), VIC));
    expect(whatIsDue(gone, NOW)).toEqual({ is: 'grant' });
    expect(decideGrant(gone, () => ID.attempt).is).toBe('accepted');
  });

  it('a revision, its plan and its question stand all the same', () => {
    expect(when(recordedFor(onHold('awaiting'), proposal(2)), proposal(2), CAST.gate).is).toBe('accepted');
    expect(when(onHold('created'), planned(), CAST.gate).is).toBe('accepted');
    expect(when(onHold('judged'), approvalAsked({}), CAST.gate).is).toBe('accepted');
  });

  it('an attempt that runs hands its work over, is checked and let go; then it waits', () => {
    const done = replay(onHold('spawned'), [
      { event: worked(), by: CAST.runner },
      { event: cellClosed(1), by: CAST.runner },
    ]);
    expect(courseOf(done).attempt).toMatchObject({ work: {} });
    const checked = replay(onHold('checked'), [
      { event: verified(), by: CAST.runner },
      { event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner },
    ]);
    expect(courseOf(checked)).toMatchObject({ lease: null, cells: {}, attempt: { verdict: 'satisfied' } });
    expect(whatIsDue(checked, NOW)).toEqual({ is: 'held', by: 'vic' });
    expect(whatIsDue(missionAfter(when(checked, unheld(VIC), VIC)), NOW)).toEqual({ is: 'deliver' });
    expect(when(checked, effectsComputed(), CAST.writer).is).toBe('refused');
  });

  it('it ends as failed where its work was judged so, and as expired when its time is over', () => {
    const failed = onAttempt('attempt.failed', { because: 'verify_failed' }, CAST.runner, { entity: ID.attempt });
    const over = replay(onHold('leased'), [
      { event: failed, by: CAST.runner },
      { event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner },
    ]);
    expect(whatIsDue(over, NOW)).toEqual({ is: 'end' });
    const ended = fact('mission.ended', { because: 'verify_failed', outcome: 'failed' }, CAST.gate);
    expect(courseOf(missionAfter(when(over, ended, CAST.gate)))).toMatchObject({
      held: null,
      end: { outcome: 'failed' },
    });
    expect(whatIsDue(onHold('awaiting'), { now: '2036-11-18T10:00:00.000Z' })).toEqual({ is: 'expire' });
  });
});
