// brief.json: what is handed down with a piece of work, field by field as the protocol has it. Immutable once
// dispatched. Knows nothing of how it gets to the receiver; as text it is in `brief-text.ts`.
import { z } from 'zod';
import { CLAIMS_PER_MISSION_MAX, GOAL_CHARACTERS_MAX } from '../limits.ts';
import { Glob } from '../scope/globs.ts';
import { Line, Prose } from '../text.ts';
import { Slug, Uuid } from '../values.ts';

export const PROSE_CHARACTERS_MAX = 8000;
const COMMAND_CHARACTERS_MAX = 2000;
const LIST_ENTRIES_MAX = 64;
const LINE_CHARACTERS_MAX = 500;

export const Goal = Line(GOAL_CHARACTERS_MAX);
/** A shell command, not prose; what it says is tried in a cell, never here. */
export const ShellCommand = Line(COMMAND_CHARACTERS_MAX);
export const Bullets = z.array(Line(LINE_CHARACTERS_MAX)).max(LIST_ENTRIES_MAX);
export const AuditGates = z.array(Slug).max(LIST_ENTRIES_MAX);
const FilesOwned = z.array(Glob).max(CLAIMS_PER_MISSION_MAX);
/** What a proposal must name at least: to own nothing is to be able to do nothing. */
export const SomeOwned = FilesOwned.refine(
  (globs) => globs.some((glob) => !glob.startsWith('!')),
  'says nowhere what may change',
);

export const Context = z.strictObject({
  project_root: Line(LINE_CHARACTERS_MAX).optional(),
  deployed_url: Line(LINE_CHARACTERS_MAX).optional(),
  stack: Line(LINE_CHARACTERS_MAX).optional(),
  prior_runs: Bullets.optional(),
});

export const Brief = z.lazy(() =>
  z.strictObject({
    id: Uuid.optional(),
    mission: Goal,
    purpose: Prose(PROSE_CHARACTERS_MAX),
    context: Context.default({}),
    whats_done: Bullets.default([]),
    current_task: Prose(PROSE_CHARACTERS_MAX).default(''),
    done_criteria: Prose(PROSE_CHARACTERS_MAX).refine((text) => text.trim() !== '', 'is blank'),
    verify_command: ShellCommand,
    key_decisions: Bullets.default([]),
    spec: z.strictObject({
      scope: z.strictObject({
        files_owned: FilesOwned,
        /** Operations the receiver may carry out although they cannot be undone; absent means none. */
        destructive: Bullets.optional(),
        allow_auth_surface: z.boolean().optional(),
        allow_billing: z.boolean().optional(),
        allow_dependency_change: z.boolean().optional(),
      }),
    }),
    relevant_memories: Bullets.default([]),
    ship: z.boolean().default(false),
    audit_gates: AuditGates.default([]),
    lifecycle: z.enum(['ephemeral', 'persistent']).default('ephemeral'),
  }),
);
export type Brief = z.infer<typeof Brief>;

export function firstIssue(error: z.ZodError): { readonly at: string; readonly why: string } {
  const issue = error.issues[0];
  return { at: issue?.path.map(String).join('.') ?? '', why: issue?.message ?? '' };
}
