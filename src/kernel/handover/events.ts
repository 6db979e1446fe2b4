// What comes out of a cell: claims (input, never a verdict), the work as one exact commit, and what an independent run said.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION, type Because } from '../traits.ts';
import { Count, Digest, Level, ObjectName, ReasonWord, Uuid } from '../values.ts';

/** All of it comes out of the agent's cell. */
const ofAgentsCell: Because<unknown> = (_, { cell }) => ({ of: [cell], here: ['cell.spawned'] });

/** The agent's own `done.json`. */
const DoneClaimed = defineEvent(
  'done.claimed',
  'work',
  () =>
    z.strictObject({ claim: Digest, fence: Count, status: z.enum(['done_clean', 'pending', 'failed', 'unreadable']) }),
  { in: MISSION, about: 'task', by: ['runner'], because: ofAgentsCell },
);

/** A question handed sideways; the agent goes on with its fallback meanwhile. */
const BlockedRaised = defineEvent('blocked.raised', 'work', () => z.strictObject({ document: Digest, fence: Count }), {
  in: MISSION,
  about: 'task',
  by: ['runner'],
  because: ofAgentsCell,
});

const WorkProposed = defineEvent(
  'work.proposed',
  'work',
  () =>
    z.strictObject({
      base_commit: ObjectName,
      changed_paths: z.int().min(0),
      commit: ObjectName,
      fence: Count,
      /** The file-ownership audit of base..commit, an artifact. */
      scope_audit: Digest,
      tree: ObjectName,
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['runner'],
    because: ofAgentsCell,
    // A runner that goes on all the same hands over to nobody.
    untilCancelled: true,
  },
);

/** Outside the paths, sacred, a link, a submodule, nothing at all: named and gone no further. */
const WorkRefused = defineEvent(
  'work.refused',
  'work',
  () => z.strictObject({ because: ReasonWord, fence: Count, scope_audit: Digest.nullable() }),
  { in: MISSION, about: 'task', by: ['runner'], because: ofAgentsCell },
);

/** One command run in a fresh cell on the exact revision, as the cell's birth and end have it. */
const Check = z.strictObject({
  cell: Uuid,
  /** The command's words are in the plan. */
  check: z.enum(['verify', 'acceptance']),
  exit_code: z.int().min(0).max(255).nullable(),
  level: Level,
  n: Count,
  output: Digest,
});

const VerificationRecorded = defineEvent(
  'verification.recorded',
  'verification',
  () =>
    z.strictObject({
      checks: z.array(Check).min(1).max(64),
      fence: Count,
      revision: ObjectName,
      verdict: z.enum(['satisfied', 'unsatisfied']),
    }),
  { in: MISSION, about: 'task', by: ['runner'], because: () => ({ of: ['work.proposed'] }) },
);

export const handoverEvents = [DoneClaimed, BlockedRaised, WorkProposed, WorkRefused, VerificationRecorded] as const;
