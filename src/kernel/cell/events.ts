// Birth and end of a cell. The birth is the intent of running something in it: it stands in the ledger before anything runs.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { Backend, CellRole, Count, Digest, Level, PathGlob, ReasonWord, Slug, Uuid } from '../values.ts';
import { REACH_MAX } from '../limits.ts';

/** By what it is held to: a control group, a watch and the process's own limits, or nothing. */
const Limit = z.enum(['hard', 'soft', 'none']);

/** The project's environments and the agent's own program. */
const ENVIRONMENTS_MAX = 16;
/** As many as an agent may have. */
const ROUTES_MAX = 8;

/** A check’s cell closes what an agent’s began. What prepares for one stands and falls with it. */
const isOfAgent = ({ purpose }: { readonly purpose: string }): boolean => purpose === 'agent';

const CellSpawned = defineEvent(
  'cell.spawned',
  'cell',
  () =>
    z.strictObject({
      /** What was probed on this machine before the birth, as `level`, `limits` and `uid` are. */
      backend: Backend,
      /** Which check of the plan runs in it; null for the agent's. */
      check: Count.nullable(),
      /** By their keys: the prepared entries that stand in it, read-only; of a cell that prepares, the one it makes. */
      environment: z.array(Digest).max(ENVIRONMENTS_MAX),
      epoch: Count,
      fence: Count,
      /** Used by the agent's cell; a check is covered by what made the work. */
      grant_id: Uuid.nullable(),
      level: Level,
      limits: z.strictObject({ cpu: Limit, memory: Limit, processes: Limit }),
      /** The signed `seed.spawn.v1` manifest, an artifact. No seed lives in the cell of a check. */
      manifest: Digest.nullable(),
      /** SHA-256 of the manifest's canonical bytes: what heartbeats and wills cite. */
      manifest_hash: Digest.nullable(),
      purpose: z.enum(['agent', 'check', 'prepare']),
      /** What it opens of what the run asked for: hosts and routes. A check opens nothing. */
      reach: z.array(PathGlob).max(REACH_MAX),
      role: CellRole,
      seed_id: Uuid.nullable(),
      /** The host's number of the user that runs in it. */
      uid: Count,
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['runner'],
    because: ({ payload }) =>
      payload.purpose === 'prepare'
        ? { of: [], here: ['work.proposed', 'lease.acquired'] }
        : { of: [payload.grant_id ?? 'work.proposed'] },
    draws: true,
    untilHalted: isOfAgent,
    untilCancelled: isOfAgent,
    untilHeld: isOfAgent,
    needsPaths: isOfAgent,
  },
);

const CellClosed = defineEvent(
  'cell.closed',
  'cell',
  () =>
    z.strictObject({
      because: ReasonWord,
      exit_code: z.int().min(0).max(255).nullable(),
      /** What the cell really got and used, and what was left of it (nothing): an artifact. */
      facts: Digest.nullable(),
      fence: Count,
      /** What is kept of what it printed: an artifact. */
      output: Digest.nullable(),
      outcome: z.enum(['completed', 'failed', 'expired', 'lost']),
      /** Per route, by the providers' own answers; `guessed`: as many calls whose answers did not say it, or not to the end. */
      spent: z
        .array(z.strictObject({ calls: Count, guessed: Count, route: Slug, tokens_in: Count, tokens_out: Count }))
        .max(ROUTES_MAX),
    }),
  { in: MISSION, about: 'task', by: ['gate', 'runner'] },
);

export const cellEvents = [CellSpawned, CellClosed] as const;
