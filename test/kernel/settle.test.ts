// What became of an effect that nobody can observe: a person's own signed word, and nobody else's; about what is open, and
// nothing else; in a receipt that says whose word it is.
import { describe, expect, it } from 'vitest';
import { decideSettlement } from '../../src/kernel/decide/settlement.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import { ID, onAttempt, VAL, VIC } from '../support/course/asked.ts';
import {
  computedAs,
  decided,
  decisionOn,
  effectOf,
  observed,
  once,
  receipt,
  runReceipt,
} from '../support/course/caused.ts';
import { leased, leaseReleased } from '../support/course/worked.ts';
import { courseAt, courseOf, courseRoster, replay } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { CAST, DIGEST, missionAfter, when } from '../support/given.ts';
import { member, testKey } from '../support/people.ts';

const BOT = testKey('bot');
/** Holds every role, as on a laptop; and a machine that somebody calls a person. */
const OWNER = testKey('owner');
const people = courseRoster(
  member(BOT, { roles: ['person'], principal_type: 'service', person_id: null }),
  member(OWNER, { roles: ['gate', 'person', 'runner', 'writer'] }),
);

/** The push is there; what became of the pull request nobody could tell, and the writer has let go. */
function silent(): MissionState {
  return replay(courseAt('intended', {}, people), [
    { event: observed('push_branch'), by: CAST.writer },
    { event: observed('open_pull_request', { outcome: 'unknown_outcome', oid: null }), by: CAST.writer },
    { event: receipt('push_branch'), by: CAST.writer },
    {
      event: receipt('open_pull_request', { result_code: 'unknown_outcome', result_summary: 'forge_answer_lost' }),
      by: CAST.writer,
    },
    { event: leaseReleased(2, CAST.writer, ID.effectLease), by: CAST.writer },
  ]);
}

function settled(outcome: 'applied' | 'not_applied'): MissionState {
  const said = decided('open_pull_request', { outcome });
  const again = leased(3, CAST.writer, 'mutable');
  return replay(silent(), [
    { event: said, by: VIC },
    { event: { ...again, entity_id: uuid('third lease') }, by: CAST.writer },
  ]);
}

const ours = {
  receipt_class: 'observation_resolution',
  decision_ref: decisionOn('open_pull_request'),
  result_summary: 'settled_by_person',
  output_refs: [DIGEST] as string[],
} as const;

