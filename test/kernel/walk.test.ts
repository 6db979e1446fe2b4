// One mission walked through its decisions, each draft met by the rules: from a proposal to a receipt, and the ways it stops.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { completeAll } from '../../src/app/draft.ts';
import { askedOf } from '../../src/kernel/approval/asked.ts';
import type { Drafts, Names } from '../../src/kernel/decide/about.ts';
import { decideEffects, type Delivery } from '../../src/kernel/decide/effects.ts';
import { decideEnd } from '../../src/kernel/decide/end.ts';
import { whatIsDue } from '../../src/kernel/decide/due.ts';
import { decideOutcomes, decideRefusedWork } from '../../src/kernel/decide/outcomes.ts';
import { decideRecovery } from '../../src/kernel/decide/recover.ts';
import { decideUnbegun } from '../../src/kernel/decide/unbegun.ts';
import { decidePlan, RUN, type Planning } from '../../src/kernel/decide/plan.ts';
import { decideProposal } from '../../src/kernel/decide/propose.ts';
import { decideDenial, decideVote, decideWithdrawal } from '../../src/kernel/decide/vote.ts';
import {
  decideHandOver,
  decideResults,
  decideSpawn,
  type HandOver,
  type Results,
} from '../../src/kernel/decide/work.ts';
import { writeEvent } from '../../src/kernel/codec.ts';
import { missionStatus } from '../../src/kernel/mission/status.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { HARD } from '../support/course/worked.ts';
import { oneStep } from '../support/course/asked.ts';
import { courseOf } from '../support/course.ts';
import { uuid } from '../support/events.ts';
import {
  after,
  bytesOf,
  castRoster,
  DIGEST,
  HEAD,
  MISSION,
  missionAfter,
  openedProject,
  PROJECT,
  when,
} from '../support/given.ts';
import { member, testKey, type TestKey } from '../support/people.ts';

const MACHINE = testKey('laptop');
const ANA = testKey('ana');
const BO = testKey('bo');
const ROSTER = castRoster();
const PEOPLE = {
  ...ROSTER,
  members: [
    ...ROSTER.members,
    member(ANA, { roles: ['person'] }),
    member(BO, { roles: ['person'] }),
    member(MACHINE, { roles: ['gate', 'runner', 'writer'], principal_type: 'runner' }),
  ].toSorted((a, b) => (a.principal_id < b.principal_id ? -1 : 1)),
};

const BASE = 'ba'.repeat(20);
const WORK = { commit: 'c0'.repeat(20), tree: 'ee'.repeat(20) };
const LATER = '2026-11-19T10:00:00.000Z';
const SOON = '2026-11-18T11:00:00.000Z';

class Walk {
  state: MissionState | undefined;
  readonly #now = '2026-11-18T10:00:00.000Z';
  #round = 0;

