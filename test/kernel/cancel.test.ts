// Calling a mission off: who may, until when, and what nobody may do any more afterwards, whichever key they hold.
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/kernel/event.ts';
import { missionStatus } from '../../src/kernel/mission/status.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import {
  approvalAsked,
  approved,
  attemptCreated,
  cancelled,
  FORGE_USER,
  grant,
  ID,
  ingress,
  onAttempt,
  PIA,
  planned,
  proposal,
  PROPOSERS,
  relayOf,
  VIC,
  vote,
} from '../support/course/asked.ts';
import { intended } from '../support/course/caused.ts';
import { cellClosed, leased, leaseReleased, spawned, verified, worked } from '../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, recordedFor, replay, whenSaid, type Stage } from '../support/course.ts';
import { CAST, fact, missionAfter, openedMission, openedProject, when } from '../support/given.ts';
import { member, testKey, type TestKey } from '../support/people.ts';

const UNTIL_THE_FIRST_INTENT: readonly Stage[] = [
  'proposed',
  'created',
  'planned',
  'asked',
  'judged',
  'awaiting',
  'voted',
  'approved',
  'granted',
  'leased',
  'compiled',
  'spawned',
  'worked',
  'checking',
  'checked',
  'verified',
  'closed',
  'computed',
  'writing',
];
const FROM_THE_FIRST_INTENT: readonly Stage[] = ['intended', 'observed', 'receipted'];

function off(stage: Stage | MissionState): MissionState {
  const state = typeof stage === 'string' ? courseAt(stage) : stage;
  return missionAfter(when(state, cancelled(VIC), VIC));
}

describe('who may call a mission off', () => {
  const state = courseAt('awaiting');

  it.each([
    ['a person', VIC, VIC],
    ['its proposer', PIA, PIA],
    ['a person through the gate', VIC, CAST.gate],
    ['its proposer through the gate', PIA, CAST.gate],
  ] as const)('%s', (_, who, by) => {
    const { cancelled: word } = courseOf(missionAfter(whenSaid(state, cancelled(who, by), by)));
    const account = by === who ? null : FORGE_USER[who.principalId];
    expect(word).toMatchObject({ by: who.principalId, account });
  });

  it('a person relayed at tier 3 as well: to stop is the safe direction', () => {
    const high = courseAt('awaiting', { tier: 3 });
    expect(whenSaid(high, cancelled(VIC, CAST.gate), CAST.gate).is).toBe('accepted');
  });

  it('a proposer whom no roster has, through the gate and in nobody else’s name', () => {
    const stranger = { ...relayOf(PIA), user_id: 77 };
    const theirs = replay(openedMission(openedProject(courseRoster())), [
      { event: ingress(), by: CAST.gate },
      { event: proposal(1, [...PROPOSERS, { forge_user_id: 77, principal_id: null }]), by: CAST.gate },
    ]);
    expect(whenSaid(theirs, cancelled(CAST.gate, CAST.gate, stranger), CAST.gate).is).toBe('accepted');
    expect(whenSaid(theirs, cancelled(VIC, CAST.gate, stranger), CAST.gate)).toMatchObject({ code: 'actor_mismatch' });
    expect(whenSaid(state, cancelled(CAST.gate, CAST.gate, stranger), CAST.gate)).toMatchObject({
      code: 'not_authorised',
    });
  });

  it('no gate in a person’s name, by its own wish, or in its own name for somebody on the roster', () => {
    const signedForAnother = cancelled(VIC, CAST.gate, null);
    expect(when(state, signedForAnother, CAST.gate)).toMatchObject({ code: 'actor_mismatch' });
    expect(when(state, cancelled(CAST.gate), CAST.gate)).toMatchObject({ code: 'not_authorised' });
    const hidden = cancelled(CAST.gate, CAST.gate, relayOf(VIC));
    expect(whenSaid(state, hidden, CAST.gate)).toMatchObject({ code: 'actor_mismatch' });
  });

  it('no person for another, and nobody with another role alone', () => {
    expect(when(state, { ...cancelled(VIC), actor_id: PIA.principalId }, VIC)).toMatchObject({
      code: 'actor_mismatch',
    });
    for (const key of [CAST.runner, CAST.writer, CAST.root, CAST.witness])
      expect(when(state, cancelled(key), key)).toMatchObject({ code: 'role_not_allowed' });
  });

  it('a member without the role of a person only where the mission is its own', () => {
    const bot = testKey('bot');
    const roster = courseRoster(member(bot, { roles: ['gate'], principal_type: 'agent', forge_user_id: 78 }));
    const of = (proposers: Parameters<typeof proposal>[1]) =>
      replay(openedMission(openedProject(roster)), [
        { event: ingress(), by: CAST.gate },
        { event: proposal(1, proposers), by: CAST.gate },
      ]);
    const word = { ...cancelled(bot, CAST.gate, { ...relayOf(bot), user_id: 78 }), actor_type: 'agent' } as Event;
    const own = of([...PROPOSERS, { forge_user_id: 78, principal_id: 'bot' }]);
    expect(whenSaid(own, word, CAST.gate).is).toBe('accepted');
    expect(whenSaid(of(PROPOSERS), word, CAST.gate)).toMatchObject({ code: 'not_authorised' });
  });

  it('nobody by a comment that was not recorded with it', () => {
    expect(when(state, cancelled(VIC, CAST.gate), CAST.gate)).toMatchObject({ code: 'source_missing' });
  });
});

