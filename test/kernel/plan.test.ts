// How a mission comes to a plan: revisions and who stands behind them, the digest that people type, and when a vote for
// one plan still covers the next.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { isShrunk, planDigest, type PlanTerms } from '../../src/kernel/course/plan.ts';
import { askedAnew, digestOf, planned, proposal, PROPOSERS, terms, VIC, oneStep } from '../support/course/asked.ts';
import { courseAt, courseOf, courseRoster, eventsUpTo, replay, whenSaid, type Stage } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import { rosterAdoption } from '../support/examples.ts';
import { member, testKey, nextRoster } from '../support/people.ts';
import { CAST, fact, missionAfter, MISSION, openedMission, openedProject, when } from '../support/given.ts';

const sam = { forge_user_id: 900, principal_id: null };

describe('a proposal', () => {
  it('begins at revision 1 and goes on one by one', () => {
    const opened = openedMission(openedProject(courseRoster()));
    expect(whenSaid(opened, proposal(2), CAST.gate)).toMatchObject({ code: 'revision_stale', facts: { expected: 1 } });
    const first = missionAfter(whenSaid(opened, proposal(1), CAST.gate));
    expect(whenSaid(first, proposal(1), CAST.gate)).toMatchObject({ code: 'revision_stale', facts: { expected: 2 } });
    expect(courseOf(missionAfter(whenSaid(first, proposal(2), CAST.gate))).revision).toBe(2);
  });

  it('may gain a proposer and not lose one: an editor stays an author', () => {
    const state = courseAt('proposed');
    const more = missionAfter(whenSaid(state, proposal(2, [...PROPOSERS, sam]), CAST.gate));
    expect(courseOf(more).proposers).toEqual([
      { ...PROPOSERS[0]!, persons: ['pia'] },
      { ...sam, persons: [] },
    ]);
    for (const proposers of [[sam], [{ ...PROPOSERS[0]!, forge_user_id: null }]])
      expect(whenSaid(state, proposal(2, proposers), CAST.gate)).toMatchObject({ code: 'proposer_forgotten' });
  });

  it.each(['leased', 'spawned', 'verified', 'closed', 'intended', 'receipted'] as const)(
    'no longer changes once the mission is %s',
    (stage) => {
      expect(whenSaid(courseAt(stage), proposal(2), CAST.gate)).toMatchObject({ code: 'mission_under_way' });
      expect(when(courseAt(stage), planned(), CAST.gate)).toMatchObject({ code: 'mission_under_way' });
    },
  );

  it('that is revised takes all authority with it, plan or no plan', () => {
    const state = missionAfter(whenSaid(courseAt('granted'), proposal(2), CAST.gate));
    const { grants, requests, approvals, attempt } = courseOf(state);
    expect({ grants, requests }).toEqual({ grants: {}, requests: {} });
    expect(Object.values(approvals)).toMatchObject([{ granted: false, votes: [{ principal: 'vic' }] }]);
    expect(attempt?.status).toBe('awaiting_policy');
  });

  it.each(['voted', 'approved'] as const)('that is revised when %s cannot be approved by its old plan', (stage) => {
    const state = missionAfter(whenSaid(courseAt(stage), proposal(2), CAST.gate));
    const vote = afterStage('awaiting')[0]!;
    expect(when(state, vote.event, vote.by)).toMatchObject({ code: 'revision_stale' });
    const approval = afterStage('voted')[0]!;
    expect(when(state, approval.event, approval.by)).toMatchObject({ code: 'revision_stale' });
    const [request, judgement] = askedAnew();
    const asked = replay(state, [request!]);
    expect(when(asked, judgement!.event, judgement!.by)).toMatchObject({ code: 'revision_stale' });
  });
});

/** Everything said behind a stage, up to the grant. */
function afterStage(stage: Stage) {
  return eventsUpTo('granted').slice(eventsUpTo(stage).length);
}

