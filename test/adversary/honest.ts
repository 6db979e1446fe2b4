// What honest people and machines do next, as the product decides it: a step per role that has one. The walks mix these
// with lies; without any lie a mission comes to its end.
import { courseOf } from '../../src/kernel/course/steps.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { inAttempt, underWay, type Drafts } from '../../src/kernel/decide/about.ts';
import { decideCalledOff } from '../../src/kernel/decide/cancel.ts';
import { decideEffects } from '../../src/kernel/decide/effects.ts';
import { decideEnd, decideExpiry } from '../../src/kernel/decide/end.ts';
import { decideGrant } from '../../src/kernel/decide/grant.ts';
import { nextStep } from '../../src/kernel/decide/next.ts';
import { decideOutcomes } from '../../src/kernel/decide/outcomes.ts';
import { decidePlan, RUN, type Planning } from '../../src/kernel/decide/plan.ts';
import { decideProposal } from '../../src/kernel/decide/propose.ts';
import { decideRecovery, endLease } from '../../src/kernel/decide/recover.ts';
import { decideVote } from '../../src/kernel/decide/vote.ts';
import { decideHandOver, decideResults, decideSpawn, type Results } from '../../src/kernel/decide/work.ts';
import { agentCellOf, type Course, type MissionCourse } from '../../src/kernel/course/course.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { uuid } from '../support/events.ts';
import { MISSION, PROJECT, type Name } from './cast.ts';
import type { Draw } from './draw.ts';
import type { World } from './world.ts';

/** What the mission of a walk is about. */
export type Wish = { readonly tier: 0 | 1 | 2 | 3; readonly isFromForge: boolean; readonly kinds: readonly Kind[] };
type Kind = 'push_branch' | 'open_pull_request';

export type Step = { readonly by: Name; readonly drafts: Drafts };

const DIGEST = `sha256:${'5a'.repeat(32)}`;
const BASE = 'ba'.repeat(20);
const WORK = { commit: 'c0'.repeat(20), tree: 'ee'.repeat(20) };
const HOUR = 3600;

export function honestStep(world: World, wish: Wish, draw: Draw): Step | undefined {
  const { state } = world;
  const course = state && courseOf(state);
  if (state === undefined || course === undefined) return proposing(world, wish);
  const step = nextStep(state, { now: world.now }).is;
  if (course.cancelled !== null && (step === 'recover' || step === 'end'))
    return by('gil', decideCalledOff(state, 'gil', world.names()));
  switch (step) {
    case 'plan':
      return by('gil', { is: 'accepted', value: planned(world, wish, state.course!) });
    case 'people':
      return voting(world, course, draw);
    case 'grant':
      return by('gil', decideGrant(state, world.names()));
    case 'cell':
      return by('ron', decideSpawn(state, birth(world), world.names()));
    case 'busy':
      return course.lease?.mode === 'isolated' ? handOver(world, course, draw) : busyWriter(world, course, draw);
    case 'recover':
      return by('gil', decideRecovery(state, { recovery: recovery(world, wish), by: 'gil' }, world.names()));
    case 'end':
      return by('gil', decideEnd(state));
    case 'expire':
      return by('gil', decideExpiry(state, world.now, world.names()));
    case 'deliver':
      if (course.attempt!.status === 'succeeded') return by('wim', decideEnd(state));
      return by('wim', decideEffects(nodeCrypto, state, delivery(world, wish), world.names()));
    case 'observe':
      return course.lease?.holder === 'wim' ? outcomes(world, course, draw) : lookAgain(world);
    case 'over':
      return undefined;
  }
}

function by(name: Name, decided: Verdict<Drafts>): Step | undefined {
  return decided.is === 'refused' ? undefined : { by: name, drafts: decided.value };
}

function proposing(world: World, { isFromForge }: Wish): Step | undefined {
  const forge = isFromForge
    ? { body_sha256: DIGEST, comment_id: null, issue: 7, repository: 1, updated_at: world.now, user_id: 11 }
    : null;
  const decided = decideProposal(
    world.state,
    {
      mission: MISSION,
      project: PROJECT,
      grewFrom: world.head,
      raw: DIGEST,
      proposal: DIGEST,
      proposers: [{ forge_user_id: isFromForge ? 11 : null, principal_id: 'ana' }],
      forge,
      channel: isFromForge ? 'issue_form' : 'cli',
    },
    world.names(),
  );
  return by(isFromForge ? 'gil' : 'ana', decided);
}

function planned(world: World, wish: Wish, course: MissionCourse): Drafts {
  const { ledger_id: mission, roster } = world.state!;
  return decidePlan(nodeCrypto, { mission, roster, course }, planning(world, wish), world.names());
}

function planning(world: World, { tier, kinds }: Wish): Planning {
  return {
    terms: {
      asks: kinds.map((kind, n) => ({ action_class: CLASS[kind], ask: `a${n}`.repeat(32), kind })),
      backend: 'process',
      base_commit: BASE,
      budget_minutes: 30,
      checks: ['verify', 'acceptance'],
      level: 2,
      plan: DIGEST,
      policy: { digest: DIGEST, revision: 1 },
      quorum: [0, 1, 2, 2][tier]!,
      steps: [{ agent: 'example', depends_on: [], footprint: ['src/**'], role: 'executor' }],
      terms: 'ab'.repeat(32),
      tier,
      ttl_minutes: 60,
    },
    actions: [
      { ...action(RUN, tier === 0), action_class: 'execute_command', kind: null, targets: ['cells/process'] },
      ...kinds.map((kind) => ({
        ...action(kind, tier === 0),
        action_class: CLASS[kind],
        kind,
        targets: [TARGET[kind]],
      })),
    ],
    packet: DIGEST,
    now: world.now,
    votesExpireAt: world.in(72 * HOUR),
    maxAttempts: 3,
    mayGrant: true,
  };
}

