// Workflow files held against the rules for them: what is about to be written, so that a program that somebody altered
// writes none, and what stands on the branch, so that people hear what a changed one could do. Only files of lazarus:
// whoever may write to a repository can add a workflow of their own on any branch, and keys of jobs count for no more.
import { utf8 } from '../../../format/bytes.ts';
import { Failure } from '../../../failure.ts';
import { lintWorkflow, type Finding } from '../../../forge-text/workflow-lint.ts';
import { WORKFLOW_PATHS, workflows, type ActionPin, type WorkflowRole } from '../../../forge-text/workflows.ts';
import { unwrap } from '../../unwrap.ts';
import type { CommitFile } from '../../../ports/work-tree.ts';

const ROLES = Object.keys(WORKFLOW_PATHS) as WorkflowRole[];

/** Refuses all of them when one breaks a rule: they call each other. */
export function workflowFiles(pin: ActionPin): readonly CommitFile[] {
  const texts = unwrap(workflows(pin));
  const problems = ROLES.flatMap((role) => told(role, lintWorkflow(role, texts[role])));
  if (problems.length > 0)
    throw new Failure('workflow_unsafe', { problems }, { next: 'install lazarus again: its own files were altered' });
  return ROLES.map((role) => ({ path: WORKFLOW_PATHS[role], content: utf8(texts[role]) }));
}

/** Before anything else is written: every rule, and every pin but the project's first event, which may not exist yet. */
export function requireSafeWorkflows(pin: Omit<ActionPin, 'genesis'>): void {
  workflowFiles({ ...pin, genesis: `sha256:${'0'.repeat(64)}` });
}

/** The rules that a file of the branch breaks; none where it is no workflow of ours. */
export function brokenRules(path: string, there: Uint8Array): readonly string[] {
  const role = ROLES.find((one) => WORKFLOW_PATHS[one] === path);
  return role === undefined ? [] : told(role, lintWorkflow(role, lenient.decode(there)));
}

/** What is no UTF-8 breaks a rule or differs all the same. */
const lenient = new TextDecoder();

function told(role: WorkflowRole, findings: readonly Finding[]): readonly string[] {
  return findings.map(({ line, says }) => `${WORKFLOW_PATHS[role]} line ${line}: ${says}`);
}
