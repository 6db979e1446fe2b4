// What another plan asks for that the one before did not, in a few words each: what somebody who read or approved the
// one before has to read again. Where the text of one was erased, what its terms alone can tell.
import { jcs } from '../format/jcs.ts';
import { pathsOf } from '../kernel/course/plan.ts';
import type { PlanDocument } from '../kernel/mission/plan-document.ts';
import type { Plan } from '../kernel/course/plan.ts';
import type { Proposal } from '../kernel/proposal/proposal.ts';

export type ReadPlan = { readonly terms: Plan; readonly document: PlanDocument | undefined };

type Changes<T> = (was: T, is: T) => readonly string[];

/** What is different of each: a new word of a plan does not compile until somebody has thought of what people are told. */
type Told<T> = { readonly [Word in keyof T]-?: Changes<T> };

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
  const each: readonly Changes<T>[] = Object.values(table);
  return each.flatMap((changes) => changes(was, is));
}

/** Of what is told by the text that it was made from, or by another word beside it. */
const elsewhere = (): readonly string[] => [];

const PROPOSAL: Told<Proposal> = {
  paths: listed('path', (one) => one.paths),
  acceptance: listed('check', (one) => one.acceptance),
  auditGates: listed('gate', (one) => one.auditGates),
  allowances: listed('allowance', (one) => one.allowances),
  capabilities: listed('capability', (one) => one.capabilities),
  verifyCommand: moved('verify command', (one) => one.verifyCommand),
  base: moved('base', (one) => one.base),
  agent: moved('agent', agentOf),
  goal: moved('goal', (one) => one.goal),
  purpose: differing('purpose or brief', ({ purpose, brief }) => [purpose, brief]),
  brief: elsewhere,
  target: differing('the repository it is for', (one) => one.target),
  // Terms: policy may have raised or shortened them.
  tier: elsewhere,
  backend: elsewhere,
  budgetMinutes: elsewhere,
  ttlMinutes: elsewhere,
  schema: elsewhere,
};

const DOCUMENT: Told<PlanDocument> = {
  effects: listed('effect', (one) => one.effects),
  agent: differing('the agent as policy knows it', (one) => one.agent),
  checks: differing('what checks may write', (one) => one.checks),
  output: differing('how what cells print is kept', (one) => one.output),
  environment: differing('environment or routes', ({ environment, routes }) => [environment, routes]),
  routes: elsewhere,
  exposed_to: moved('runner keys', keysOf),
  ca_file: differing('whose certificates cells trust as well', (one) => one.ca_file),
  proposal: elsewhere,
  // Of the mission, which is the same one.
  issue: elsewhere,
  mission_id: elsewhere,
  schema: elsewhere,
};

const TERMS: Told<Plan> = {
  base_commit: moved('base commit', (one) => one.base_commit.slice(0, OID_CHARACTERS)),
  tier: moved('tier', (one) => one.tier),
  quorum: moved('approvals', (one) => one.quorum),
  backend: moved('backend', (one) => one.backend),
  level: moved('level', (one) => one.level),
  budget_minutes: moved('minutes', (one) => one.budget_minutes),
  ttl_minutes: moved('minutes until its cell is closed', (one) => one.ttl_minutes),
  policy: moved('policy', (one) => one.policy.revision),
  roster_n: moved('roster', (one) => one.roster_n),
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

/** Their digests tell that something differs, not what. */
function untold(was: Plan, is: Plan): readonly string[] {
  return [
    ...listed('path', pathsOf)(was, is),
    ...listed('effect', kindsOf)(was, is),
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

function moved<T>(what: string, of: (one: T) => string | number): Changes<T> {
  return (before, after) => {
    const [was, is] = [of(before), of(after)];
    return was === is ? [] : [`${what} ${was} → ${is}`];
  };
}

function listed<T>(what: string, of: (one: T) => readonly string[]): Changes<T> {
  return (before, after) => {
    const [was, is] = [of(before), of(after)];
    return [
      ...is.filter((one) => !was.includes(one)).map((one) => `+ ${what} ${one}`),
      ...was.filter((one) => !is.includes(one)).map((one) => `− ${what} ${one}`),
    ];
  };
}

/** Where only that it is another is worth saying. */
function differing<T>(what: string, of: (one: T) => unknown): Changes<T> {
  return (was, is) => (jcs(of(was)) === jcs(of(is)) ? [] : [what]);
}
