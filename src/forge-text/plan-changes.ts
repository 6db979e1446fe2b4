// What another plan asks for that the one before did not, in a few words each: what somebody who read or approved the
// one before has to read again. Where the text of one was erased, what its terms alone can tell.
import { jcs } from '../format/jcs.ts';
import { pathsOf } from '../kernel/course/plan.ts';
import type { PlanDocument } from '../kernel/mission/plan-document.ts';
import type { Plan } from '../kernel/course/plan.ts';
import type { Proposal } from '../kernel/proposal/proposal.ts';

export type ReadPlan = { readonly terms: Plan; readonly document: PlanDocument | undefined };

/** What is different of each: a new word of a plan does not compile until somebody has thought of what people are told. */
type Told<T> = { readonly [Word in keyof T]-?: (was: T, is: T) => readonly string[] };

const OID_CHARACTERS = 12;

export function planChanges(before: ReadPlan, after: ReadPlan): readonly string[] {
  const [was, is] = [before.document, after.document];
  const texts =
    was === undefined || is === undefined
      ? untold(before.terms, after.terms)
      : [...told(PROPOSAL, was.proposal, is.proposal), ...told(DOCUMENT, was, is)];
  const items = [...texts, ...told(TERMS, before.terms, after.terms)];
  return items.length === 0 ? ['nothing that is asked for'] : items;
}

function told<T>(table: Told<T>, was: T, is: T): readonly string[] {
  const each: readonly Told<T>[keyof T][] = Object.values(table);
  return each.flatMap((changes) => changes(was, is));
}

/** Of what is told by the text that it was made from, or by another word beside it. */
const elsewhere = (): readonly string[] => [];

const PROPOSAL: Told<Proposal> = {
  paths: (was, is) => listed('path', was.paths, is.paths),
  acceptance: (was, is) => listed('check', was.acceptance, is.acceptance),
  auditGates: (was, is) => listed('gate', was.auditGates, is.auditGates),
  allowances: (was, is) => listed('allowance', was.allowances, is.allowances),
  capabilities: (was, is) => listed('capability', was.capabilities, is.capabilities),
  verifyCommand: (was, is) => moved('verify command', was.verifyCommand, is.verifyCommand),
  base: (was, is) => moved('base', was.base, is.base),
  agent: (was, is) => moved('agent', agentOf(was), agentOf(is)),
  goal: (was, is) => moved('goal', was.goal, is.goal),
  purpose: (was, is) => (wordsOf(was) === wordsOf(is) ? [] : ['purpose or brief']),
  brief: elsewhere,
  target: (was, is) => differing('the repository it is for', was.target, is.target),
  // Terms: policy may have raised or shortened them.
  tier: elsewhere,
  backend: elsewhere,
  budgetMinutes: elsewhere,
  ttlMinutes: elsewhere,
  schema: elsewhere,
};

const DOCUMENT: Told<PlanDocument> = {
  effects: (was, is) => listed('effect', was.effects, is.effects),
  agent: (was, is) => differing('the agent as policy knows it', was.agent, is.agent),
  checks: (was, is) => differing('what checks may write', was.checks, is.checks),
  output: (was, is) => differing('how what cells print is kept', was.output, is.output),
  environment: (was, is) =>
    differing('environment or routes', [was.environment, was.routes], [is.environment, is.routes]),
  routes: elsewhere,
  exposed_to: (was, is) => moved('runner keys', keysOf(was), keysOf(is)),
  ca_file: (was, is) => differing('whose certificates cells trust as well', was.ca_file, is.ca_file),
  proposal: elsewhere,
  // Of the mission, which is the same one.
  issue: elsewhere,
  mission_id: elsewhere,
  schema: elsewhere,
};

const TERMS: Told<Plan> = {
  base_commit: (was, is) => moved('base commit', shortOid(was.base_commit), shortOid(is.base_commit)),
  tier: (was, is) => moved('tier', was.tier, is.tier),
  quorum: (was, is) => moved('approvals', was.quorum, is.quorum),
  backend: (was, is) => moved('backend', was.backend, is.backend),
  level: (was, is) => moved('level', was.level, is.level),
  budget_minutes: (was, is) => moved('minutes', was.budget_minutes, is.budget_minutes),
  ttl_minutes: (was, is) => moved('minutes until its cell is closed', was.ttl_minutes, is.ttl_minutes),
  policy: (was, is) => moved('policy', was.policy.revision, is.policy.revision),
  roster_n: (was, is) => moved('roster', was.roster_n, is.roster_n),
  // Made of the two texts, which say more; where one was erased, `untold` says what these can.
  asks: elsewhere,
  checks: elsewhere,
  plan: elsewhere,
  plan_digest: elsewhere,
  proposal: elsewhere,
  revision: elsewhere,
  steps: elsewhere,
  terms: elsewhere,
};

function shortOid(oid: string): string {
  return oid.slice(0, OID_CHARACTERS);
}

/** Their digests tell that something differs, not what. */
function untold(was: Plan, is: Plan): readonly string[] {
  return [
    ...listed('path', pathsOf(was), pathsOf(is)),
    ...listed('effect', kindsOf(was), kindsOf(is)),
    ...(was.terms === is.terms ? [] : ['goal, agent or checks: their text was erased']),
  ];
}

function kindsOf({ asks }: Plan): readonly string[] {
  return asks.flatMap(({ kind }) => kind ?? []);
}

function agentOf({ agent }: Proposal): string {
  return 'name' in agent ? agent.name : 'a command of its own';
}

function keysOf({ exposed_to }: PlanDocument): string {
  return exposed_to === null ? 'kept from jobs' : 'exposed';
}

function wordsOf({ purpose, brief }: Proposal): string {
  return JSON.stringify([purpose, brief]);
}

function moved(what: string, was: string | number, is: string | number): string[] {
  return was === is ? [] : [`${what} ${was} → ${is}`];
}

function listed(what: string, was: readonly string[], is: readonly string[]): string[] {
  return [
    ...is.filter((one) => !was.includes(one)).map((one) => `+ ${what} ${one}`),
    ...was.filter((one) => !is.includes(one)).map((one) => `− ${what} ${one}`),
  ];
}

/** Where only that it is another is worth saying. */
function differing(what: string, was: unknown, is: unknown): string[] {
  return jcs(was) === jcs(is) ? [] : [what];
}