describe('an effect whose outcome is unknown', () => {
  it.each([
    ['applied', 'applied', 'succeeded'],
    ['not_applied', 'failed', 'failed'],
  ] as const)('is %s by the word of a person, and its receipt says so', (word, outcome, result_code) => {
    const state = settled(word);
    expect(courseOf(state).effects[effectOf('open_pull_request')]).toMatchObject({
      outcome,
      settled_by: decisionOn('open_pull_request'),
    });
    const closed = missionAfter(when(state, receipt('open_pull_request', { ...ours, result_code }), CAST.writer));
    expect(courseOf(closed).effects).toEqual({});
    expect(courseOf(closed).attempt?.planned?.effects.at(-1)?.outcome).toBe(outcome);
  });

  it('settled as applied lets the mission be done, as not applied it does not', () => {
    for (const [word, result_code, is] of [
      ['applied', 'succeeded', 'accepted'],
      ['not_applied', 'failed', 'refused'],
    ] as const) {
      const closed = missionAfter(
        when(settled(word), receipt('open_pull_request', { ...ours, result_code }), CAST.writer),
      );
      const ran = missionAfter(when(closed, runReceipt(), CAST.writer));
      const succeeded = onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt });
      expect(when(ran, succeeded, CAST.writer)).toMatchObject({ is });
    }
  });

  it('has no receipt that hides whose word it is', () => {
    for (const changes of [
      { receipt_class: 'publish' as const },
      { decision_ref: uuid('another decision') },
      { receipt_class: 'publish' as const, decision_ref: undefined },
    ]) {
      const { decision_ref, ...said } = { ...ours, ...changes };
      const hiding = receipt('open_pull_request', decision_ref === undefined ? said : { ...said, decision_ref });
      expect(when(settled('applied'), hiding, CAST.writer)).toMatchObject({ code: 'receipt_mismatch' });
    }
  });

  it('and what was seen cannot pass for somebody’s word', () => {
    const said = receipt('push_branch', { receipt_class: 'observation_resolution' });
    expect(when(courseAt('observed'), said, CAST.writer)).toMatchObject({ code: 'receipt_mismatch' });
  });

  it('is not caused again, whichever way it was settled: what one person saw, another look may not undo', () => {
    for (const [word, result_code] of [
      ['applied', 'succeeded'],
      ['not_applied', 'failed'],
    ] as const) {
      const anew = once('open_pull_request', 'anew');
      const state = replay(settled(word), [
        { event: receipt('open_pull_request', { ...ours, result_code }), by: CAST.writer },
        { event: anew.asked, by: CAST.writer },
        { event: anew.judged, by: CAST.writer },
      ]);
      expect(when(state, computedAs([anew.item]), CAST.writer)).toMatchObject({ code: 'effect_exists' });
    }
  });

  it('has a receipt that names what the person’s word rests on, and nothing else', () => {
    const other = { ...ours, output_refs: [`sha256:${'11'.repeat(32)}`] };
    expect(when(settled('applied'), receipt('open_pull_request', other), CAST.writer)).toMatchObject({
      code: 'receipt_mismatch',
      facts: { at: 'output_refs' },
    });
  });

  it('is observed no more', () => {
    const seen = observed('open_pull_request', { fence: 3, outcome: 'applied' });
    expect(when(settled('not_applied'), seen, CAST.writer)).toMatchObject({ code: 'effect_settled' });
  });

  it('can be settled where nobody ever got to look, too', () => {
    const gone = replay(courseAt('intended'), [
      { event: leaseReleased(2, CAST.writer, ID.effectLease), by: CAST.writer },
    ]);
    expect(when(gone, decided('push_branch'), VIC)).toMatchObject({ is: 'accepted' });
  });
});

describe('no such word counts', () => {
  const said = decided('open_pull_request');

  it.each(['gate', 'runner', 'writer', 'root', 'witness'] as const)('of a %s', (role) => {
    expect(when(silent(), { ...said, actor_id: role }, CAST[role])).toMatchObject({ code: 'role_not_allowed' });
  });

  it('of a machine that the roster calls a person', () => {
    const machine = { ...said, actor_id: 'bot', actor_type: 'service' } as const;
    expect(when(silent(), machine, BOT)).toMatchObject({ code: 'not_authorised' });
  });

  it('that somebody signs in another’s name, whatever roles they have', () => {
    expect(when(silent(), said, VAL)).toMatchObject({ code: 'actor_mismatch' });
    expect(when(silent(), said, OWNER)).toMatchObject({ code: 'actor_mismatch' });
    expect(when(silent(), { ...said, actor_id: 'owner' }, OWNER)).toMatchObject({ is: 'accepted' });
  });

  it('about an outcome that is known', () => {
    expect(when(silent(), decided('push_branch'), VIC)).toMatchObject({ code: 'effect_unknown' });
    const seen = replay(courseAt('observed'), [
      { event: leaseReleased(2, CAST.writer, ID.effectLease), by: CAST.writer },
    ]);
    expect(when(seen, decided('push_branch'), VIC)).toMatchObject({ code: 'effect_settled' });
    expect(decideSettlement(silent(), { ...said.payload, effect: effectOf('push_branch') }, uuid)).toMatchObject({
      code: 'effect_unknown',
    });
  });

  it('twice', () => {
    const once = replay(silent(), [{ event: said, by: VIC }]);
    const other = { ...decided('open_pull_request', { outcome: 'not_applied' }, VAL), entity_id: uuid('other') };
    expect(when(once, other, VAL)).toMatchObject({ code: 'effect_settled' });
  });

  it('while a writer holds the lease and may be about to find out', () => {
    expect(when(courseAt('intended'), decided('push_branch'), VIC)).toMatchObject({ code: 'lease_held' });
  });

  it('about another attempt', () => {
    expect(when(silent(), { ...said, attempt_id: uuid('attempt 2') }, VIC)).toMatchObject({ code: 'attempt_stale' });
  });
});
