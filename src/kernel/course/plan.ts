// What a plan binds people to: everything their approval covers, as data from which the digest they type is computed.
// Knows no text: goal, commands and titles are in the proposal and plan artifacts, named by digest.
import { z } from 'zod';
import { hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { ActionClass, EffectKind } from './classes.ts';
import { CLAIMS_PER_MISSION_MAX, EFFECTS_PER_ATTEMPT_MAX, STEPS_PER_PLAN_MAX } from '../limits.ts';
import { Backend, CellRole, Count, Digest, Level, ObjectName, PathGlob, RootHash, Slug, Tier } from '../values.ts';

/** The verify command and every acceptance check that a proposal may have. */
const CHECKS_MAX = 33;

/** One hash per thing asked for: a later plan that asks for a subset keeps the votes. */
const Asked = z.strictObject({ action_class: ActionClass, ask: RootHash, kind: EffectKind.nullable() });

/** A step by its place in the plan: who does it in which role, which paths it may change, and after which steps. */
const PlannedStep = z.strictObject({
  /** As policy knows it; null where the proposal spells the command out. */
  agent: Slug.nullable(),
  /** Places of steps before it, ascending. */
  depends_on: z.array(Count).max(STEPS_PER_PLAN_MAX),
  footprint: z.array(PathGlob).max(CLAIMS_PER_MISSION_MAX),
  role: CellRole,
});

const PlannedSteps = z
  .array(PlannedStep)
  .min(1)
  .max(STEPS_PER_PLAN_MAX)
  .refine((steps) => steps.every(({ depends_on }, place) => isAscendingBelow(depends_on, place)))
  .refine((steps) => pathsOf({ steps }).length <= CLAIMS_PER_MISSION_MAX);

export const PlanTerms = z.strictObject({
  asks: z.array(Asked).max(EFFECTS_PER_ATTEMPT_MAX),
  backend: Backend,
  base_commit: ObjectName,
  budget_minutes: Count,
  /** What is run on the work, in this order; the words of each command are in the plan document. */
  checks: z
    .array(z.enum(['verify', 'acceptance']))
    .min(1)
    .max(CHECKS_MAX)
    .refine(([first, ...others]) => first === 'verify' && others.every((one) => one === 'acceptance')),
  level: Level,
  /** The plan as people read it, agent and commands resolved: an artifact. */
  plan: Digest,
  policy: z.strictObject({ digest: Digest, revision: Count }),
  proposal: Digest,
  quorum: z.int().min(0).max(16),
  revision: z.int().min(1),
  roster_n: Count,
  steps: PlannedSteps,
  /** SHA-256 over what must not change at all if votes are to carry over: goal, agent, checks, base reference. */
  terms: RootHash,
  tier: Tier,
  ttl_minutes: Count,
});
export type PlanTerms = z.infer<typeof PlanTerms>;

export const Plan = PlanTerms.extend({ plan_digest: RootHash });
export type Plan = z.infer<typeof Plan>;

/** All paths that the mission may change, and claims while it runs. */
export function pathsOf({
  steps,
}: {
  readonly steps: readonly { readonly footprint: readonly string[] }[];
}): readonly string[] {
  return [...new Set(steps.flatMap(({ footprint }) => footprint))];
}

function isAscendingBelow(places: readonly number[], place: number): boolean {
  return places.every((one, n) => one < place && one > (places[n - 1] ?? -1));
}

/** What the project says of its policy. */
export type PolicyInForce = { readonly policy: string; readonly revision: number };

/** Whether it was made under the policy in force; where nobody knows that, nobody says otherwise. */
export function isUnderPolicy({ policy }: Pick<Plan, 'policy'>, inForce: PolicyInForce | undefined): boolean {
  return inForce === undefined || (policy.digest === inForce.policy && policy.revision === inForce.revision);
}

/** What people type behind `/approve`. The mission is inside: a vote cannot be replayed on a sibling with equal content. */
export function planDigest(crypto: Crypto, missionId: string, terms: PlanTerms): string {
  return hex(crypto.hash('sha256', utf8(`lazarus plan v1\n${jcs({ mission_id: missionId, ...terms })}`)));
}

/** Whether a vote for `before` still covers `after`: nothing new is asked for, and the terms are the same. */
export function isShrunk(before: Plan, after: Plan): boolean {
  return Object.values(COVERED).every((isCovered) => isCovered(before, after));
}

const always = (): boolean => true;

/** Asked of every term there is: a new one that nobody had thought of could change under a vote. */
const COVERED: { readonly [Term in keyof Plan]-?: (before: Plan, after: Plan) => boolean } = {
  terms: (before, after) => after.terms === before.terms,
  base_commit: (before, after) => after.base_commit === before.base_commit,
  policy: (before, after) => after.policy.digest === before.policy.digest,
  roster_n: (before, after) => after.roster_n === before.roster_n,
  backend: (before, after) => after.backend === before.backend,
  // Which they are is in `terms`.
  checks: (before, after) => after.checks.length === before.checks.length,
  level: (before, after) => after.level >= before.level,
  tier: (before, after) => after.tier <= before.tier,
  quorum: (before, after) => after.quorum <= before.quorum,
  budget_minutes: (before, after) => after.budget_minutes <= before.budget_minutes,
  ttl_minutes: (before, after) => after.ttl_minutes <= before.ttl_minutes,
  steps: (before, after) =>
    after.steps.length === before.steps.length &&
    after.steps.every((step, place) => isStepShrunk(before.steps[place]!, step)),
  asks: (before, after) => {
    const asked = new Set(before.asks.map(({ ask }) => ask));
    return after.asks.every(({ ask }) => asked.has(ask));
  },
  // Names and numbers of the texts that all this was made from.
  plan: always,
  plan_digest: always,
  proposal: always,
  revision: always,
};

function isStepShrunk(before: PlanTerms['steps'][number], after: PlanTerms['steps'][number]): boolean {
  return (
    after.agent === before.agent &&
    after.role === before.role &&
    after.depends_on.join() === before.depends_on.join() &&
    after.footprint.every((path) => before.footprint.includes(path))
  );
}
