// What another plan asks for that the one before did not, in a few words each: what somebody who read or approved the
// one before has to read again. Where the text of one was erased, what its terms alone can tell.
import { jcs } from '../format/jcs.ts';
import { pathsOf } from '../kernel/course/plan.ts';
import type { PlanDocument } from '../kernel/mission/plan-document.ts';
import type { Plan } from '../kernel/course/plan.ts';
import type { Proposal } from '../kernel/proposal/proposal.ts';

export type ReadPlan = { readonly terms: Plan; readonly document: PlanDocument | undefined };

const OID_CHARACTERS = 12;

export function planChanges(before: ReadPlan, after: ReadPlan): readonly string[] {
  const [was, is] = [before.document, after.document];
  const texts = was === undefined || is === undefined ? untold(before.terms, after.terms) : textChanges(was, is);
  const items = [...texts, ...termChanges(before.terms, after.terms)];
  return items.length === 0 ? ['nothing that is asked for'] : items;
}

function termChanges(was: Plan, is: Plan): string[] {
  const commit = (oid: string): string => oid.slice(0, OID_CHARACTERS);
  return [
    ...moved('base commit', commit(was.base_commit), commit(is.base_commit)),
    ...moved('tier', was.tier, is.tier),
    ...moved('approvals', was.quorum, is.quorum),
    ...moved('backend', was.backend, is.backend),
    ...moved('level', was.level, is.level),
    ...moved('minutes', was.budget_minutes, is.budget_minutes),
    ...moved('minutes until its cell is closed', was.ttl_minutes, is.ttl_minutes),
    ...moved('policy', was.policy.revision, is.policy.revision),
    ...moved('roster', was.roster_n, is.roster_n),
  ];
}

/** Their digests tell that something differs, not what. */
function untold(was: Plan, is: Plan): string[] {
  return [
    ...listed('path', pathsOf(was), pathsOf(is)),
    ...listed('effect', kindsOf(was), kindsOf(is)),
    ...(was.terms === is.terms ? [] : ['goal, agent or checks: their text was erased']),
  ];
}

function kindsOf({ asks }: Plan): readonly string[] {
  return asks.flatMap(({ kind }) => kind ?? []);
}

function textChanges(was: PlanDocument, is: PlanDocument): string[] {
  const [before, after] = [was.proposal, is.proposal];
  return [
    ...listed('path', before.paths, after.paths),
    ...listed('check', before.acceptance, after.acceptance),
    ...listed('gate', before.auditGates, after.auditGates),
    ...listed('allowance', before.allowances, after.allowances),
    ...listed('capability', before.capabilities, after.capabilities),
    ...listed('effect', was.effects, is.effects),
    ...moved('verify command', before.verifyCommand, after.verifyCommand),
    ...moved('base', before.base, after.base),
    ...moved('agent', agentOf(before), agentOf(after)),
    ...(jcs(was.agent) === jcs(is.agent) ? [] : ['the agent as policy knows it']),
    ...(jcs(was.checks) === jcs(is.checks) ? [] : ['what checks may write']),
    ...(jcs(was.output) === jcs(is.output) ? [] : ['how what cells print is kept']),
    ...(jcs([was.environment, was.routes]) === jcs([is.environment, is.routes]) ? [] : ['environment or routes']),
    ...moved('runner keys', keysOf(was), keysOf(is)),
    ...moved('goal', before.goal, after.goal),
    ...(wordsOf(before) === wordsOf(after) ? [] : ['purpose or brief']),
  ];
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
