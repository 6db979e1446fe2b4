// The proposal that a form makes. The form asks for no brief: what its sections say follows from the other fields.
import type { Proposal } from '../kernel/proposal/proposal.ts';
import { sortedSet } from '../kernel/proposal/proposal.ts';
import { spelledOut } from '../kernel/scope/globs.ts';
import type { FormProposal } from './form-values.ts';

export function proposalOfForm(form: FormProposal): Proposal {
  return {
    schema: 'lazarus.proposal.v1',
    target: form.target,
    base: form.base,
    goal: form.goal,
    purpose: form.purpose,
    brief: {
      context: {},
      whatsDone: [],
      currentTask: '',
      doneCriteria: 'Every acceptance check and the verify command exit with 0, each in a fresh cell.',
      keyDecisions: [],
      relevantMemories: [],
    },
    acceptance: [...form.acceptance],
    verifyCommand: form.verifyCommand,
    paths: sortedSet(form.paths.map(spelledOut)),
    allowances: [],
    auditGates: [],
    tier: form.tier,
    capabilities: sortedSet(form.capabilities),
    backend: form.backend,
    budgetMinutes: form.budgetMinutes,
    ttlMinutes: form.ttlMinutes,
    agent: { name: form.agent },
  };
}
