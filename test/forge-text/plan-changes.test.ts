// What somebody who approved one plan has to read again in the next one.
import { AgentDefinition } from '../../src/kernel/policy/agent.ts';
import { Environment } from '../../src/kernel/policy/environment.ts';
import { describe, expect, it } from 'vitest';
import { planChanges, type ReadPlan } from '../../src/forge-text/plan-changes.ts';
import type { PlanDocument } from '../../src/kernel/mission/plan-document.ts';
import type { Plan } from '../../src/kernel/course/plan.ts';
import type { Proposal } from '../../src/kernel/proposal/proposal.ts';
import { readMissionFile } from '../../src/documents/mission-file.ts';
import { planned } from '../support/course/asked.ts';
import { MISSION } from '../support/given.ts';
import { readFileSync } from 'node:fs';
import { taken } from '../support/taken.ts';
import { MISSION_FILE } from '../support/templates.ts';

const PROPOSAL: Proposal = taken(readMissionFile(readFileSync(MISSION_FILE, 'utf8'), 'mission.yaml'));
const TERMS: Plan = planned().payload;

type Changes = {
  readonly terms?: Partial<Plan>;
  readonly document?: Partial<PlanDocument>;
  readonly proposal?: Partial<Proposal>;
};

function plan({ terms, document, proposal }: Changes = {}): ReadPlan & { readonly document: PlanDocument } {
  return {
    terms: { ...TERMS, ...terms },
    document: {
      agent: AgentDefinition.parse({ command: ['sh', 'agent.sh'] }),
      ca_file: null,
      checks: { writable: [] },
      effects: ['push_branch'],
      environment: {},
      exposed_to: null,
      issue: null,
      mission_id: MISSION,
      output: { keep: 'encrypted', excerpt: 'checks' },
      proposal: { ...PROPOSAL, ...proposal },
      routes: {},
      schema: 'lazarus.plan.v1',
      ...document,
    },
  };
}

describe('between two plans', () => {
  it.each<[string, Changes, string]>([
    ['a path more', { proposal: { paths: [...PROPOSAL.paths, 'src/db/**'] } }, '+ path src/db/**'],
    ['a path less', { proposal: { paths: PROPOSAL.paths.slice(1) } }, `− path ${PROPOSAL.paths[0]}`],
    ['a check more', { proposal: { acceptance: [...PROPOSAL.acceptance, 'true'] } }, '+ check true'],
    ['a capability', { proposal: { capabilities: ['pr:open'] } }, '+ capability pr:open'],
    ['an effect', { document: { effects: ['push_branch', 'post_comment'] } }, '+ effect post_comment'],
    ['a waived scope', { proposal: { allowances: ['auth_surface'] } }, '+ allowance auth_surface'],
    ['the agent', { proposal: { agent: { name: 'other' } } }, '→ other'],
    [
      'what the agent’s name stands for',
      { document: { agent: AgentDefinition.parse({ command: ['sh', 'other.sh'] }) } },
      'the agent as policy knows it',
    ],
    [
      'what is prepared',
      { document: { environment: { node: Environment.parse({ tools: ['/opt/node'] }) } } },
      'environment or routes',
    ],
    ['what checks may write', { document: { checks: { writable: ['dist'] } } }, 'what checks may write'],
    [
      'how what cells print is kept',
      { document: { output: { keep: 'digest', excerpt: 'none' } } },
      'how what cells print is kept',
    ],
    [
      'the certificates of the runner',
      { document: { ca_file: '/etc/ssl/team.pem' } },
      'whose certificates cells trust as well',
    ],
    ['the verify command', { proposal: { verifyCommand: 'true' } }, `verify command ${PROPOSAL.verifyCommand} → true`],
    ['the base', { proposal: { base: 'dev' } }, 'base main → dev'],
    ['the goal', { proposal: { goal: 'Another' } }, `goal ${PROPOSAL.goal} → Another`],
    ['the words of the brief', { proposal: { purpose: 'Another' } }, 'purpose or brief'],
    ['the budget', { terms: { budget_minutes: TERMS.budget_minutes + 10 } }, `minutes ${TERMS.budget_minutes} → `],
    ['the base commit', { terms: { base_commit: '77'.repeat(20) } }, `→ ${'77'.repeat(6)}`],
    ['the tier', { terms: { tier: 3 } }, `tier ${TERMS.tier} → 3`],
    ['the isolation', { terms: { level: 0 } }, `level ${TERMS.level} → 0`],
    ['the policy', { terms: { policy: { ...TERMS.policy, revision: 19 } } }, '→ 19'],
  ])('%s is said, and nothing else', (_, changes, said) => {
    const items = planChanges(plan(), plan(changes));
    expect(items).toEqual([expect.stringContaining(said)]);
  });

  it('nothing is said to be nothing', () => {
    expect(planChanges(plan(), plan({ terms: { plan_digest: 'ab'.repeat(32), revision: 9 } }))).toEqual([
      'nothing that is asked for',
    ]);
  });

  it('what the terms alone can tell is told where a text was erased', () => {
    const after = {
      terms: {
        ...TERMS,
        terms: '12'.repeat(32),
        steps: [{ ...TERMS.steps[0]!, footprint: [...TERMS.steps[0]!.footprint, 'docs/**'] }],
      },
      document: undefined,
    };
    expect(planChanges(plan(), after)).toEqual(['+ path docs/**', 'goal, agent or checks: their text was erased']);
  });
});
