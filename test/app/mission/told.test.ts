// What people see of a history is the same whether it was folded in one go, or kept and taken up again at any point of it.
import { describe, expect, it } from 'vitest';
import { TOLD, type Told } from '../../../src/app/mission/told.ts';
import { eventsUpTo } from '../../support/course.ts';
import { planned, VIC, vote } from '../../support/course/asked.ts';
import { hex } from '../../../src/format/bytes.ts';
import type { Event } from '../../../src/kernel/event.ts';

const STORY = eventsUpTo('ended').map(({ event }) => event);

/** `before`: how many events of the ledger were told already. */
function told(events: readonly Event[], from: Told = TOLD.start(), before = 0): Told {
  const tip = { size: before + events.length, state: { ledger_id: STORY[0]!.task_id } } as never;
  const leaves = events.map((_, i) => new Uint8Array(32).fill(before + i));
  TOLD.take(from, { tip, events, leaves, signer: undefined as never });
  return from;
}

describe('a story', () => {
  it('can be put away after any event and gone on with', () => {
    const whole = told(STORY);
    expect(whole).toMatchObject({ plan: { is_voted: true }, former: null });
    expect(Object.values(whole.intended).map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
    expect(whole.receipts.length).toBeGreaterThan(0);
    const end = STORY.findIndex(({ event_type }) => event_type === 'mission.ended');
    expect(whole.end).toMatchObject({ index: end, leaf: hex(new Uint8Array(32).fill(end)) });
    for (let at = 0; at <= STORY.length; at++) {
      const kept = TOLD.read(JSON.parse(JSON.stringify(told(STORY.slice(0, at)))));
      expect(told(STORY.slice(at), kept, at)).toEqual(whole);
    }
  });

  it('is not taken up from what no version of it has written', () => {
    const kept = JSON.parse(JSON.stringify(told(STORY))) as Told;
    for (const other of [null, [], {}, { ...kept, more: true }, { ...kept, receipts: [{ id: 'x' }] }])
      expect(TOLD.read(other)).toBeUndefined();
  });
});

describe('the plan that a plan is compared with', () => {
  const plan = (revision: number): Event => {
    const event = planned();
    return { ...event, payload: { ...event.payload, revision, plan_digest: String(revision).padStart(64, '0') } };
  };
  const { event: voted } = vote({}, VIC);
  const revisions = (events: readonly Event[]) => {
    const { plan: now, former } = told([...STORY.slice(0, 1), ...events]);
    return [former?.terms.revision, now?.terms.revision];
  };

  it('is the one before while nobody voted, and then the latest that somebody voted on', () => {
    expect(revisions([plan(1)])).toEqual([undefined, 1]);
    expect(revisions([plan(1), plan(2), plan(3)])).toEqual([2, 3]);
    const asked = STORY.find(({ event_type }) => event_type === 'approval.requested')!;
    expect(revisions([plan(1), asked, voted, plan(2), plan(3)])).toEqual([1, 3]);
    expect(revisions([plan(1), asked, voted, plan(2), asked, voted, plan(3)])).toEqual([2, 3]);
  });

  it('is not the same plan computed again', () => {
    expect(revisions([plan(1), plan(1)])).toEqual([undefined, 1]);
  });
});
