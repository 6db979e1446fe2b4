// What a plan binds people to: everything their approval covers, as data from which the digest they type is computed.
// Knows no text: goal, commands and titles are in the proposal and plan artifacts, named by digest.
import { z } from 'zod';
import { hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { ActionClass, EffectKind } from './classes.ts';
import { CLAIMS_PER_MISSION_MAX, EFFECTS_PER_ATTEMPT_MAX } from '../limits.ts';
import { Backend, Count, Digest, Level, ObjectName, PathGlob, RootHash, Tier } from '../values.ts';

/** The verify command and every acceptance check that a proposal may have. */
const CHECKS_MAX = 33;

/** One hash per thing asked for: a later plan that asks for a subset keeps the votes. */
const Asked = z.strictObject({ action_class: ActionClass, ask: RootHash, kind: EffectKind.nullable() });

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
  paths: z.array(PathGlob).max(CLAIMS_PER_MISSION_MAX),
  /** The plan as people read it, agent and commands resolved: an artifact. */
  plan: Digest,
  policy: z.strictObject({ digest: Digest, revision: Count }),
  proposal: Digest,
  quorum: z.int().min(0).max(16),
  revision: z.int().min(1),
  roster_n: Count,
  /** SHA-256 over what must not change at all if votes are to carry over: goal, agent, checks, base reference. */
  terms: RootHash,
  tier: Tier,
  ttl_minutes: Count,
});
export type PlanTerms = z.infer<typeof PlanTerms>;

export const Plan = PlanTerms.extend({ plan_digest: RootHash });
export type Plan = z.infer<typeof Plan>;

/** What people type behind `/approve`. The mission is inside: a vote cannot be replayed on a sibling with equal content. */
export function planDigest(crypto: Crypto, missionId: string, terms: PlanTerms): string {
  return hex(crypto.hash('sha256', utf8(`lazarus plan v1\n${jcs({ mission_id: missionId, ...terms })}`)));
}

/** Whether a vote for `before` still covers `after`: nothing new is asked for, and the terms are the same. */
export function isShrunk(before: Plan, after: Plan): boolean {
  const asked = new Set(before.asks.map(({ ask }) => ask));
  return (
    after.terms === before.terms &&
    after.base_commit === before.base_commit &&
    after.policy.digest === before.policy.digest &&
    after.roster_n === before.roster_n &&
    after.backend === before.backend &&
    after.checks.length === before.checks.length &&
    after.level >= before.level &&
    after.tier <= before.tier &&
    after.quorum <= before.quorum &&
    after.budget_minutes <= before.budget_minutes &&
    after.ttl_minutes <= before.ttl_minutes &&
    after.paths.every((path) => before.paths.includes(path)) &&
    after.asks.every(({ ask }) => asked.has(ask))
  );
}
