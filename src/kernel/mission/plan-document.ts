// The plan as people read it and as a runner carries it out: the proposal, the agent's command resolved, the effects. Its
// digest stands in the plan's terms, so that what was approved is what runs.
import { z } from 'zod';
import { fromUtf8, utf8 } from '../../format/bytes.ts';
import { jcs, parseCanonical } from '../../format/jcs.ts';
import { Failure } from '../../failure.ts';
import { EffectKind } from '../course/classes.ts';
import type { Plan } from '../course/plan.ts';
import { EFFECTS_PER_ATTEMPT_MAX } from '../limits.ts';
import { RouteName } from '../network/hosts.ts';
import { AgentDefinition } from '../policy/agent.ts';
import { Checks } from '../policy/checks.ts';
import { Environment, ToolFolder } from '../policy/environment.ts';
import { ExposedTo } from '../policy/exposure.ts';
import { Output } from '../policy/output.ts';
import { Route } from '../policy/route.ts';
import { Proposal } from '../proposal/proposal.ts';
import { Count, Slug, Uuid } from '../values.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';

export const PlanDocument = z.strictObject({
  /** What runs in the cell and what it may reach, taken out of the policy where the proposal names an agent. */
  agent: AgentDefinition,
  /** Of the runner, with certificates that cells trust as well. */
  ca_file: ToolFolder.nullable(),
  /** What policy lets checks write in the tree, beside what the base's ignore rules name. */
  checks: Checks,
  /** What agent and checks find beside the tree, by policy's names. */
  environment: z.record(Slug, Environment),
  effects: z.array(EffectKind).max(EFFECTS_PER_ATTEMPT_MAX),
  /** Who could read the keys that it is run with, as far as policy leaves that open. */
  exposed_to: ExposedTo,
  /** The issue it came from; comments go there. */
  issue: Count.nullable(),
  mission_id: Uuid,
  /** How what is printed in its cells is kept. */
  output: Output,
  proposal: Proposal,
  /** Those of the agent; keys by reference. */
  routes: z.record(RouteName, Route),
  schema: z.literal('lazarus.plan.v1'),
});
export type PlanDocument = z.infer<typeof PlanDocument>;

/** What is run on the work, in order: the verify command, then every acceptance check. */
export function checksOf({ verifyCommand, acceptance }: Pick<Proposal, 'verifyCommand' | 'acceptance'>): readonly {
  readonly check: Plan['checks'][number];
  readonly shellText: string;
}[] {
  return [
    { check: 'verify', shellText: verifyCommand },
    ...acceptance.map((shellText) => ({ check: 'acceptance' as const, shellText })),
  ];
}

/** Who works, in words: by policy's name, with the version it was written for, or the command itself. */
export function agentWords({ agent, proposal }: Pick<PlanDocument, 'agent' | 'proposal'>): string {
  if (!('name' in proposal.agent)) return agent.command.join(' ');
  return agent.version === undefined ? proposal.agent.name : `${proposal.agent.name} ${agent.version}`;
}

export function planDocumentBytes(document: PlanDocument): Uint8Array {
  return utf8(jcs(document));
}

export function parsePlanDocument(bytes: Uint8Array): Verdict<PlanDocument> {
  try {
    const parsed = PlanDocument.safeParse(parseCanonical(fromUtf8(bytes)));
    return parsed.success ? accept(parsed.data) : refuse('plan_missing', { why: 'not a plan' });
  } catch (cause) {
    return refuse('plan_missing', { why: cause instanceof Failure ? cause.code : 'not UTF-8' });
  }
}

/** The document behind a plan's terms; refused where whoever planned wrote one thing into the terms and another into it. */
export function parseDocumentOf(plan: Plan, bytes: Uint8Array): Verdict<PlanDocument> {
  const document = parsePlanDocument(bytes);
  if (document.is === 'refused') return document;
  const { proposal } = document.value;
  const checks = checksOf(proposal).length;
  return checks === plan.checks.length && proposal.backend === plan.backend
    ? document
    : refuse('plan_document_differs', { checks, planned: plan.checks.length, backend: proposal.backend });
}
