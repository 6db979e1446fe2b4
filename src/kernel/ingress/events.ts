// What came in and was understood before it changed anything: a proposal, a vote, a command. The words are artifacts.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { Count, Digest, Instant, Uuid } from '../values.ts';

/** Where a person's words came through; the forge's fields are from the frozen payload, never fetched later. */
export const ForgeOrigin = z
  .strictObject({
    /** SHA-256 of the body as the payload had it: an edit afterwards is visible beside it. */
    body_sha256: Digest,
    /** Null for the issue itself. */
    comment_id: Count.nullable(),
    issue: Count,
    /** Numeric, as the forge counts its repositories: names change hands. */
    repository: Count,
    /** When the issue had this text, by the forge's clock; null for a comment, which counts as it was first written. */
    updated_at: Instant.nullable(),
    /** Numeric: a login can be given to somebody else. */
    user_id: Count,
  })
  .refine(({ comment_id, updated_at }) => (comment_id === null) === (updated_at !== null), {
    path: ['updated_at'],
  });

const IngressRecorded = defineEvent(
  'ingress.recorded',
  'ingress',
  () =>
    z.strictObject({
      chosen_task_id: Uuid.nullable(),
      conversation_id: Uuid,
      forge: ForgeOrigin.nullable(),
      normalized_text: Digest.nullable(),
      raw_text: Digest,
      resolution: z.enum([
        'control',
        'approval',
        'append_note',
        'fork_child',
        'start_new_root',
        'chat_only',
        'pending_disambiguation',
      ]),
      source_channel: z.enum(['cli', 'issue_form', 'issue_comment', 'scheduler']),
      status: z.enum(['bound', 'refused', 'pending_disambiguation']),
    }),
  { in: MISSION, about: 'ledger', by: ['gate', 'person'], fromAnybody: true, starts: true, aftercare: true },
);

export const ingressEvents = [IngressRecorded] as const;