describe('a plan', () => {
  it('comes after a proposal', () => {
    const opened = openedMission(openedProject(courseRoster()));
    expect(when(opened, planned(), CAST.gate)).toMatchObject({ code: 'nothing_proposed' });
  });

  it.each([
    ['another revision', { revision: 2 }, 'revision_stale'],
    ['another proposal', { proposal: `sha256:${'0b'.repeat(32)}` }, 'revision_stale'],
    ['another roster', { roster_n: 1 }, 'plan_stale'],
  ])('of %s is refused', (_, plan, code) => {
    expect(when(courseAt('created'), planned({ plan }), CAST.gate)).toMatchObject({ code });
  });

  it('is refused after the roster changed, until it is computed anew', () => {
    const next = nextRoster(courseRoster());
    const adopted = fact('roster.adopted', rosterAdoption(next), CAST.gate);
    const state = missionAfter(when(courseAt('created'), adopted, CAST.gate));
    expect(when(state, planned(), CAST.gate)).toMatchObject({ code: 'plan_stale' });
    expect(when(state, planned({ plan: { roster_n: 1 } }), CAST.gate)).toMatchObject({ is: 'accepted' });
  });

  it('has the digest of its own terms', () => {
    const said = planned();
    const other = { ...said, payload: { ...said.payload, paths: ['**'] } };
    expect(when(courseAt('created'), other, CAST.gate)).toMatchObject({ code: 'plan_digest_mismatch' });
  });

  it('cannot be that of a sibling with the same content', () => {
    const said = planned();
    const plan_digest = planDigest(nodeCrypto, uuid('another mission'), terms());
    const other = { ...said, payload: { ...said.payload, plan_digest } };
    expect(when(courseAt('created'), other, CAST.gate)).toMatchObject({ code: 'plan_digest_mismatch' });
  });

  it.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 2],
  ] as const)('of tier %i needs a quorum of %i', (tier, least) => {
    const more = ['una', 'ulf'].map((name) => member(testKey(name), { roles: ['person'] }));
    const created = courseAt('created', { tier }, courseRoster(...more));
    const ask = (quorum: number) => when(created, planned({ tier, plan: { quorum } }), CAST.gate);
    expect(ask(least)).toMatchObject({ is: 'accepted' });
    expect(ask(least + 3)).toMatchObject({ is: 'accepted' });
    if (least > 0) expect(ask(least - 1)).toMatchObject({ code: 'quorum_too_small', facts: { tier, least } });
  });

  it('computed anew sends an authorized attempt back to policy and keeps the former plan', () => {
    const state = missionAfter(when(courseAt('granted'), planned({ plan: { steps: oneStep([]) } }), CAST.gate));
    const { attempt, grants, former_plan, approvals } = courseOf(state);
    expect(attempt?.status).toBe('awaiting_policy');
    expect(grants).toEqual({});
    expect(former_plan?.plan_digest).toBe(digestOf());
    expect(Object.values(approvals)).toMatchObject([{ granted: false }]);
  });
});

describe('the digest of a plan', () => {
  const changes: { readonly [Name in keyof PlanTerms]: PlanTerms[Name] } = {
    asks: [],
    backend: 'docker',
    base_commit: '0c'.repeat(20),
    budget_minutes: 61,
    checks: ['verify'],
    level: 3,
    plan: `sha256:${'0d'.repeat(32)}`,
    policy: { digest: `sha256:${'0e'.repeat(32)}`, revision: 1 },
    proposal: `sha256:${'0f'.repeat(32)}`,
    quorum: 2,
    revision: 2,
    roster_n: 1,
    steps: oneStep(['src/a.ts']),
    terms: '1a'.repeat(32),
    tier: 2,
    ttl_minutes: 241,
  };

  it.each(Object.keys(changes))('changes with %s', (name) => {
    const other = { ...terms(), [name]: changes[name as keyof PlanTerms] };
    expect(planDigest(nodeCrypto, MISSION, other)).not.toBe(digestOf());
  });

  it('does not depend on the order in which terms are written', () => {
    const turned = Object.fromEntries(Object.entries(terms()).toReversed()) as PlanTerms;
    expect(planDigest(nodeCrypto, MISSION, turned)).toBe(digestOf());
  });
});

