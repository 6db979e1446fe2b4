// A policy profile: who may run what, what is allowed, asked about or refused, and within which limits. Written by
// people on the protected branch. Whatever it does not speak of is denied; payment it cannot allow at all.
import { z } from 'zod';
import { ActionClass } from '../course/classes.ts';
import { QUORUM_MIN } from '../approval/voters.ts';
import { APPROVAL_HOURS_MAX } from '../limits.ts';
import { RouteName } from '../network/hosts.ts';
import { Minutes, timeFault } from '../proposal/proposal.ts';
import { Glob } from '../scope/globs.ts';
import { Backend, Level, PathGlob, ReasonWord, Slug, Tier } from '../values.ts';
import { Agent } from './agent.ts';
import { Checks } from './checks.ts';
import { Environment, ToolFolder } from './environment.ts';
import { RunnerRules } from './exposure.ts';
import { Output } from './output.ts';
import { RISK_OF_CLASS } from './risk.ts';
import { Route } from './route.ts';

const RULES_MAX = 64;
const RESOURCES_MAX = 64;
const QUORUM_MAX = 16;
const KEEP_DAYS_MAX = 90;

const Resources = z.array(Glob).min(1).max(RESOURCES_MAX);

export const PolicyRule = z
  .strictObject({
    name: ReasonWord,
    actions: z.array(ActionClass).min(1).max(ActionClass.options.length),
    /** What it is done to; everything, unless it says. */
    resources: Resources.default(['**']),
    answer: z.enum(['allow', 'require_approval', 'deny', 'downgrade']),
    /** Of a downgrade: the lesser action to be asked for instead. */
    to: ActionClass.optional(),
  })
  .refine(({ answer, to }) => (answer === 'downgrade') === (to !== undefined), {
    path: ['to'],
    message: 'belongs to a downgrade, and a downgrade must name it',
  })
  .refine(({ actions, to }) => to === undefined || actions.every((one) => RISK_OF_CLASS[to] < RISK_OF_CLASS[one]), {
    path: ['to'],
    message: 'is no lesser action',
  })
  .refine(({ actions, answer }) => !actions.includes('payment_or_spending') || answer === 'deny', {
    path: ['actions'],
    message: 'payment_or_spending can only be denied',
  });
export type PolicyRule = z.infer<typeof PolicyRule>;

const TTL_MINUTES_MAX = 240;

export const PolicyProfile = z
  .strictObject({
    version: z.literal(1),
    profile: Slug,
    /** Agents by name. */
    agents: z.record(Slug, Agent).default({}),
    /** What the project's commands need, by name: of agents and of checks alike. */
    environment: z.record(Slug, Environment).default({}),
    /** What checks may write, for whom the tree is read-only. */
    checks: Checks.prefault({}),
    /** How what programs print in cells is kept. */
    output: Output.prefault({}),
    /** Origins that agents talk to without holding the key. */
    routes: z.record(RouteName, Route).default({}),
    /** A file of the runner with certificates that cells trust as well. */
    ca_file: ToolFolder.optional(),
    /** Of the machines that run missions for a forge. */
    runner: RunnerRules.prefault({}),
    /** Whether a proposal may bring the command of its agent along; issue forms never can. */
    own_commands: z.boolean().default(false),
    rules: z.array(PolicyRule).max(RULES_MAX),
    /** No mission counts as less than this. */
    tier_floor: Tier.default(0),
    /** Approvals by tier 0 to 3. */
    quorum: z.tuple([Quorum(0), Quorum(1), Quorum(2), Quorum(3)]).default([...QUORUM_MIN]),
    /** Whether a person who is no root may stop the project, and let go on what no root stopped. */
    persons_may_stop: z.boolean().default(false),
    /** How long work that was refused or failed can be fetched; 0: not at all. */
    keep_failed_days: z.int().min(0).max(KEEP_DAYS_MAX).default(14),
    votes_expire_hours: z.int().min(1).max(APPROVAL_HOURS_MAX).default(72),
    budget_minutes_max: Minutes.default(120),
    ttl_minutes_max: Minutes.default(TTL_MINUTES_MAX),
    /** Backends that may be used, and the isolation each must reach. */
    backends: z.partialRecord(Backend, Level).default({ process: 2 }),
    /** On the protected branch, like this file. */
    sacred_file: PathGlob.default('.gitea/lazarus/sacred.yml'),
    /** Classes whose witness is not checked again before use. */
    waive_witness: z.array(ActionClass).max(ActionClass.options.length).default([]),
  })
  .refine(
    ({ checks, environment }) =>
      !checks.writable.some((path) =>
        Object.values(environment).some(({ makes }) =>
          makes.some((made) => path === made || path.startsWith(`${made}/`)),
        ),
      ),
    { path: ['checks', 'writable'], message: 'lies in what an environment makes: name it under `writable` there' },
  )
  .superRefine(({ budget_minutes_max: budget, ttl_minutes_max: ttl }, told) => {
    const fault = timeFault(budget, ttl);
    const path = [ttl === TTL_MINUTES_MAX ? 'budget_minutes_max' : 'ttl_minutes_max'];
    if (fault !== undefined) told.addIssue({ code: 'custom', path, message: fault });
  });
export type PolicyProfile = z.infer<typeof PolicyProfile>;

/** A profile and the digest of the file it was read from. */
export type Policy = { readonly profile: PolicyProfile; readonly version: string };

function Quorum(tier: 0 | 1 | 2 | 3) {
  return z.int().min(QUORUM_MIN[tier]).max(QUORUM_MAX);
}
