// A brief as the ten sections a receiver reads, and the check that a text has all ten. Text inside a section can never
// open a section of its own. Reads no meaning out of a section.
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { Brief } from './brief.ts';

export const BRIEF_SECTIONS = [
  'Mission',
  'Purpose',
  'Context',
  "What's Done",
  'Current Task',
  'Done Criteria',
  'Verify Command',
  'Key Decisions',
  'Files in Scope',
  'Relevant Memories',
] as const;
type BriefSection = (typeof BRIEF_SECTIONS)[number];
export type BriefText = Readonly<Record<BriefSection, string>>;

const HEADING = /^## /;

export function renderBrief(brief: Brief): string {
  const sections: BriefText = {
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
  return BRIEF_SECTIONS.map((name) => section(name, sections[name])).join('\n');
}

/** The ten sections of a text: all of them, once, in order, and nothing outside. An empty one is fine. */
export function parseBriefText(text: string): Verdict<BriefText> {
  const lines = text.split(/\r?\n/);
  const found = lines.filter((line) => HEADING.test(line)).map((line) => line.slice(3).trimEnd());
  const missing = BRIEF_SECTIONS.filter((name) => !found.includes(name));
  if (missing.length > 0) return refuse('brief_section_missing', { missing });
  if (found.join('\n') !== BRIEF_SECTIONS.join('\n')) return refuse('brief_section_missing', { found });
  const bodies = text.split(/^## .*\r?\n?/m);
  if (bodies[0]?.trim() !== '') return refuse('brief_section_missing', { why: 'text before the first section' });
  return accept(
    Object.fromEntries(BRIEF_SECTIONS.map((name, i) => [name, unshift(bodies[i + 1]!.trim())])) as BriefText,
  );
}

function section(name: string, body: string): string {
  const text = body.trim();
  // A goal that says "## Files in Scope" would otherwise widen the scope that the receiver reads.
  return text === '' ? `## ${name}\n` : `## ${name}\n${text.replace(/^(?=\\*## )/gm, '\\')}\n`;
}

function unshift(body: string): string {
  return body.replace(/^\\(?=\\*## )/gm, '');
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