const CLASS = { push_branch: 'vcs_mutation', open_pull_request: 'publication' } as const;
const TARGET = { push_branch: 'lazarus-work/m/1', open_pull_request: 'pulls/main' } as const;

function action(name: string, isFree: boolean) {
  const result = isFree ? ('allow' as const) : ('require_approval' as const);
  return {
    name,
    reversibility: 'reversible' as const,
    policy: { reasons: ['rule'], result, risk: 'moderate' as const, witness_required: true },
  };
}

/** Bo and Cy agree, mostly; now and then one of them rejects or thinks again. */
function voting(world: World, course: Course, draw: Draw): Step | undefined {
  const open = Object.values(course.approvals).find(({ granted }) => !granted);
  if (open === undefined) return undefined;
  const voter = draw.of(['bo', 'cy'] as const);
  const choice = draw.percent(90) ? 'approve' : 'reject';
  const voting = { choice, digest: open.digest, voter, forge: null, reason: null } as const;
  return by(voter, decideVote(world.state, voting, { names: world.names(), mayGrant: true }));
}

function birth(world: World): Parameters<typeof decideSpawn>[1] {
  const names = world.names();
  return {
    cell: names('cell'),
    holder: 'ron',
    leaseUntil: world.in(HOUR),
    workspace: names('workspace'),
    context: DIGEST,
    ...PROBED,
    epoch: 1,
    manifest: DIGEST,
    manifest_hash: DIGEST,
    role: 'executor',
    seed_id: names('seed'),
  };
}

const PROBED = {
  backend: 'process',
  level: 2,
  limits: { cpu: 'hard', memory: 'hard', processes: 'hard' },
  uid: 60_706,
} as const;

/** The agent's cell while it is open, then those of the checks. */
function handOver(world: World, course: Course, draw: Draw): Step | undefined {
  const cell = agentCellOf(course);
  return cell === undefined ? results(world, course, draw) : handOverWork(world, cell, course.fence);
}

function handOverWork(world: World, cell: string, fence: number): Step | undefined {
  const names = world.names();
  const out = {
    claim: { claim: DIGEST, status: 'done_clean' },
    blocked: [],
    closed: { because: 'exited', exit_code: 0, facts: DIGEST, output: DIGEST, outcome: 'completed' },
    work: { base_commit: BASE, changed_paths: 1, scope_audit: DIGEST, ...WORK },
    checks: ['verify', 'acceptance'].map((check) => ({ cell: names(check), ...PROBED })),
    failure: undefined,
  } as const;
  return by('ron', decideHandOver(world.state, { cell, fence }, out, names));
}

function results(world: World, { attempt, fence }: Course, draw: Draw): Step | undefined {
  const exit_code = draw.percent(85) ? 0 : 1;
  const outcome = exit_code === 0 ? 'completed' : 'failed';
  const cells = attempt?.checks.map(({ cell }) => cell) ?? [];
  const said: Results = {
    ended: cells.map((cell) => ({
      cell,
      closed: { because: 'exited', exit_code, facts: null, output: DIGEST, outcome },
    })),
    verification: {
      checks: cells.map((cell, n) => ({
        cell,
        check: n === 0 ? 'verify' : 'acceptance',
        exit_code,
        level: 2,
        n,
        output: DIGEST,
      })),
      revision: WORK.commit,
      verdict: exit_code === 0 ? 'satisfied' : 'unsatisfied',
    },
    failure: exit_code === 0 ? undefined : { because: 'verify_failed', audit: null, isOfRunner: false },
  };
  return by('ron', decideResults(world.state, { cell: cells[0] ?? uuid('none'), fence }, said, world.names()));
}

function busyWriter(world: World, course: Course, draw: Draw): Step | undefined {
  return course.lease?.holder === 'wim' ? outcomes(world, course, draw) : undefined;
}

/** A writer that finds intents whose outcome nobody wrote down takes the lease before it looks. */
function lookAgain(world: World): Step | undefined {
  const at = underWay(world.state);
  if (at.is === 'refused') return undefined;
  const drafts = [
    ...endLease(at.value, 'wim'),
    inAttempt('lease.acquired', world.names()('lease'), at.value, {
      expires_at: world.in(HOUR),
      fence: at.value.course.fence + 1,
      holder_principal_id: 'wim',
      mode: 'mutable',
      workspace_id: world.names()('workspace'),
    }),
  ];
  return { by: 'wim', drafts };
}

function recovery(world: World, wish: Wish) {
  const { actions, terms, votesExpireAt } = planning(world, wish);
  return { actions, terms, votesExpireAt };
}

function delivery(world: World, { kinds }: Wish): Parameters<typeof decideEffects>[2] {
  return {
    effects: kinds.map((kind, n) => ({ kind, target: TARGET[kind], effect: `f${n}`.repeat(32) })),
    params: DIGEST,
    writer: 'wim',
    leaseUntil: world.in(HOUR),
    grantsExpireAt: world.in(HOUR),
    workspace: world.names()('workspace'),
    base_commit: BASE,
    packet: DIGEST,
    votesExpireAt: world.in(72 * HOUR),
  };
}

function outcomes(world: World, course: Course, draw: Draw): Step | undefined {
  const seen = Object.keys(course.effects).map((effect) => {
    const outcome = draw.of(['applied', 'applied', 'applied', 'applied', 'unknown_outcome', 'refused'] as const);
    return { effect, number: null, oid: outcome === 'applied' ? WORK.commit : null, outcome, reason: outcome };
  });
  return by('wim', decideOutcomes(world.state, { seen, environment: DIGEST, outputs: [DIGEST] }, world.names()));
}
