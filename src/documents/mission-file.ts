// mission.yaml: a mission as somebody writes it down, and the proposal it makes. Each of the brief's ten sections stands
// in it once, so that none can contradict another. Allows nothing: that is the policy's business.
import { z } from 'zod';
import {
  AuditGates,
  Bullets,
  Context,
  Goal,
  PROSE_CHARACTERS_MAX,
  ShellCommand,
  SomeOwned,
} from '../kernel/contract/brief.ts';
import {
  ACCEPTANCE_CHECKS_MAX,
  Argv,
  Base,
  BUDGET_MINUTES,
  Capability,
  Minutes,
  readProposal,
  sortedSet,
  timeFault,
  TTL_MINUTES,
  type Proposal,
} from '../kernel/proposal/proposal.ts';
import { spelledOut } from '../kernel/scope/globs.ts';
import { Allowance } from '../kernel/scope/sacred.ts';
import { Prose } from '../kernel/text.ts';
import { Backend, Slug, Tier } from '../kernel/values.ts';
import type { Verdict } from '../kernel/verdict.ts';
import { readYaml } from './yaml.ts';

const Text = Prose(PROSE_CHARACTERS_MAX);
const Repository = z.string().regex(/^[A-Za-z0-9_.-]{1,100}\/[A-Za-z0-9_.-]{1,100}$/, 'must be owner/repository');

const MissionFile = z
  .strictObject({
    version: z.literal(1).describe('The form of this file.'),
    goal: Goal.describe('What is to be reached, on one line: the brief’s section Mission.'),
    target: Repository.optional().describe('owner/repository on the forge; left out for the repository at hand.'),
    base: Base.describe('The branch the work starts from.'),
    files_owned: SomeOwned.describe(
      'Paths that may change: plain paths, ? and * within a name, ** for any folders, ! in front to take away. Section Files in Scope.',
    ),
    acceptance: z
      .array(ShellCommand)
      .max(ACCEPTANCE_CHECKS_MAX)
      .describe('Shell commands; each must exit with 0 in a fresh cell on the finished work.'),
    verify_command: ShellCommand.describe('The shell command that proves the work done. Section Verify Command.'),
    agent: z.union([Slug, Argv]).describe('The name of an agent in the policy, or its command as a list of arguments.'),
    tier: Tier.describe(
      'Risk: 0 read only, 1 branch and pull request, 2 merge or release, 3 infrastructure or secrets.',
    ),
    capabilities: z
      .array(Capability)
      .max(Capability.options.length)
      .default([])
      .describe('What it asks for outside its cell.'),
    backend: Backend.default('process').describe('What isolates the cell.'),
    budget_minutes: Minutes.default(BUDGET_MINUTES).describe('Minutes the agent may work.'),
    ttl_minutes: Minutes.default(TTL_MINUTES).describe('Minutes until the cell is closed, whatever happens.'),
    audit_gates: AuditGates.default([]).describe('Audits that must pass before the work counts as done.'),
    allow: z
      .array(Allowance)
      .max(Allowance.options.length)
      .default([])
      .describe('Sacred scopes that this mission opens.'),
    brief: z
      .strictObject({
        purpose: Text.describe('Why this matters. Section Purpose.'),
        context: Context.describe('Section Context.'),
        whats_done: Bullets.describe('Section What’s Done.'),
        current_task: Text.describe('Files, lines, exact changes. Section Current Task.'),
        done_criteria: Text.min(1).describe('A measurable condition. Section Done Criteria.'),
        key_decisions: Bullets.describe('Section Key Decisions.'),
        relevant_memories: Bullets.describe('Section Relevant Memories.'),
      })
      .describe('The sections of the brief that stand nowhere else in this file. Empty is fine, missing is not.'),
  })
  .superRefine(({ budget_minutes: budget, ttl_minutes: ttl }, told) => {
    const fault = timeFault(budget, ttl);
    // Of the two the one that somebody wrote.
    if (fault !== undefined)
      told.addIssue({ code: 'custom', path: [ttl === TTL_MINUTES ? 'budget_minutes' : 'ttl_minutes'], message: fault });
  });
type MissionFile = z.infer<typeof MissionFile>;

export function readMissionFile(text: string, file: string): Verdict<Proposal> {
  const mission = readYaml(text, MissionFile, { code: 'mission_file_invalid', file });
  return mission.is === 'refused' ? mission : readProposal(proposalOf(mission.value));
}

function proposalOf(mission: MissionFile): Proposal {
  const { brief } = mission;
  return {
    schema: 'lazarus.proposal.v1',
    target: targetOf(mission.target),
    base: mission.base,
    goal: mission.goal,
    purpose: brief.purpose,
    brief: {
      context: brief.context,
      whatsDone: brief.whats_done,
      currentTask: brief.current_task,
      doneCriteria: brief.done_criteria,
      keyDecisions: brief.key_decisions,
      relevantMemories: brief.relevant_memories,
    },
    acceptance: mission.acceptance,
    verifyCommand: mission.verify_command,
    paths: sortedSet(mission.files_owned.map(spelledOut)),
    allowances: sortedSet(mission.allow),
    auditGates: sortedSet(mission.audit_gates),
    tier: mission.tier,
    capabilities: sortedSet(mission.capabilities),
    backend: mission.backend,
    budgetMinutes: mission.budget_minutes,
    ttlMinutes: mission.ttl_minutes,
    agent: typeof mission.agent === 'string' ? { name: mission.agent } : { argv: mission.agent },
  };
}

function targetOf(target: string | undefined): Proposal['target'] {
  if (target === undefined) return null;
  const [owner = '', repo = ''] = target.split('/');
  return { owner, repo };
}

// The JSON Schema of mission.yaml, for editors that complete and check while somebody types. Says less than the parser:
// what only a rule can tell is left to it.
export function missionSchemaText(): string {
  const schema = z.toJSONSchema(MissionFile, { io: 'input', target: 'draft-07' });
  return `${JSON.stringify({ ...schema, title: 'lazarus mission' }, null, 2)}\n`;
}
