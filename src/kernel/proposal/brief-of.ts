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

type Told = { readonly title: string; readonly text: string };

/** The words of a brief that are no terms of the plan, for whoever decides about it. */
export function toldBesides({ purpose, brief, goal }: Proposal): readonly Told[] {
  const words: readonly (readonly [title: string, texts: readonly string[]])[] = [
    ['Purpose', [purpose]],
    ['Context', contextWords(brief.context)],
    ['What is done', brief.whatsDone],
    ['Task', [brief.currentTask]],
    ['Done when', [brief.doneCriteria]],
    ['Decided', brief.keyDecisions],
    ['Memories', brief.relevantMemories],
  ];
  return words.flatMap(([title, texts]) => {
    const text = texts.filter((one) => one !== '' && one !== goal).join('\n');
    return text === '' ? [] : [{ title, text }];
  });
}

/** Where its project lies in a cell is the same for all. */
function contextWords({ deployed_url, stack, prior_runs = [] }: Proposal['brief']['context']): readonly string[] {
  return [deployed_url ?? '', stack ?? '', ...prior_runs];
}
