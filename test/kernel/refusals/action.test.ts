// What a refused request, verdict of policy or grant tells its reader, and how far an authority reaches: the checks that
// no honest walk comes to, tried on states that only a liar's ledger could have.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { checkAuthority } from '../../../src/kernel/action/authority.ts';
import { EFFECT_KINDS, type EffectKind } from '../../../src/kernel/course/classes.ts';
import type { Course } from '../../../src/kernel/course/course.ts';
import type { EventOf } from '../../../src/kernel/event.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import { asked, digestOf, ID, judged, LATER, SOON, VIC } from '../../support/course/asked.ts';
import { effectsDigestOf, requestOf } from '../../support/course/caused.ts';
import { withRoster } from '../../support/course/ballots.ts';
import { courseAt, courseOf, replay, withCourse } from '../../support/course.ts';
import { uuid } from '../../support/events.ts';
import { CAST, MISSION, missionAfter, when } from '../../support/given.ts';
import type { TestKey } from '../../support/people.ts';
import { refusal } from '../../support/refusals.ts';

const NOTHING = uuid('nothing');

/** Another request than the walk's. */
function request(
  name: string,
  changes: Partial<EventOf<'action.requested'>['payload']>,
  by: TestKey = CAST.writer,
): EventOf<'action.requested'> {
  const said = asked();
  return { ...said, entity_id: uuid(name), actor_id: by.principalId, payload: { ...said.payload, ...changes } };
}

function effect(name: string, kind: EffectKind, targets: string[], by: TestKey = CAST.writer) {
  return request(name, { action_class: EFFECT_KINDS[kind].actionClass, kind, target_resources: targets }, by);
}

describe('a request that is refused says', () => {
  it('that it stands already', () => {
    expect(when(courseAt('asked'), asked(), CAST.gate)).toEqual(refusal('action_exists', { action_request: ID.exec }));
  });

  it('where its class is not that of its effect', () => {
    const lie = request('lie', { kind: 'push_branch' });
    expect(when(courseAt('created'), lie, CAST.writer)).toEqual(
      refusal('event_malformed', { event_type: 'action.requested', at: 'payload.action_class' }),
    );
  });

  it('who asked for what effect', () => {
    const said = effect('of a runner', 'push_branch', ['work/1'], CAST.runner);
    expect(when(courseAt('spawned'), said, CAST.runner)).toEqual(
      refusal('role_not_allowed', { event_type: 'action.requested', principal: 'runner', kind: 'push_branch' }),
    );
  });
});

it('a gate may ask for an effect', () => {
  const said = effect('of a gate', 'push_branch', ['work/1'], CAST.gate);
  expect(when(courseAt('spawned'), said, CAST.gate)).toMatchObject({ is: 'accepted' });
});

describe('a verdict of policy that is refused says', () => {
  it('what it was about, and which policy was planned with', () => {
    const state = courseAt('asked');
    expect(when(state, judged(NOTHING), CAST.gate)).toEqual(refusal('action_unknown', { action_request: NOTHING }));
    const other = `sha256:${'ff'.repeat(32)}`;
    const said = judged(ID.exec, CAST.gate, { policy: { digest: other, revision: 1 } });
    expect(when(state, said, CAST.gate)).toEqual(
      refusal('policy_drifted', { judged: other, planned: `sha256:${'70'.repeat(32)}` }),
    );
  });

  it('what was said before, of this request or of the same thing', () => {
    const again = { ...judged(), entity_id: uuid('again') };
    expect(when(courseAt('judged'), again, CAST.gate)).toEqual(
      refusal('policy_result_final', { action_request: ID.exec, result: 'require_approval' }),
    );
    const denied = missionAfter(when(courseAt('asked'), judged(ID.exec, CAST.gate, { result: 'deny' }), CAST.gate));
    const same = replay(denied, [{ event: { ...asked(), entity_id: uuid('the same') }, by: CAST.gate }]);
    expect(when(same, judged(uuid('the same')), CAST.gate)).toEqual(
      refusal('policy_result_final', { action_request: uuid('the same'), result: 'deny' }),
    );
  });
});

describe('what policy denied', () => {
  /** Denied to the first, asked about the second. */
  function second(first: EventOf<'action.requested'>, other: EventOf<'action.requested'>) {
    const state = replay(courseAt('judged'), [
      { event: first, by: CAST.writer },
      { event: judged(first.entity_id, CAST.writer, { result: 'deny' }), by: CAST.writer },
      { event: other, by: CAST.writer },
    ]);
    return when(state, judged(other.entity_id, CAST.writer, { result: 'allow' }), CAST.writer);
  }
  const push = effect('push', 'push_branch', ['work/1', 'work/2']);

  it('is denied wherever one of its targets comes again', () => {
    expect(second(push, effect('b', 'push_branch', ['work/2']))).toMatchObject({ code: 'policy_result_final' });
    expect(second(effect('a', 'push_branch', ['work/2']), push)).toMatchObject({ code: 'policy_result_final' });
  });

  it('is not denied for other targets, another kind or another class', () => {
    const write = request('write', { action_class: 'write_local', target_resources: ['work/1'] });
    const remove = request('remove', { action_class: 'delete_local', target_resources: ['work/1'] });
    for (const [first, other] of [
      [push, effect('b', 'push_branch', ['work/3'])],
      [push, effect('b', 'write_local_branch', ['work/1'])],
      [write, remove],
    ] as const)
      expect(second(first, other)).toMatchObject({ is: 'accepted' });
  });
});

