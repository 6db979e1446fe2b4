// What one walk is like: who lies, how often, in which ways and about what; what the mission wants, and what happens to the
// project's people meanwhile. Each seed keeps to a corner, so that many corners are seen deeply and not all of them a little.
import { LIARS, SUCCESSIONS, type Succession } from './cast.ts';
import type { Role } from '../../src/kernel/principal.ts';
import type { Draw } from './draw.ts';
import type { ActName } from './honest.ts';
import { SETS, STEADY, type Habits, type Wish } from './inputs.ts';
import type { Way } from './templates.ts';

export type Temper = {
  readonly liar: (typeof LIARS)[number];
  /** Of a hundred steps. */
  readonly lies: number;
  /** The step before which it does as everybody does. */
  readonly from: number;
  readonly ways: Readonly<Record<Way, number>>;
  /** How event types begin that the liar likes best. */
  readonly nouns: readonly string[];
  readonly acts: readonly ActName[];
  /** How often a lie is changed beyond what its signer makes of it. */
  readonly changes: number;
  /** The field that it would rather have otherwise than any. */
  readonly field: string | undefined;
  /** Leaves alone what would end an attempt or the mission. */
  readonly isPatient: boolean;
  /** How often an event is said to have another reason than it has. */
  readonly reasons: number;
  /** How often the liar leaves undone what would be its part. */
  readonly stalls: number;
  readonly succession: Succession;
  readonly wish: Wish;
  /** Out of a hundred steps, how many are followed by a long time. */
  readonly waits: number;
};

export function temperOf(draw: Draw): Temper {
  const liar = draw.of(LIARS);
  const concern = concernOf(liar, draw);
  const succession = draw.percent(45) ? 'nothing happens' : draw.of(Object.keys(SUCCESSIONS) as Succession[]);
  const tier = tierOf(succession, concern, draw);
  return {
    liar,
    lies: draw.of([10, 25, 50]),
    from: draw.of([0, 0, 3, 5, 7, 9]),
    ways: {
      again: draw.below(4),
      elsewhere: draw.below(4),
      next: 1 + draw.below(4),
      act: draw.below(4),
      pretence: draw.below(5),
      wish: draw.below(4),
      receipt: concern === 'receipting' ? 4 : draw.percent(20) ? 1 : 0,
      project: draw.below(2),
    },
    nouns: CONCERNS[concern]!.nouns,
    acts: CONCERNS[concern]!.acts,
    changes: draw.of([15, 40, 70]),
    field: draw.percent(70) ? draw.of(CONCERNS[concern]!.fields) : undefined,
    isPatient: !ENDING.has(concern) && draw.percent(70),
    reasons: draw.of([1, 1, 1, 20]),
    stalls: draw.of([0, 20, 60]),
    succession,
    wish: {
      tier,
      isFromForge: draw.percent(45),
      kinds: tier === 0 ? [] : draw.of(concern === 'doubling' ? LARGE_SETS : SETS),
      shrinks: draw.percent(50),
      denied: draw.percent(8) ? 'push_branch' : undefined,
      habits: habitsOf(draw, concern),
    },
    waits: draw.of([0, 1, 4]),
  };
}

const LARGE_SETS = SETS.filter((kinds) => kinds.length > 1);
const ENDING: ReadonlySet<string> = new Set(['ending', 'shirking']);

/** Few people agree to little. */
function tierOf(succession: Succession, concern: string, draw: Draw): Wish['tier'] {
  const isSmall = succession === 'one may vote' || succession === 'two may vote';
  if (isSmall && draw.percent(80)) return 1;
  const { tiers } = CONCERNS[concern]!;
  if (tiers !== undefined) return draw.of(tiers);
  return draw.percent(4) ? 0 : draw.of([1, 1, 1, 2, 2, 3, 3] as const);
}

/** Mostly one habit or two: where everything happens at once, nothing gets far. */
function habitsOf(draw: Draw, concern: string): Habits {
  const habits: Record<keyof Habits, number> = { ...STEADY, adopt: 15, revise: 2, withdraw: 2 };
  if (concern === 'planning' || concern === 'asking') habits.revise = 1;
  if (concern === 'shirking') habits.unbegun = 1;
  for (let n = draw.below(4); n > 0; n--) habits[draw.of(Object.keys(OFTEN) as (keyof Habits)[])] = 1;
  return Object.fromEntries(
    Object.entries(habits).map(([name, has]) => [name, has === 1 ? OFTEN[name as keyof Habits] : has]),
  ) as Habits;
}

