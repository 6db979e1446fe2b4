// What the acts of honest people are given besides the state: proposals, plans, probes, work and results, made up as the
// world outside the ledger would bring them.
import type { HandOver, Results } from '../../src/kernel/decide/work.ts';
import type { decideEffects } from '../../src/kernel/decide/effects.ts';
import type { decideProposal } from '../../src/kernel/decide/propose.ts';
import type { decideSpawn } from '../../src/kernel/decide/work.ts';
import type { PlanTerms } from '../../src/kernel/course/plan.ts';
import { RUN, type Planning } from '../../src/kernel/decide/plan.ts';
import type { Origin } from '../../src/kernel/ingress/heard.ts';
import { uuid } from '../support/events.ts';
import { CLAIMS, MISSION, PROJECT, type Name } from './cast.ts';
import type { Sight } from './honest.ts';
import * as glance from './glance.ts';

type Kind = 'push_branch' | 'open_pull_request';

/** What the mission of a walk is about, and how people there are. */
export type Wish = {
  readonly tier: 0 | 1 | 2 | 3;
  readonly isFromForge: boolean;
  readonly kinds: readonly Kind[];
  /** Whether a revision asks for less. */
  readonly shrinks: boolean;
  /** What policy says no to. */
  readonly denied: Kind | undefined;
  /** The policy in force; left out, the first one. */
  readonly policy?: PlanTerms['policy'];
  /** How often, out of a hundred times that it could. */
  readonly habits: Habits;
};
export type Habits = Readonly<
  Record<
    'adopt' | 'cancel' | 'revise' | 'withdraw' | 'deny' | 'reject' | 'unbegun' | 'fail' | 'refuse' | 'unseen',
    number
  >
>;

/** What missions ask for. */
export const SETS: readonly Wish['kinds'][] = [
  ['push_branch', 'open_pull_request'],
  ['push_branch'],
  ['open_pull_request'],
  ['push_branch', 'push_branch'],
];

/** Who does what is due, and nothing else. */
export const STEADY: Habits = {
  adopt: 0,
  cancel: 0,
  revise: 0,
  withdraw: 0,
  deny: 0,
  reject: 0,
  unbegun: 0,
  fail: 0,
  refuse: 0,
  unseen: 0,
};

/** Both effects, asked for once, by people who do what is due. */
export const PLAIN = {
  kinds: ['push_branch', 'open_pull_request'],
  shrinks: false,
  denied: undefined,
  habits: STEADY,
} as const satisfies Partial<Wish>;

const DIGEST = `sha256:${'5a'.repeat(32)}`;
const BASE = 'ba'.repeat(20);
const WORK = { commit: 'c0'.repeat(20), tree: 'ee'.repeat(20) };
const HOUR = 3600;
const CHECKS = ['verify', 'acceptance'] as const;
const CLASS = { push_branch: 'vcs_mutation', open_pull_request: 'publication' } as const;

type Words = { readonly comment: number | null; readonly account: number; readonly at: string };

/** A comment on the mission's issue, or the issue's own text. */
export function origin({ comment, account, at }: Words): Origin {
  return {
    body_sha256: `sha256:${hash(`body ${comment} ${at}`)}`,
    comment_id: comment,
    issue: 7,
    repository: 1,
    updated_at: comment === null ? at : null,
    user_id: account,
  };
}

export function proposing(at: Sight, { isFromForge }: Wish, who: Name): Parameters<typeof decideProposal>[1] {
  const account = at.roster.members.find(({ principal_id }) => principal_id === who)?.forge_user_id ?? null;
  const isHeard = isFromForge && account !== null;
  return {
    mission: MISSION,
    project: PROJECT,
    grewFrom: at.head,
    raw: DIGEST,
    proposal: `sha256:${hash(`proposal ${glance.revisionOf(at.state)}`)}`,
    proposers: [{ forge_user_id: isHeard ? account : null, principal_id: who }],
    forge: isHeard ? origin({ comment: null, account, at: at.now }) : null,
    channel: isHeard ? 'issue_form' : 'cli',
  };
}

export function planning(at: Sight, wish: Wish): Planning {
  const { tier } = wish;
  const kinds = kindsOf(at, wish);
  return {
    terms: {
      asks: kinds.map((kind, n) => ({ action_class: CLASS[kind], ask: hash(`ask ${n} ${kind}`), kind })),
      backend: 'process',
      base_commit: BASE,
      budget_minutes: 30,
      checks: [...CHECKS],
      level: 2,
      plan: DIGEST,
      policy: policyOf(wish),
      quorum: [0, 1, 2, 2][tier]!,
      steps: [{ agent: 'example', depends_on: [], footprint: [...CLAIMS], role: 'executor' }],
      terms: hash('terms'),
      tier,
      ttl_minutes: 60,
    },
    actions: [
      {
        ...action(RUN, wish),
        action_class: 'execute_command',
        kind: null,
        targets: ['cells/process', ...REACH, PREPARES],
      },
      ...kinds.map((kind, n) => ({
        ...action(`${kind} ${n}`, wish, kind),
        action_class: CLASS[kind],
        kind,
        targets: [target(kind, n)],
      })),
    ],
    packet: DIGEST,
    now: at.now,
    votesExpireAt: at.in(72 * HOUR),
    maxAttempts: 3,
    mayGrant: true,
  };
}

