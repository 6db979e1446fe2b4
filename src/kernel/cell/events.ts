// Birth and end of a cell. The birth is the intent of running the agent: it stands in the ledger before anything runs.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { Backend, Count, Digest, Level, ReasonWord, Uuid } from '../values.ts';

export const CellSpawned = defineEvent(
  'cell.spawned',
  'cell',
  z.strictObject({
    backend: Backend,
    epoch: Count,
    fence: Count,
    grant_id: Uuid,
    /** What was probed on this machine, before the spawn. */
    level: Level,
    /** The signed `seed.spawn.v1` manifest, an artifact. */
    manifest: Digest,
    /** SHA-256 of the manifest's canonical bytes: what heartbeats and wills cite. */
    manifest_hash: Digest,
    role: z.enum(['director', 'executor', 'observer', 'guest', 'substitute']),
    seed_id: Uuid,
  }),
);

export const CellClosed = defineEvent(
  'cell.closed',
  'cell',
  z.strictObject({
    because: ReasonWord,
    exit_code: z.int().min(0).max(255).nullable(),
    /** What the cell really got and used, and what was left of it (nothing): an artifact. */
    facts: Digest.nullable(),
    fence: Count,
    /** What it printed, redacted: an artifact. */
    output: Digest.nullable(),
    outcome: z.enum(['completed', 'failed', 'expired', 'lost']),
  }),
);