  names(): Names {
    const round = (this.#round += 1);
    return (what) => uuid(`${round} ${what}`);
  }

  /** Signs what was decided; every draft must be one that readers accept. */
  take(by: TestKey, decided: Verdict<Drafts>, actor = by): this {
    if (decided.is === 'refused') throw new Error(`${decided.code} ${JSON.stringify(decided.facts)}`);
    this.apply(by, decided.value, actor);
    return this;
  }

  apply(by: TestKey, drafts: Drafts, actor = by): void {
    const speaker = PEOPLE.members.find(({ principal_id }) => principal_id === actor.principalId)!;
    const names = this.names();
    const drawn = { id: (n: number) => names(`event ${n}`), correlation: names('correlation'), occurredAt: this.#now };
    const nameable = new Set(Object.values(this.state?.causes.moved ?? {}));
    completeAll(drafts, speaker, drawn, this.state).forEach((event) => {
      after(writeEvent(event) as never);
      const parent = { head: HEAD, state: openedProject(PEOPLE) };
      const opening = this.state === undefined ? { parent } : {};
      const verdict = when(this.state, event, by, { nameable: new Set(nameable), ...opening });
      nameable.add(event.event_id);
      if (verdict.is === 'refused')
        throw new Error(`${event.event_type}: ${verdict.code} ${JSON.stringify(verdict.facts)}`);
      bytesOf(event);
      this.state = missionAfter(verdict);
    });
  }

  get status(): string {
    return missionStatus(this.state!);
  }
}

const PLANNING: Planning = {
  terms: {
    asks: [{ action_class: 'vcs_mutation', ask: 'a5'.repeat(32), kind: 'write_local_branch' }],
    backend: 'process',
    base_commit: BASE,
    budget_minutes: 30,
    checks: ['verify'],
    level: 2,
    plan: DIGEST,
    policy: { digest: DIGEST, revision: 1 },
    quorum: 1,
    steps: oneStep(['src/**']),
    terms: 'ab'.repeat(32),
    tier: 1,
    ttl_minutes: 60,
  },
  actions: [
    {
      name: RUN,
      action_class: 'execute_command',
      kind: null,
      targets: ['cells/process'],
      reversibility: 'reversible',
      policy: { reasons: ['agents_known'], result: 'require_approval', risk: 'moderate', witness_required: true },
    },
    {
      name: 'branch',
      action_class: 'vcs_mutation',
      kind: 'write_local_branch',
      targets: ['lazarus-work/m/1'],
      reversibility: 'reversible',
      policy: { reasons: ['branches_gated'], result: 'require_approval', risk: 'moderate', witness_required: true },
    },
  ],
  packet: DIGEST,
  now: '2026-11-18T10:00:00.000Z',
  votesExpireAt: LATER,
  maxAttempts: 3,
  mayGrant: true,
};

const DELIVERY: Delivery = {
  effects: [{ kind: 'write_local_branch', target: 'lazarus-work/m/1', effect: 'fe'.repeat(32) }],
  params: DIGEST,
  writer: 'laptop',
  leaseUntil: SOON,
  grantsExpireAt: LATER,
  workspace: uuid('workspace'),
  base_commit: BASE,
  packet: DIGEST,
  now: '2026-11-18T10:00:00.000Z',
  votesExpireAt: LATER,
};

const PROBED = { backend: 'process', level: 2, limits: HARD, uid: 60_706 } as const;
const CHECK = { cell: uuid('check'), environment: [], ...PROBED };
const OUT: HandOver = {
  prepared: [],
  claim: { claim: DIGEST, status: 'done_clean' },
  blocked: [],
  closed: { because: 'exited', exit_code: 0, facts: DIGEST, output: DIGEST, outcome: 'completed', spent: [] },
  work: { base_commit: BASE, changed_paths: 1, scope_audit: DIGEST, ...WORK },
  checks: [CHECK],
  prepares: [],
  failure: undefined,
};

function results(exit_code: number): Results {
  const outcome = exit_code === 0 ? 'completed' : 'failed';
  const closed: Results['ended'][number]['closed'] = {
    because: 'exited',
    exit_code,
    facts: null,
    output: DIGEST,
    outcome,
    spent: [],
  };
  const check = { cell: CHECK.cell, check: 'verify', exit_code, level: 2, n: 0, output: DIGEST } as const;
  const verdict = exit_code === 0 ? 'satisfied' : 'unsatisfied';
  return {
    ended: [{ cell: CHECK.cell, closed }],
    verification: { checks: [check], revision: WORK.commit, verdict },
    failure: exit_code === 0 ? undefined : { because: 'verify_failed', audit: null, isOfRunner: false },
  };
}

const PROPOSING = {
  mission: MISSION,
  project: PROJECT,
  grewFrom: HEAD,
  raw: DIGEST,
  proposal: DIGEST,
  proposers: [{ forge_user_id: null, principal_id: 'ana' }],
  forge: null,
  channel: 'cli',
} as const;

function proposed(): Walk {
  const walk = new Walk();
  return walk.take(ANA, decideProposal(walk.state, PROPOSING, walk.names()));
}

function planned(terms: Partial<Planning['terms']> = {}): Walk {
  const walk = proposed();
  const { ledger_id: mission, roster, course } = walk.state!;
  const planning = { ...PLANNING, terms: { ...PLANNING.terms, ...terms } };
  const drafts = decidePlan(nodeCrypto, { mission, roster, course: course! }, planning, walk.names());
  return walk.take(MACHINE, { is: 'accepted', value: drafts });
}

function vote(walk: Walk, by: TestKey, digest: string, choice: 'approve' | 'reject' = 'approve'): Walk {
  const voting = { choice, digest, voter: by.principalId, forge: null, reason: null };
  return walk.take(by, decideVote(walk.state, voting, { names: walk.names(), mayGrant: true }));
}

function takeBack(walk: Walk): void {
  const settling = { names: walk.names(), mayGrant: true };
  walk.take(BO, decideWithdrawal(walk.state, { voter: 'bo', forge: null }, settling));
}

function ran(walk: Walk, exitCode = 0): Walk {
  walk.take(
    MACHINE,
    decideSpawn(
      walk.state,
      {
        cell: uuid('cell'),
        holder: 'laptop',
        leaseUntil: SOON,
        workspace: uuid('workspace'),
        context: DIGEST,
        ...PROBED,
        environment: [],
        epoch: 1,
        manifest: DIGEST,
        manifest_hash: DIGEST,
        prepares: [],
        reach: [],
        role: 'executor',
        seed_id: uuid('seed'),
      },
      walk.names(),
    ),
  );
  expect(walk.status).toBe('running');
  const { fence } = walk.state!.course!;
  const born = { cell: uuid('cell'), fence };
  walk.take(MACHINE, decideHandOver(walk.state, born, OUT, walk.names()));
  expect(Object.keys(courseOf(walk.state!).cells)).toEqual([CHECK.cell]);
  return walk.take(MACHINE, decideResults(walk.state, born, results(exitCode), walk.names()));
}

function planDigestOf(walk: Walk): string {
  return walk.state!.course!.plan!.plan_digest;
}

function delivered(walk: Walk): Walk {
  walk.take(MACHINE, decideEffects(nodeCrypto, walk.state, DELIVERY, walk.names()));
  const [effect] = Object.keys(courseOf(walk.state!).effects);
  const seen = { effect: effect!, number: null, oid: WORK.commit, outcome: 'applied', reason: 'applied' } as const;
  return walk.take(
    MACHINE,
    decideOutcomes(walk.state, { seen: [seen], environment: DIGEST, outputs: [DIGEST] }, walk.names()),
  );
}

describe('a mission of tier 1', () => {
  it('goes from a proposal to a receipt', () => {
    const walk = planned();
    expect(walk.status).toBe('awaiting');
    expect(askedOf(walk.state!)).toMatchObject({ missing: 1, from: ['bo', 'person'] });
    vote(walk, BO, planDigestOf(walk).slice(0, 12));
    expect(walk.status).toBe('queued');
    ran(walk);
    expect(walk.status).toBe('verifying');
    delivered(walk);
    expect(walk.status).toBe('done');
    expect(courseOf(walk.state!)).toMatchObject({ effects: {}, grants: {}, requests: {}, lease: null, cells: {} });
  });

  it('cannot be approved by whoever proposed it', () => {
    const walk = planned();
    expect(() => vote(walk, ANA, planDigestOf(walk))).toThrow('self_approval');
  });

  it('waits while somebody rejects it, and goes on when that is taken back', () => {
    const walk = planned();
    vote(walk, BO, planDigestOf(walk), 'reject');
    expect(walk.status).toBe('rejected');
    takeBack(walk);
    expect(walk.status).toBe('awaiting');
  });

  it('loses its approval when the vote is withdrawn before the start', () => {
    const walk = planned();
    vote(walk, BO, planDigestOf(walk));
    takeBack(walk);
    expect(walk.status).toBe('awaiting');
    expect(courseOf(walk.state!).grants).toEqual({});
  });

  it('ends failed when the independent run is not satisfied', () => {
    const walk = planned();
    vote(walk, BO, planDigestOf(walk));
    ran(walk, 1);
    // The runner has no more to say than that; whose it is to end the mission is told to.
    expect(walk.status).toBe('failed');
    expect(walk.state!.course!.end).toBeNull();
    expect(whatIsDue(walk.state!, { now: SOON })).toEqual({ is: 'end' });
    walk.take(MACHINE, decideEnd(walk.state));
    expect(walk.state!.course!.end).toEqual({ outcome: 'failed', because: 'verify_failed' });
  });
});

describe('work that a writer finds wanting', () => {
  it('ends the mission with a receipt, and nothing is owed', () => {
    const walk = ran(vote(planned(), BO, planDigestOf(planned())));
    const receipts = walk.state!.course!.receipts;
    walk.take(MACHINE, decideRefusedWork(walk.state, 'scope_violated', walk.names()));
    expect(walk.status).toBe('failed');
    // The run, and the branch that comes to nothing.
    expect(courseOf(walk.state!)).toMatchObject({ receipts: receipts + 2, effects: {}, lease: null });
  });
});

describe('an attempt that comes to nothing before it began', () => {
  const queued = (): Walk => vote(planned(), BO, planDigestOf(planned()));
  const RUNNER = { holder: 'laptop', leaseUntil: SOON, workspace: uuid('workspace') };
  const unbegun = (walk: Walk, because: string, isByRunner = true): Walk => {
    const runner = isByRunner ? RUNNER : undefined;
    const attempt = courseOf(walk.state!).attempt!.id;
    return walk.take(MACHINE, decideUnbegun(walk.state, { because, attempt, runner }, walk.names()));
  };
  const RECOVERY = { actions: PLANNING.actions, terms: PLANNING.terms, votesExpireAt: LATER };
  const again = (walk: Walk): Walk =>
    walk.take(MACHINE, decideRecovery(walk.state, { recovery: RECOVERY, by: 'laptop' }, walk.names()));

  it('is counted and receipted, and the next one runs under the same approval', () => {
    const walk = unbegun(queued(), 'sandbox_missing');
    expect(courseOf(walk.state!)).toMatchObject({ receipts: 2, attempt: { no: 1, status: 'failed' }, end: null });
    expect(walk.status).toBe('queued');
    expect(courseOf(again(walk).state!).attempt).toMatchObject({ no: 2, status: 'authorized' });
    expect(ran(walk).status).toBe('verifying');
  });

  it('ends the mission when there may be no more: failed where a runner took it up, cancelled where none did', () => {
    for (const [isByRunner, outcome] of [
      [true, 'failed'],
      [false, 'cancelled'],
    ] as const) {
      const walk = queued();
      for (let no = 1; no <= 3; no++) again(unbegun(walk, 'runner_silent', isByRunner));
      expect(walk.state!.course!.end).toEqual({ outcome, because: 'attempts_exhausted' });
      expect(Object.values(walk.state!.tasks)).toEqual([outcome]);
    }
  });

  it('asks people anew when it is planned anew, and their earlier votes count only for the same plan', () => {
    for (const [base_commit, votes] of [
      [BASE, 1],
      ['bb'.repeat(20), 0],
    ] as const) {
      const walk = unbegun(queued(), 'ref_moved');
      const { ledger_id: mission, roster, course } = walk.state!;
      const planning = { ...PLANNING, terms: { ...PLANNING.terms, base_commit } };
      const drafts = decidePlan(nodeCrypto, { mission, roster, course: course! }, planning, walk.names());
      walk.take(MACHINE, { is: 'accepted', value: drafts });
      expect(courseOf(walk.state!).attempt).toMatchObject({
        no: 2,
        status: votes === 1 ? 'authorized' : 'awaiting_approval',
      });
    }
  });

  it('is not said of an attempt that runs, nor of another one', () => {
    const walk = queued();
    const attempt = courseOf(walk.state!).attempt!.id;
    const said = { because: 'runner_silent', runner: undefined } as const;
    expect(decideUnbegun(walk.state, { ...said, attempt: uuid('another') }, walk.names())).toMatchObject({
      code: 'attempt_stale',
    });
    ran(walk);
    expect(decideUnbegun(walk.state, { ...said, attempt }, walk.names())).toMatchObject({ code: 'work_exists' });
  });
});

describe('a denial', () => {
  it('ends the attempt with its receipt at once, and the mission as soon as a gate or a writer comes by', () => {
    const walk = planned();
    const said = { digest: planDigestOf(walk), voter: 'bo', forge: null };
    walk.take(BO, decideDenial(walk.state, said, walk.names()));
    expect(courseOf(walk.state!)).toMatchObject({ receipts: 1, approvals: {}, attempt: { status: 'cancelled' } });
    expect(
      decideVote(walk.state, { ...said, choice: 'approve', reason: null }, { names: walk.names(), mayGrant: true }),
    ).toMatchObject({ is: 'refused' });
    walk.take(MACHINE, decideEnd(walk.state));
    expect(walk.state!.course!.end).toEqual({ outcome: 'cancelled', because: 'approval_denied' });
  });
});

describe('votes that are too old', () => {
  it('are not carried over to a plan that is made after their time', () => {
    const walk = vote(planned(), BO, planDigestOf(planned()), 'reject');
    const { ledger_id: mission, roster, course } = walk.state!;
    const plannedAt = (now: string) => {
      const planning = { ...PLANNING, now, votesExpireAt: '2026-12-24T10:00:00.000Z' };
      const drafts = decidePlan(nodeCrypto, { mission, roster, course: course! }, planning, walk.names());
      const asked = drafts.find(({ event_type }) => event_type === 'approval.requested');
      return asked?.event_type === 'approval.requested' ? asked.payload : undefined;
    };
    expect(plannedAt('2026-11-18T11:00:00.000Z')).toMatchObject({ carries: expect.any(String), expires_at: LATER });
    expect(plannedAt(LATER)).toMatchObject({ carries: null, expires_at: '2026-12-24T10:00:00.000Z' });
  });
});

describe('a mission of tier 2', () => {
  it('asks people a second time, for the exact effects', () => {
    const walk = planned({ tier: 2, quorum: 2 });
    vote(walk, BO, planDigestOf(walk));
    expect(walk.status).toBe('awaiting');
    vote(walk, testKey('person'), planDigestOf(walk));
    expect(walk.status).toBe('queued');
    ran(walk);
    walk.take(MACHINE, decideEffects(nodeCrypto, walk.state, DELIVERY, walk.names()));
    expect(walk.status).toBe('awaiting');
    expect(courseOf(walk.state!).effects).toEqual({});
    const digest = courseOf(walk.state!).attempt!.planned!.digest;
    vote(walk, BO, digest);
    vote(walk, testKey('person'), digest);
    delivered(walk);
    expect(walk.status).toBe('done');
  });

  it('takes back what somebody said to the effects, whatever they had said to the plan', () => {
    const walk = effectsAsked();
    vote(walk, BO, courseOf(walk.state!).attempt!.planned!.digest, 'reject');
    expect(walk.status).toBe('rejected');
    takeBack(walk);
    expect(walk.status).toBe('awaiting');
  });

  it('asks about the new plan where the work of the former one may not leave any more', () => {
    const walk = effectsAsked();
    const digest = courseOf(walk.state!).attempt!.planned!.digest;
    vote(walk, BO, digest);
    vote(walk, testKey('person'), digest);
    walk.take(MACHINE, decideRefusedWork(walk.state, 'ref_moved', walk.names()));
    const { ledger_id: mission, roster, course } = walk.state!;
    const base_commit = 'bb'.repeat(20);
    const planning = { ...PLANNING, terms: { ...PLANNING.terms, tier: 2 as const, quorum: 2, base_commit } };
    const drafts = decidePlan(nodeCrypto, { mission, roster, course: course! }, planning, walk.names());
    walk.take(MACHINE, { is: 'accepted', value: drafts });
    // The approval of the former effects is still in the ledger, and nobody is asked about those.
    expect(askedOf(walk.state!)).toMatchObject({ approval: { type: 'plan', digest: planDigestOf(walk) }, missing: 2 });
    expect(
      decideVote(
        walk.state,
        { choice: 'approve', digest, voter: 'bo', forge: null, reason: null },
        { names: walk.names(), mayGrant: true },
      ),
    ).toMatchObject({ code: 'approval_stale', facts: { current: [planDigestOf(walk)] } });
  });

  it('is not proposed anew while people look at what came of it', () => {
    const walk = effectsAsked();
    expect(decideProposal(walk.state, PROPOSING, walk.names())).toMatchObject({ code: 'mission_under_way' });
  });
});

function effectsAsked(): Walk {
  const walk = planned({ tier: 2, quorum: 2 });
  vote(walk, BO, planDigestOf(walk));
  vote(walk, testKey('person'), planDigestOf(walk));
  ran(walk);
  return walk.take(MACHINE, decideEffects(nodeCrypto, walk.state, DELIVERY, walk.names()));
}

describe('a delivery of nothing', () => {
  it.each([1, 2, 3] as const)('is refused under tier %i: whoever leaves everything out has not done it', (tier) => {
    const walk = planned({ tier, quorum: 2 });
    vote(walk, BO, planDigestOf(walk));
    vote(walk, testKey('person'), planDigestOf(walk));
    ran(walk);
    const decided = decideEffects(nodeCrypto, walk.state, { ...DELIVERY, effects: [] }, walk.names());
    expect(decided).toMatchObject({ code: 'effect_missing', facts: { kinds: ['write_local_branch'] } });
    // Nothing was lost by it.
    walk.take(MACHINE, decideEffects(nodeCrypto, walk.state, DELIVERY, walk.names()));
    expect(walk.status).toBe(tier === 1 ? 'verifying' : 'awaiting');
  });
});

describe('a mission of tier 0 that nobody has to approve', () => {
  it('is queued as soon as it is planned', () => {
    expect(planned({ tier: 0, quorum: 0, asks: [] }).status).toBe('queued');
  });
});