describe('until when', () => {
  it.each(UNTIL_THE_FIRST_INTENT)('it may be called off once it is %s', (stage) => {
    const state = off(stage);
    expect(missionStatus(state)).toBe('cancelled');
    expect(when(state, cancelled(PIA), PIA)).toMatchObject({ code: 'mission_cancelled' });
  });

  it.each(FROM_THE_FIRST_INTENT)('it may not once its effects are %s', (stage) => {
    expect(when(courseAt(stage), cancelled(VIC), VIC)).toMatchObject({ code: 'effects_begun' });
  });

  it('nor when all was done, nor when it is over, nor before anything is proposed', () => {
    expect(when(courseAt('succeeded'), cancelled(VIC), VIC)).toMatchObject({ code: 'mission_succeeded' });
    expect(when(courseAt('ended'), cancelled(VIC), VIC)).toMatchObject({ code: 'mission_over' });
    const opened = openedMission(openedProject(courseRoster()));
    expect(when(opened, cancelled(VIC), VIC)).toMatchObject({ code: 'nothing_proposed' });
  });
});

describe('once it is called off', () => {
  /** Each was accepted a moment before. */
  const BEGINS: readonly (readonly [string, Stage, Event, TestKey])[] = [
    ['a revision', 'awaiting', proposal(2), CAST.gate],
    ['a plan', 'created', planned(), CAST.gate],
    ['a question', 'judged', approvalAsked({}), CAST.gate],
    ['a vote', 'awaiting', vote({}, VIC).event, VIC],
    ['an approval', 'voted', approved({}, [VIC]), CAST.gate],
    ['a grant', 'approved', grant(), CAST.gate],
    ['a runner’s lease', 'granted', leased(1, CAST.runner, 'isolated'), CAST.runner],
    ['an agent’s cell', 'compiled', spawned(), CAST.runner],
    ['work handed over by a runner that went on', 'spawned', worked(), CAST.runner],
    ['a writer’s lease', 'computed', leased(2, CAST.writer, 'mutable'), CAST.writer],
    ['an effect', 'writing', intended('push_branch'), CAST.writer],
  ];

  it.each(BEGINS)('nobody writes %s any more', (_, stage, event, by) => {
    const before = courseAt(stage);
    expect(when(recordedFor(before, event), event, by).is).toBe('accepted');
    expect(when(recordedFor(off(before), event), event, by)).toMatchObject({ code: 'mission_cancelled' });
  });

  it('no other attempt begins', () => {
    const failed = onAttempt('attempt.failed', { because: 'runner_lost' }, CAST.gate, { entity: ID.attempt });
    const over = replay(courseAt('granted'), [{ event: failed, by: CAST.gate }]);
    const again = attemptCreated(2, ID.attempt);
    expect(when(over, again, CAST.gate).is).toBe('accepted');
    expect(when(off(over), again, CAST.gate)).toMatchObject({ code: 'mission_cancelled' });
  });

  it('work that was verified is no success any more, although nothing was to be caused', () => {
    const done = onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt });
    expect(when(off('closed'), done, CAST.writer)).toMatchObject({ code: 'mission_cancelled' });
  });

  it('it ends as cancelled and as nothing else, once no cell and no lease is left', () => {
    const ended = (outcome: 'cancelled' | 'failed' | 'expired') =>
      fact('mission.ended', { because: 'mission_cancelled', outcome }, CAST.gate);
    const running = off('spawned');
    expect(when(running, ended('cancelled'), CAST.gate)).toMatchObject({ code: 'mission_under_way' });
    const gone = replay(running, [
      { event: cellClosed(1), by: CAST.runner },
      { event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner },
      {
        event: onAttempt('attempt.cancelled', { because: 'mission_cancelled' }, CAST.writer, { entity: ID.attempt }),
        by: CAST.writer,
      },
    ]);
    for (const outcome of ['failed', 'expired'] as const)
      expect(when(gone, ended(outcome), CAST.gate)).toMatchObject({ code: 'mission_cancelled' });
    const over = missionAfter(when(gone, ended('cancelled'), CAST.gate));
    expect(courseOf(over).end).toEqual({ outcome: 'cancelled', because: 'mission_cancelled' });
  });

  it('what was begun is still seen, checked, closed and let go', () => {
    const checked = replay(off('checked'), [
      { event: verified(), by: CAST.runner },
      { event: leaseReleased(1, CAST.runner, ID.cellLease), by: CAST.runner },
    ]);
    expect(courseOf(checked)).toMatchObject({ lease: null, cells: {}, attempt: { verdict: 'satisfied' } });
  });
});
