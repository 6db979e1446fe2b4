// From a proposal to the brief its agent gets, and from an issue form's fields to a proposal. Adds nothing of its own:
// sections a form does not ask for stay empty.
import type { Brief } from '../contract/brief.ts';
import { spelledOut } from '../scope/globs.ts';
import type { Verdict } from '../verdict.ts';
import { readProposal, sortedSet, type Capability, type Proposal } from './proposal.ts';

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

/** What an issue form asks for. */
export type FormFields = Pick<
  Proposal,
  'target' | 'base' | 'goal' | 'purpose' | 'verifyCommand' | 'tier' | 'backend' | 'budgetMinutes' | 'ttlMinutes'
> & {
  readonly acceptance: readonly string[];
  readonly paths: readonly string[];
  readonly capabilities: readonly string[];
  /** The name of an agent in the policy: no form carries a command line. */
  readonly agent: string;
};

export function proposalFromForm(form: FormFields): Verdict<Proposal> {
  return readProposal({
    ...form,
    schema: 'lazarus.proposal.v1',
    brief: {
      context: {},
      whatsDone: [],
      currentTask: '',
      doneCriteria: 'The verify command and every acceptance check exit with 0.',
      keyDecisions: [],
      relevantMemories: [],
    },
    acceptance: [...form.acceptance],
    paths: sortedSet(form.paths.map(spelledOut)),
    allowances: [],
    auditGates: [],
    capabilities: sortedSet(form.capabilities) as Capability[],
    agent: { name: form.agent },
  } satisfies Proposal);
}