/** What a plan is made under now. */
export function policyOf({ policy }: Wish): PlanTerms['policy'] {
  return policy ?? { digest: DIGEST, revision: 1 };
}

function action(name: string, { tier, denied }: Wish, kind?: Kind) {
  const allowed = tier === 0 ? ('allow' as const) : ('require_approval' as const);
  const result = kind !== undefined && kind === denied ? ('deny' as const) : allowed;
  return {
    name,
    reversibility: 'reversible' as const,
    policy: { reasons: ['rule'], result, risk: 'moderate' as const, witness_required: true },
  };
}

function kindsOf(at: Sight, { kinds, shrinks }: Wish): readonly Kind[] {
  return shrinks && glance.revisionOf(at.state) > 1 ? kinds.slice(0, 1) : kinds;
}

function target(kind: Kind, n: number): string {
  return kind === 'push_branch' ? `lazarus-work/m/${n}` : `pulls/main-${n}`;
}

/** What the agent reaches, and what prepares its dependencies. */
const REACH = ['hosts/docs.example.org:443', 'routes/model'];
const PREPARES = 'prepare/registry.example.org:443';

const PROBED = {
  backend: 'process',
  level: 2,
  limits: { cpu: 'hard', memory: 'hard', processes: 'hard' },
  uid: 60_706,
} as const;

export function birth(at: Sight): Parameters<typeof decideSpawn>[1] {
  const names = at.names();
  return {
    cell: names('cell'),
    holder: 'ron',
    leaseUntil: at.in(HOUR),
    workspace: names('workspace'),
    context: DIGEST,
    ...PROBED,
    environment: [DIGEST],
    epoch: 1,
    manifest: DIGEST,
    manifest_hash: DIGEST,
    prepares: [{ cell: names('prepare'), key: DIGEST, reach: [PREPARES], ...PROBED }],
    reach: REACH,
    role: 'executor',
    seed_id: names('seed'),
  };
}

export function handOver(at: Sight, isFailed: boolean): HandOver {
  const names = at.names();
  const prepared = glance.preparing(at.state).map((cell) => ({
    cell,
    closed: { because: 'exited', exit_code: 0, facts: null, output: DIGEST, outcome: 'completed' as const, spent: [] },
  }));
  const said = { prepared, claim: { claim: DIGEST, status: 'done_clean' }, blocked: [] } as const;
  const closed = {
    because: 'exited',
    facts: DIGEST,
    output: DIGEST,
    spent: [{ route: 'model', calls: 3, guessed: 1, tokens_in: 5, tokens_out: 8 }],
  };
  if (isFailed)
    return {
      ...said,
      closed: { ...closed, exit_code: 1, outcome: 'failed' },
      failure: { because: 'scope_violated', audit: DIGEST, isOfRunner: false },
    };
  return {
    ...said,
    closed: { ...closed, exit_code: 0, outcome: 'completed' },
    work: { base_commit: BASE, changed_paths: 1, scope_audit: DIGEST, ...WORK },
    checks: CHECKS.map((check) => ({ cell: names(check), environment: [], ...PROBED })),
    prepares: [],
    failure: undefined,
  };
}

export function results(cells: readonly string[], isFailed: boolean): Results {
  const exit_code = isFailed ? 1 : 0;
  const outcome = isFailed ? 'failed' : 'completed';
  return {
    ended: cells.map((cell) => ({
      cell,
      closed: { because: 'exited', exit_code, facts: null, output: DIGEST, outcome, spent: [] },
    })),
    verification: {
      checks: cells.map((cell, n) => ({
        cell,
        check: CHECKS[n] ?? 'acceptance',
        exit_code,
        level: 2,
        n,
        output: DIGEST,
      })),
      revision: WORK.commit,
      verdict: isFailed ? 'unsatisfied' : 'satisfied',
    },
    failure: isFailed ? { because: 'verify_failed', audit: null, isOfRunner: false } : undefined,
  };
}

/** The exact effects of one attempt: another one makes other commits. */
export function delivery(at: Sight, wish: Wish): Parameters<typeof decideEffects>[2] {
  const no = glance.attemptNo(at.state);
  return {
    effects: kindsOf(at, wish).map((kind, n) => ({
      kind,
      target: target(kind, n),
      effect: hash(`effect ${n} of attempt ${no}`),
    })),
    params: DIGEST,
    writer: 'wim',
    leaseUntil: at.in(HOUR),
    grantsExpireAt: at.in(HOUR),
    workspace: at.names()('workspace'),
    base_commit: BASE,
    packet: DIGEST,
    now: at.now,
    votesExpireAt: at.in(72 * HOUR),
  };
}

/** 64 digits that follow from a word. */
function hash(word: string): string {
  return uuid(word).replaceAll('-', '').repeat(2);
}