const OFTEN: Habits = {
  adopt: 30,
  cancel: 4,
  revise: 15,
  withdraw: 10,
  deny: 10,
  reject: 20,
  unbegun: 30,
  fail: 15,
  refuse: 20,
  unseen: 40,
};

/** What a liar may be about, by whose key it holds: events, fields of theirs that decide something, acts that make them. */
type Concern = {
  readonly of: readonly Role[];
  readonly nouns: readonly string[];
  readonly fields: readonly string[];
  readonly acts: readonly ActName[];
  /** How often, beside the others; left out: once. */
  readonly weight?: number;
  /** Where most is to be gained by it; left out: any. */
  readonly tiers?: readonly Wish['tier'][];
};

const CONCERNS: Readonly<Record<string, Concern>> = {
  anything: { of: ['gate', 'person', 'root', 'runner', 'writer'], nouns: [], fields: ['signatures'], acts: [] },
  asking: {
    of: ['gate', 'person'],
    nouns: ['mission.proposed', 'ingress.'],
    fields: ['proposers', 'forge', 'user_id', 'comment_id', 'updated_at', 'principal_id'],
    acts: ['propose', 'revise'],
  },
  planning: {
    of: ['gate'],
    nouns: ['plan.', 'approval.requested'],
    fields: [...often('carries', 5), 'tier', 'quorum', 'asks', 'action_class', 'kind', 'checks'],
    weight: 3,
    tiers: [1, 2, 3, 3],
    acts: ['plan', 'revise'],
  },
  agreeing: {
    of: ['gate', 'person'],
    nouns: ['approval.', 'vote.', 'ingress.'],
    fields: ['votes', 'choice', 'forge', 'user_id', 'comment_id', 'carries', 'approval_id', 'expires_at'],
    acts: ['vote', 'withdraw', 'deny', 'expire'],
  },
  granting: {
    of: ['gate', 'person', 'writer'],
    nouns: ['action.', 'policy.', 'grant.'],
    fields: ['target_resources', 'resource_scope', 'max_uses', 'result', 'approval_ref', 'action_request_ref', 'kind'],
    acts: ['grant', 'plan', 'deliver', 'vote'],
  },
  running: {
    of: ['runner'],
    nouns: ['lease.', 'cell.', 'context.', 'attempt.'],
    fields: ['because', 'backend', 'grant_id', 'purpose', 'mode', 'expires_at', 'fence'],
    acts: ['spawn', 'handOver', 'unbegun'],
  },
  shirking: {
    of: ['runner'],
    nouns: ['attempt.failed'],
    fields: ['because'],
    acts: ['unbegun'],
  },
  checking: {
    of: ['runner'],
    nouns: ['work.', 'verification.', 'cell.'],
    fields: ['checks', 'check', 'exit_code', 'verdict', 'revision', 'cell'],
    acts: ['handOver', 'results'],
  },
  causing: {
    of: ['writer'],
    nouns: ['effect.', 'effects.', 'grant.'],
    fields: [...often('effect', 3), 'effects', 'kind', 'params_ref', 'target', 'grant_id', 'max_uses', 'outcome'],
    weight: 2,
    acts: ['deliver', 'outcomes', 'lookAgain'],
  },
  /** From tier 2 on people would see it in the set that they are asked about. */
  doubling: {
    of: ['writer'],
    nouns: ['effects.', 'effect.intended'],
    fields: ['effect'],
    weight: 4,
    tiers: [1],
    acts: ['deliver'],
  },
  receipting: {
    of: ['gate', 'person', 'runner', 'writer'],
    nouns: ['receipt.'],
    fields: ['subject_ref', 'result_code', 'receipt_class', 'capability_grant_ref', 'action_request_ref'],
    acts: ['outcomes', 'refuseWork', 'recover', 'unbegun', 'vote'],
  },
  ending: {
    of: ['gate', 'person', 'runner', 'writer'],
    nouns: ['attempt.', 'task.', 'mission.ended', 'mission.cancelled'],
    fields: ['because', 'outcome'],
    acts: ['end', 'finish', 'expire', 'recover', 'unbegun', 'settle', 'cancel', 'calledOff'],
  },
};

function often(field: string, times: number): readonly string[] {
  return Array.from({ length: times }, () => field);
}

function concernOf(liar: Temper['liar'], draw: Draw): string {
  const roles = SUCCESSIONS['nothing happens'][0]!.members.find((one) => one.principal_id === liar[0])?.roles ?? [];
  const theirs = Object.entries(CONCERNS).filter(([, { of }]) => of.some((role) => roles.includes(role)));
  return draw.weighted(Object.fromEntries(theirs.map(([name, { weight = 1 }]) => [name, weight])));
}
