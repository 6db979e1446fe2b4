// From a proposal to the brief its agent gets. Adds nothing of its own.
import type { Brief } from '../contract/brief.ts';
import type { Proposal } from './proposal.ts';

export function briefOf(proposal: Proposal, id: string): Brief {
  const { brief, paths, allowances } = proposal;
  return {
    id,
    mission: proposal.goal,
    purpose: proposal.purpose,
    context: brief.context,
    whats_done: brief.whatsDone,
    current_task: brief.currentTask,
    done_criteria: brief.doneCriteria,
    verify_command: proposal.verifyCommand,
    key_decisions: brief.keyDecisions,
    spec: {
      scope: {
        files_owned: paths,
        allow_auth_surface: allowances.includes('auth_surface'),
        allow_billing: allowances.includes('billing'),
        allow_dependency_change: allowances.includes('dependency_change'),
      },
    },
    relevant_memories: brief.relevantMemories,
    // Nothing is deployed by an agent: what leaves the cell is decided by the effects that were approved.
    ship: false,
    audit_gates: proposal.auditGates,
    lifecycle: 'ephemeral',
  };
}