describe('a plan has shrunk', () => {
  const before = { ...planned({ tier: 2, plan: { steps: oneStep(['src/**', 'docs/**']) } }).payload };

  it.each([
    ['is the same', {}],
    ['has fewer paths', { steps: oneStep(['docs/**']) }],
    ['asks for fewer effects', { asks: before.asks.slice(1) }],
    ['has less time', { ttl_minutes: 1, budget_minutes: 1 }],
    ['has a stronger cell', { level: 3 }],
    ['has a lower tier', { tier: 1, quorum: 1 }],
    ['reads otherwise, with the same terms', { plan: `sha256:${'0d'.repeat(32)}`, revision: 2 }],
  ])('when it %s', (_, changes) => {
    expect(isShrunk(before, { ...before, ...changes })).toBe(true);
  });

  it.each([
    ['another goal, agent or check', { terms: '1a'.repeat(32) }],
    ['another base', { base_commit: '0c'.repeat(20) }],
    ['another policy', { policy: { ...before.policy, digest: `sha256:${'0e'.repeat(32)}` } }],
    ['another roster', { roster_n: 1 }],
    ['another backend', { backend: 'remote' as const }],
    ['a weaker cell', { level: 1 }],
    ['a higher tier', { tier: 3 }],
    ['a larger quorum', { quorum: 3 }],
    ['more budget', { budget_minutes: 61 }],
    ['more time', { ttl_minutes: 241 }],
    ['a wider path', { steps: oneStep(['**']) }],
    ['another agent', { steps: [{ ...before.steps[0]!, agent: null }] }],
    ['another role', { steps: [{ ...before.steps[0]!, role: 'director' as const }] }],
    ['one more step', { steps: [...before.steps, { ...before.steps[0]!, depends_on: [0] }] }],
    ['another effect', { asks: [{ ...before.asks[0]!, ask: '2b'.repeat(32) }] }],
  ])('not with %s', (_, changes) => {
    expect(isShrunk(before, { ...before, ...changes })).toBe(false);
  });

  it('step by step as well as at once', () => {
    const some = fc.subarray([...before.asks]);
    const fewer = fc.record({
      asks: some,
      steps: fc.subarray([...before.steps[0]!.footprint]).map(oneStep),
      budget_minutes: fc.nat(60),
    });
    fc.assert(
      fc.property(fewer, fewer, (one, two) => {
        const first = { ...before, ...one };
        const second = { ...before, ...two };
        if (isShrunk(before, first) && isShrunk(first, second)) expect(isShrunk(before, second)).toBe(true);
      }),
    );
  });
});

describe('what is proposed by', () => {
  it('a forge account that no roster knows yet belongs to whoever the roster gives it to later', () => {
    // A stranger proposes, is put on the roster, and would now approve it.
    const proposers = [{ forge_user_id: 103, principal_id: null }];
    const roster = courseRoster();
    const unknown = {
      ...roster,
      members: roster.members.map((one) => (one.principal_id === 'vic' ? { ...one, forge_user_id: null } : one)),
    };
    const state = courseAt('proposed', {}, unknown);
    const again = missionAfter(whenSaid(state, proposal(2, [...PROPOSERS, ...proposers]), CAST.gate));
    const known = nextRoster(unknown, { members: roster.members });
    const adopted = fact('roster.adopted', rosterAdoption(known), CAST.gate);
    const later = missionAfter(when(again, adopted, CAST.gate));
    const plan = { revision: 2, roster_n: 1 };
    const created = eventsUpTo('created', { plan }).slice(eventsUpTo('planned').length);
    const waiting = replay(later, [
      { event: planned({ plan }), by: CAST.gate },
      ...created,
      ...eventsUpTo('awaiting', { plan }).slice(eventsUpTo('created').length),
    ]);
    const [vote] = eventsUpTo('voted', { voters: [VIC], plan }).slice(-1);
    expect(when(waiting, vote!.event, vote!.by)).toMatchObject({ code: 'self_approval', facts: { principal: 'vic' } });
  });
});
