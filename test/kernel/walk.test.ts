// One mission walked through its decisions, each draft met by the rules: from a proposal to a receipt, and the ways it stops.
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { complete } from '../../src/app/draft.ts';
import type { Drafts, Names } from '../../src/kernel/decide/about.ts';
import { decideEffects, type Delivery } from '../../src/kernel/decide/effects.ts';
import { decideOutcomes, decideRefusedWork } from '../../src/kernel/decide/outcomes.ts';
import { decidePlan, RUN, type Planning } from '../../src/kernel/decide/plan.ts';
import { decideProposal } from '../../src/kernel/decide/propose.ts';
import { decideVote, decideWithdrawal, stillNeeded } from '../../src/kernel/decide/vote.ts';
import { decideHandOver, decideSpawn, type HandOver } from '../../src/kernel/decide/work.ts';
import { writeEvent } from '../../src/kernel/codec.ts';
import { missionStatus } from '../../src/kernel/mission/status.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
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
    drafts.forEach((draft, n) => {
      const event = complete(draft, n, speaker, drawn);
      after(writeEvent(event) as never);
      const parent = { head: HEAD, state: openedProject(PEOPLE) };
      const verdict = when(this.state, event, by, this.state === undefined ? { parent } : {});
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
    level: 2,
    paths: ['src/**'],
    plan: DIGEST,
    policy: { digest: DIGEST, revision: 1 },
    quorum: 1,
    terms: 'ab'.repeat(32),
    tier: 1,
    ttl_minutes: 60,
  },
  actions: [
    {
      name: RUN,
      action_class: 'execute_command',
      kind: null,
      targets: ['cell'],
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
  votesExpireAt: LATER,
  maxAttempts: 3,
  mayGrant: true,
};

const DELIVERY: Delivery = {
  effects: [{ kind: 'write_local_branch', target: 'lazarus-work/m/1', effect: 'fe'.repeat(32) }],
  params: DIGEST,
  writer: 'laptop',
  leaseUntil: LATER,
  grantsExpireAt: LATER,
  workspace: uuid('workspace'),
  base_commit: BASE,
  packet: DIGEST,
  votesExpireAt: LATER,
};

const OUT: HandOver = {
  claim: { claim: DIGEST, status: 'done_clean' },
  blocked: [],
  closed: { because: 'exited', exit_code: 0, facts: DIGEST, output: DIGEST, outcome: 'completed' },
  work: { base_commit: BASE, changed_paths: 1, scope_audit: DIGEST, ...WORK },
  verification: {
    checks: [{ check: 'verify', exit_code: 0, level: 2, n: 0, output: DIGEST }],
    revision: WORK.commit,
    verdict: 'satisfied',
  },
  failure: undefined,
  environment: null,
};

function proposed(): Walk {
  const walk = new Walk();
  const wish = {
    mission: MISSION,
    project: PROJECT,
    grewFrom: HEAD,
    raw: DIGEST,
    proposal: DIGEST,
    proposers: [{ forge_user_id: null, principal_id: 'ana' }],
    forge: null,
    channel: 'cli',
  } as const;
  return walk.take(ANA, decideProposal(walk.state, wish, walk.names()));
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

function ran(walk: Walk, out: Partial<HandOver> = {}): Walk {
  walk.take(
    MACHINE,
    decideSpawn(
      walk.state,
      {
        cell: uuid('cell'),
        holder: 'laptop',
        leaseUntil: LATER,
        workspace: uuid('workspace'),
        context: DIGEST,
        backend: 'process',
        epoch: 1,
        level: 2,
        manifest: DIGEST,
        manifest_hash: DIGEST,
        role: 'executor',
        seed_id: uuid('seed'),
      },
      walk.names(),
    ),
  );
  expect(walk.status).toBe('running');
  const { cell, fence } = walk.state!.course!;
  const born = { cell: cell!.id, fence };
  return walk.take(MACHINE, decideHandOver(walk.state, born, { ...OUT, ...out }, walk.names()));
}

function planDigestOf(walk: Walk): string {
  return walk.state!.course!.plan!.plan_digest;
}

function delivered(walk: Walk): Walk {
  walk.take(MACHINE, decideEffects(nodeCrypto, walk.state, DELIVERY, walk.names()));
  const [effect] = Object.keys(walk.state!.course!.effects);
  const seen = { effect: effect!, number: null, oid: WORK.commit, outcome: 'applied', reason: 'applied' } as const;
  const evidence = { cell: uuid('cell'), runGrant: undefined, grants: {}, environment: null, outputs: [DIGEST] };
  return walk.take(MACHINE, decideOutcomes(walk.state, { seen: [seen], evidence, inputs: [DIGEST] }, walk.names()));
}

describe('a mission of tier 1', () => {
  it('goes from a proposal to a receipt', () => {
    const walk = planned();
    expect(walk.status).toBe('awaiting');
    expect(stillNeeded(walk.state!)).toEqual({ missing: 1, from: ['bo', 'person'] });
    vote(walk, BO, planDigestOf(walk).slice(0, 12));
    expect(walk.status).toBe('queued');
    ran(walk);
    expect(walk.status).toBe('verifying');
    delivered(walk);
    expect(walk.status).toBe('done');
    expect(walk.state!.course).toMatchObject({ effects: {}, grants: {}, requests: {}, lease: null, cell: null });
  });

  it('cannot be approved by whoever proposed it', () => {
    const walk = planned();
    expect(() => vote(walk, ANA, planDigestOf(walk))).toThrow('self_approval');
  });

  it('waits while somebody rejects it, and goes on when that is taken back', () => {
    const walk = planned();
    vote(walk, BO, planDigestOf(walk), 'reject');
    expect(walk.status).toBe('rejected');
    walk.take(BO, decideWithdrawal(walk.state, { voter: 'bo', forge: null }, walk.names()));
    expect(walk.status).toBe('awaiting');
  });

  it('loses its approval when the vote is withdrawn before the start', () => {
    const walk = planned();
    vote(walk, BO, planDigestOf(walk));
    walk.take(BO, decideWithdrawal(walk.state, { voter: 'bo', forge: null }, walk.names()));
    expect(walk.status).toBe('awaiting');
    expect(walk.state!.course!.grants).toEqual({});
  });

  it('ends failed when the independent run is not satisfied', () => {
    const walk = planned();
    vote(walk, BO, planDigestOf(walk));
    ran(walk, {
      verification: {
        checks: [{ check: 'verify', exit_code: 1, level: 2, n: 0, output: DIGEST }],
        revision: WORK.commit,
        verdict: 'unsatisfied',
      },
      failure: { because: 'verify_failed', audit: null },
    });
    expect(walk.status).toBe('failed');
  });
});

describe('work that a writer finds wanting', () => {
  it('ends the mission with a receipt, and nothing is owed', () => {
    const walk = ran(vote(planned(), BO, planDigestOf(planned())));
    const receipts = walk.state!.course!.receipts;
    walk.take(MACHINE, decideRefusedWork(walk.state, 'scope_violated', walk.names()));
    expect(walk.status).toBe('failed');
    expect(walk.state!.course).toMatchObject({ receipts: receipts + 1, effects: {}, lease: null });
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
    expect(walk.state!.course!.effects).toEqual({});
    const digest = walk.state!.course!.attempt!.planned!.digest;
    vote(walk, BO, digest);
    vote(walk, testKey('person'), digest);
    delivered(walk);
    expect(walk.status).toBe('done');
  });
});

describe('a mission of tier 0 that nobody has to approve', () => {
  it('is queued as soon as it is planned', () => {
    expect(planned({ tier: 0, quorum: 0 }).status).toBe('queued');
  });
});
