// A source counts once: what a gate does that hears one event twice, or invents where somebody's word came in, and what an old
// event does that is delivered late.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../src/kernel/event.ts';
import type { Origin } from '../../src/kernel/ingress/heard.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { ingress, proposal, relayed, relayOf, VAL, VIC, vote, withdrawal } from '../support/course/asked.ts';
import { courseAt, courseOf, replay } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, fact, missionAfter, when } from '../support/given.ts';
import type { TestKey } from '../support/people.ts';

const COMMENT: Origin = relayOf(VIC);
const AT = (second: number): string => new Date(second * 1000).toISOString();

function recorded(forge: Origin | null, by = CAST.gate): EventOf<'ingress.recorded'> {
  return fact('ingress.recorded', { ...ingress().payload, forge }, by, { entity: uuid('came in') });
}

function text(second: number, letter = 'a'): Origin {
  return { ...COMMENT, comment_id: null, updated_at: AT(second), body_sha256: `sha256:${letter.repeat(64)}` };
}

function hearing(state: MissionState, forge: Origin | null, by: TestKey = CAST.gate) {
  return when(state, recorded(forge, by), by);
}

function after(state: MissionState, ...origins: readonly (Origin | null)[]): MissionState {
  return origins.reduce((before, origin) => missionAfter(hearing(before, origin)), state);
}

describe('a comment', () => {
  it('that was approved by, withdrawn and heard again is no second vote', () => {
    const voted = replay(courseAt('awaiting'), relayed(vote({}, VIC, CAST.gate)));
    const back = replay(voted, relayed({ by: CAST.gate, event: another(withdrawal(VIC, CAST.gate)) }));
    expect(courseOf(back).approvals).toMatchObject({ [Object.keys(courseOf(back).approvals)[0]!]: { votes: [] } });
    expect(hearing(back, COMMENT)).toMatchObject({ code: 'already_heard', facts: { comment: 7 } });
  });

  it('is not heard by its number from elsewhere: a mission hears one issue of one repository', () => {
    const state = after(courseAt('awaiting'), COMMENT);
    for (const other of [{ issue: 4 }, { repository: 2 }])
      expect(hearing(state, { ...COMMENT, comment_id: 8, ...other })).toMatchObject({ code: 'source_elsewhere' });
  });

  it('is too old to tell once 256 later ones were heard, and never counts twice, in whatever order they come', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 300, maxLength: 400 });
    const start = courseAt('awaiting');
    fc.assert(
      fc.property(numbers, fc.nat(), (ids, which) => {
        const heard = ids.reduce((state, comment_id) => {
          const verdict = hearing(state, { ...COMMENT, comment_id });
          return verdict.is === 'accepted' ? missionAfter(verdict) : state;
        }, start);
        expect(heard.heard!.comments).toHaveLength(256);
        const again = hearing(heard, { ...COMMENT, comment_id: ids[which % ids.length]! });
        expect(['already_heard', 'heard_too_old']).toContain(again.is === 'refused' ? again.code : again.is);
      }),
      { numRuns: 20 },
    );
  });

  it('is said to have been heard by a gate alone: a person would use up the numbers of others', () => {
    expect(hearing(courseAt('awaiting'), COMMENT, VIC)).toMatchObject({ code: 'role_not_allowed' });
    expect(hearing(courseAt('awaiting'), null, VIC)).toMatchObject({ is: 'accepted' });
  });
});

describe('the text of an issue', () => {
  const state = after(courseAt('awaiting'), text(10, 'a'), text(20, 'b'));

  it('that comes late is never newer than the last one', () => {
    expect(hearing(state, text(10, 'a'))).toMatchObject({ code: 'heard_too_old' });
    expect(hearing(state, text(19, 'c'))).toMatchObject({ code: 'heard_too_old' });
    expect(hearing(state, text(20, 'b'))).toMatchObject({ code: 'already_heard' });
  });

  it('may be what it was before, edited back', () => {
    expect(hearing(state, text(30, 'a'))).toMatchObject({ is: 'accepted' });
  });

  it('may change within a second, and none of these comes again', () => {
    const both = after(state, text(20, 'c'));
    for (const letter of ['b', 'c']) expect(hearing(both, text(20, letter))).toMatchObject({ code: 'already_heard' });
  });
});

describe('a word that came through a forge', () => {
  const asked = courseAt('awaiting');
  const cast = vote({}, VIC, CAST.gate).event;

  it('needs the record of where it came in', () => {
    expect(when(asked, cast, CAST.gate)).toMatchObject({ code: 'source_missing' });
    expect(when(courseAt('voted'), withdrawal(VIC, CAST.gate), CAST.gate)).toMatchObject({ code: 'source_missing' });
    expect(when(courseAt('awaiting'), proposal(2), CAST.gate)).toMatchObject({ code: 'source_missing' });
  });

  it('needs the record of this very source, in its own transaction', () => {
    for (const other of [{ comment_id: 8 }, { user_id: 1 }, { body_sha256: `sha256:${'0'.repeat(64)}` }])
      expect(when(after(asked, { ...COMMENT, ...other }), cast, CAST.gate)).toMatchObject({ code: 'source_missing' });
    const recordedBefore = after(asked, COMMENT);
    expect(when(recordedBefore, cast, CAST.gate, { index: 12, from: 11 })).toMatchObject({ code: 'source_missing' });
    expect(when(recordedBefore, cast, CAST.gate, { index: 11 })).toMatchObject({ is: 'accepted' });
  });

  it('uses the record up: one comment is one vote', () => {
    const once = missionAfter(when(after(asked, COMMENT), cast, CAST.gate));
    const second = vote({}, VAL, CAST.gate, { forge: COMMENT });
    expect(when(once, second.event, CAST.gate)).toMatchObject({ code: 'source_missing' });
    expect(when(once, withdrawal(VIC, CAST.gate), CAST.gate)).toMatchObject({ code: 'source_missing' });
  });

  it('is a proposal’s by the name of its record, and no other', () => {
    expect(when(after(asked, text(1)), proposal(2), CAST.gate)).toMatchObject({ code: 'source_missing' });
    const named = fact('ingress.recorded', { ...ingress().payload, raw_text: DIGEST }, CAST.gate, {
      entity: uuid('ingress'),
    });
    expect(when(missionAfter(when(asked, named, CAST.gate)), proposal(2), CAST.gate)).toMatchObject({ is: 'accepted' });
  });
});

/** The same, said in a later comment. */
function another(event: EventOf<'vote.withdrawn'>): EventOf<'vote.withdrawn'> {
  return { ...event, payload: { ...event.payload, forge: { ...COMMENT, comment_id: 8 } } };
}
