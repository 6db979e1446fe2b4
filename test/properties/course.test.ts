// Whatever is said in whatever order, by whoever may sign it: nobody runs without agreement, nothing is caused twice, and
// done means verified and receipted.
import { courseOf } from '../../src/kernel/course/steps.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jcs } from '../../src/format/jcs.ts';
import type { Course } from '../../src/kernel/course/course.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import {
  attemptCreated,
  ID,
  LATER,
  onAttempt,
  planned,
  proposal,
  VIC,
  withdrawal,
  type Said,
  oneStep,
} from '../support/course/asked.ts';
import { effectOf, intended, observed, receipt } from '../support/course/caused.ts';
import { cellClosed, leased, leaseReleased, spawned } from '../support/course/worked.ts';
import { courseRoster, eventsUpTo } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, fact, missionAfter, openedMission, openedProject, when } from '../support/given.ts';

const start = openedMission(openedProject(courseRoster()));
const because = { because: 'tried' };
const attempt = { entity: ID.attempt };

/** What does not belong there, or belongs somewhere else. */
const STRAY: readonly Said[] = [
  { by: CAST.gate, event: proposal(2) },
  { by: CAST.gate, event: planned({ plan: { steps: oneStep([]) } }) },
  { by: VIC, event: withdrawal(VIC) },
  { by: CAST.gate, event: onAttempt('approval.invalidated', because, CAST.gate, { entity: ID.approval }) },
  { by: CAST.gate, event: onAttempt('grant.revoked', because, CAST.gate, { entity: ID.execGrant }) },
  { by: CAST.gate, event: onAttempt('lease.expired', { fence: 1, silence: null }, CAST.gate, { occurred_at: LATER }) },
  { by: CAST.runner, event: leased(2, CAST.runner, 'isolated') },
  { by: CAST.writer, event: leased(1, CAST.writer, 'mutable') },
  { by: CAST.writer, event: leaseReleased(2, CAST.writer, ID.effectLease) },
  { by: CAST.runner, event: cellClosed(1) },
  { by: CAST.runner, event: { ...spawned(), entity_id: uuid('second cell') } },
  { by: CAST.writer, event: intended('push_branch', {}, uuid('second effect')) },
  { by: CAST.writer, event: observed('push_branch', { outcome: 'unknown_outcome' }) },
  { by: CAST.writer, event: observed('push_branch', { outcome: 'refused' }) },
  { by: CAST.writer, event: receipt('push_branch', { result_code: 'refused' }) },
  { by: CAST.runner, event: onAttempt('attempt.failed', because, CAST.runner, attempt) },
  { by: CAST.gate, event: onAttempt('attempt.superseded', because, CAST.gate, attempt) },
  { by: CAST.gate, event: attemptCreated(2, ID.attempt) },
  { by: CAST.writer, event: onAttempt('attempt.succeeded', {}, CAST.writer, attempt) },
  { by: CAST.writer, event: fact('mission.ended', { because: 'tried', outcome: 'done' }, CAST.writer) },
  { by: CAST.gate, event: fact('mission.ended', { because: 'tried', outcome: 'cancelled' }, CAST.gate) },
];

const WALK = eventsUpTo('ended');
/** So that the number of missions that get far is the same in every run. */
const SEED = 4711;
/** Mostly the walk, in order; now and then a stray event or one from elsewhere in the walk. */
const sayings = fc.array(
  fc.oneof(
    { weight: 40, arbitrary: fc.constant('next' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...STRAY) },
    { weight: 1, arbitrary: fc.constantFrom(...WALK) },
  ),
  { minLength: 45, maxLength: 110, size: 'max' },
);

function tell(said: readonly ('next' | Said)[], seen: (accepted: Said, state: MissionState) => void): MissionState {
  let state = start;
  let at = 0;
  for (const one of said) {
    const now = one === 'next' ? WALK[at++] : one;
    if (now === undefined) break;
    const verdict = when(state, now.event, now.by);
    if (verdict.is === 'refused') continue;
    state = missionAfter(verdict);
    seen(now, state);
  }
  return state;
}

describe('whatever is said in whatever order', () => {
  it('nobody runs without an approval, and no effect is caused twice', () => {
    let spawns = 0;
    fc.assert(
      fc.property(sayings, (said) => {
        const applied = new Set<string>();
        let isApproved = false;
        tell(said, ({ event }, state) => {
          const { effects = {}, attempt: current } = courseOf(state) ?? {};
          if (event.event_type === 'approval.granted') isApproved = true;
          if (event.event_type === 'cell.spawned') expect(isApproved).toBe(true);
          spawns += event.event_type === 'cell.spawned' ? 1 : 0;
          // By request: two open effects of one would be the same deed twice.
          const open = Object.values(effects).map(({ request }) => request);
          expect(new Set(open).size).toBe(open.length);
          for (const request of open) expect(applied.has(request)).toBe(false);
          for (const one of current?.planned?.effects ?? []) if (one.outcome === 'applied') applied.add(one.request);
        });
      }),
      { numRuns: 400, seed: SEED },
    );
    // Else the property would have been shown for missions that never got anywhere.
    expect(spawns).toBeGreaterThan(100);
  });

  it('done means that an independent run said so and everything planned was seen to have happened', () => {
    let done = 0;
    fc.assert(
      fc.property(sayings, (said) => {
        const seen = new Set<string>();
        const state = tell(said, ({ event }) => {
          if (event.event_type === 'verification.recorded') seen.add(event.payload.verdict);
          if (event.event_type === 'effect.observed' && event.payload.outcome === 'applied') seen.add(event.entity_id);
        });
        const course = courseOf(state);
        if (course?.end?.outcome !== 'done') return;
        done += 1;
        expect(seen).toEqual(new Set(['satisfied', effectOf('push_branch'), effectOf('open_pull_request')]));
        expectNothingOwed(course);
      }),
      { numRuns: 400, seed: SEED },
    );
    expect(done).toBeGreaterThan(5);
  });

  it('a refused event changes nothing, and the state keeps its one spelling', () => {
    fc.assert(
      fc.property(sayings, (said) => {
        const accepted: Said[] = [];
        const state = tell(said, (one) => accepted.push(one));
        expect(jcs(tell(accepted, () => undefined))).toBe(jcs(state));
      }),
      { numRuns: 100 },
    );
  });
});

function expectNothingOwed({ effects, lease, cells, grants }: Course): void {
  expect({ effects, lease, cells, grants }).toEqual({ effects: {}, lease: null, cells: {}, grants: {} });
}
