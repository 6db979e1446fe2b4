// What may never stand in a workflow file of lazarus, whoever wrote it: each rule is an incident that happened to somebody.
// Says where, and never repairs. Knows the files that this version writes, and nothing of a forge.
import { workflowEntries, type Entry } from './workflow-entries.ts';
import { absent, RULES, type Rule } from './workflow-rules.ts';
import type { WorkflowRole } from './workflows.ts';

export type Finding = { readonly rule: Rule | 'unreadable' | 'drift'; readonly line: number; readonly says: string };

export function lintWorkflow(role: WorkflowRole, text: string): readonly Finding[] {
  const entries = workflowEntries(text);
  if (entries.is === 'refused') return [{ rule: 'unreadable', line: 1, says: String(entries.facts['problems']) }];
  const broken = entries.value.flatMap((entry) => brokenBy(role, entry));
  return [...broken, ...absent(role, entries.value).map(({ rule, line }) => finding(rule, line))];
}

/** The first line that is not what this version writes; asked after the rules, which say more. */
export function workflowDrift(written: string, actual: string): Finding | null {
  if (written === actual) return null;
  const expected = written.split('\n');
  const lines = actual.split('\n');
  const at = lines.findIndex((line, i) => line !== expected[i]);
  return {
    rule: 'drift',
    line: (at === -1 ? lines.length : at) + 1,
    says: 'it is not the file that this version writes',
  };
}

function brokenBy(role: WorkflowRole, entry: Entry): Finding[] {
  const names = Object.keys(RULES) as Rule[];
  return names.filter((rule) => RULES[rule].isBroken(role, entry)).map((rule) => finding(rule, entry.line));
}

function finding(rule: Rule, line: number): Finding {
  return { rule, line, says: RULES[rule].says };
}