describe('authority', () => {
  const push = requestOf('push_branch');
  const granted = (state: MissionState, changes: Partial<Course>, of: string, by: string | null, now = SOON) =>
    checkAuthority(
      {
        crypto: nodeCrypto,
        mission: MISSION,
        course: { ...courseOf(state), ...changes },
        roster: state.roster,
        signer: state.roster.members[0]!,
      },
      of,
      by,
      now,
    );
  const approved = courseAt('approved');
  const computed = courseAt('computed');
  const second = courseAt('effectsApproved', { tier: 2 });
  const [plan, effects] = [ID.approval, ID.effectsApproval];
  const accepted = { is: 'accepted', value: undefined };

  it('lasts to the last moment of the approval', () => {
    expect(granted(approved, {}, ID.exec, plan)).toEqual(accepted);
    expect(granted(approved, {}, ID.exec, plan, LATER)).toEqual(refusal('approval_expired', { expires_at: SOON }));
  });

  it('is none without a plan', () => {
    expect(granted(approved, { plan: null }, ID.exec, plan)).toEqual(refusal('plan_missing', {}));
  });

  it('is none where policy is silent or says no', () => {
    const { requests } = courseOf(approved);
    const silent = { ...requests, [ID.exec]: { ...requests[ID.exec]!, policy: null } };
    expect(granted(approved, { requests: silent }, ID.exec, plan)).toEqual(
      refusal('policy_refused', { result: 'none' }),
    );
  });

  it('is none for a class above the tier', () => {
    const low = { ...courseOf(computed).plan!, tier: 0 as const };
    expect(granted(computed, { plan: low }, push, plan)).toEqual(
      refusal('tier_too_low', { tier: 0, least: 1, action_class: 'vcs_mutation' }),
    );
  });

  it('is none for an effect that was not computed', () => {
    const { attempt } = courseOf(computed);
    expect(granted(computed, { attempt: { ...attempt!, planned: null } }, push, plan)).toEqual(
      refusal('effect_unplanned', { kind: 'push_branch' }),
    );
  });

  it('is, from tier 2 on, that of the effects', () => {
    expect(granted(second, {}, push, effects)).toEqual(accepted);
    for (const by of [plan, null])
      expect(granted(second, {}, push, by)).toEqual(refusal('effects_approval_missing', { kind: 'push_branch' }));
  });

  it('is nobody’s that is not there, or not granted', () => {
    expect(granted(approved, {}, ID.exec, NOTHING)).toEqual(refusal('approval_unknown', { approval: NOTHING }));
    expect(granted(courseAt('voted'), {}, ID.exec, plan)).toEqual(refusal('quorum_missing', { approval: plan }));
    expect(granted(approved, {}, ID.exec, null)).toEqual(refusal('quorum_missing', {}));
  });

  it('is for the plan and the effects at hand', () => {
    const other = { ...courseOf(approved).plan!, plan_digest: 'ab'.repeat(32) };
    expect(granted(approved, { plan: other }, ID.exec, plan)).toEqual(
      refusal('approval_stale', { digest: digestOf(), current: 'ab'.repeat(32) }),
    );
    const { attempt } = courseOf(second);
    for (const gone of [null, { ...attempt!, planned: null }])
      expect(granted(second, { attempt: gone }, ID.exec, effects)).toEqual(
        refusal('approval_stale', { digest: effectsDigestOf(), current: '' }),
      );
  });

  it('over effects is none to run an agent', () => {
    expect(granted(second, {}, ID.exec, effects)).toEqual(refusal('effect_unplanned', { kind: null }));
  });

  it('of the plan is for the kinds that it asked for', () => {
    const { plan: terms } = courseOf(computed);
    for (const asks of [[], terms!.asks.filter(({ kind }) => kind !== 'push_branch')])
      expect(granted(computed, { plan: { ...terms!, asks } }, push, plan)).toEqual(
        refusal('effect_unplanned', { kind: 'push_branch' }),
      );
    expect(granted(computed, { plan: { ...terms!, asks: [] } }, ID.exec, plan)).toEqual(accepted);
  });

  it('shrinks with the roster', () => {
    const left = withRoster(approved, (one) => (one.principal_id === VIC.principalId ? undefined : one));
    expect(granted(left, {}, ID.exec, plan)).toEqual(refusal('quorum_missing', { approval: plan, missing: 1 }));
  });
});

it('without a plan policy has nothing to judge by', () => {
  expect(when(withCourse(courseAt('asked'), { plan: null }), judged(), CAST.gate)).toEqual(refusal('plan_missing', {}));
});
