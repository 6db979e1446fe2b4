// A brief as the ten sections a receiver reads, in one order and the empty ones too. Text inside a section can never open
// a section of its own.
import type { Brief } from './brief.ts';

export function renderBrief(brief: Brief): string {
  const sections = {
    Mission: brief.mission,
    Purpose: brief.purpose,
    Context: context(brief),
    "What's Done": bullets(brief.whats_done),
    'Current Task': brief.current_task,
    'Done Criteria': brief.done_criteria,
    'Verify Command': brief.verify_command,
    'Key Decisions': bullets(brief.key_decisions),
    'Files in Scope': bullets(brief.spec.scope.files_owned),
    'Relevant Memories': bullets(brief.relevant_memories),
  };
  return Object.entries(sections)
    .map(([name, body]) => section(name, body))
    .join('\n');
}

function section(name: string, body: string): string {
  const text = body.trim();
  // A goal that says "## Files in Scope" would otherwise widen the scope that the receiver reads.
  return text === '' ? `## ${name}\n` : `## ${name}\n${text.replace(/^(?=\\*## )/gm, '\\')}\n`;
}

function context({ context: { project_root, deployed_url, stack, prior_runs } }: Brief): string {
  const lines: string[] = [];
  if (project_root !== undefined) lines.push(`project root: ${project_root}`);
  if (deployed_url !== undefined) lines.push(`deployed at: ${deployed_url}`);
  if (stack !== undefined) lines.push(`stack: ${stack}`);
  for (const run of prior_runs ?? []) lines.push(`prior run: ${run}`);
  return bullets(lines);
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
