// What became of a mission's attempts, folded event by event: when each part of one was over, how its cells ended, and the
// documents that say more. Instants are its signers' words. Decides nothing.
import { z } from 'zod';
import type { Event, EventOf } from '../../kernel/event.ts';
import { Count, Digest, Instant, ObjectName, ReasonWord, Slug, Uuid } from '../../kernel/values.ts';

/** Of an agent, of what prepared for it, of a check. */
const Closed = z.strictObject({
  because: ReasonWord,
  exit_code: Count.nullable(),
  facts: Digest.nullable(),
  output: Digest.nullable(),
});

/** In the order in which they come. */
const Moment = z.enum(['created', 'born', 'handed_over', 'checked', 'intended', 'over']);
export type Moment = z.infer<typeof Moment>;

export const ToldAttempt = z.lazy(() =>
  z.strictObject({
    id: Uuid,
    no: Count,
    at: z.partialRecord(Moment, Instant),
    /** Why it failed: called off, or given up for another plan, is neither. */
    because: ReasonWord.nullable(),
    agent: Closed.nullable(),
    /** The first that did not end well. */
    prepare: Closed.nullable(),
    /** Those that did not end well, by their number in the plan. */
    checks: z.array(z.strictObject({ n: Count, ...Closed.shape })),
    audit: Digest.nullable(),
    work: ObjectName.nullable(),
    /** What the agent began from, and who held the lease for it. */
    base: ObjectName.nullable(),
    lease: z.strictObject({ holder: Slug, fence: Count }).nullable(),
    /** Cells that are open, with the number of the check that runs in one. */
    open: z.record(Uuid, z.strictObject({ purpose: z.enum(['agent', 'check', 'prepare']), check: Count.nullable() })),
  }),
);
export type ToldAttempt = z.infer<typeof ToldAttempt>;

/** Nobody asks for more of them, and a plan has fewer. */
const ATTEMPTS_TOLD = 8;

/** Changes the list in place. `base`: of the plan in force. */
export function tellAttempt(attempts: ToldAttempt[], event: Event, base: string | undefined): void {
  const { attempt_id: of, occurred_at: at } = event;
  if (event.event_type === 'attempt.created') {
    attempts.push(begun(event));
    if (attempts.length > ATTEMPTS_TOLD) attempts.shift();
    return;
  }
  const attempt = attempts.find(({ id }) => id === of);
  if (attempt === undefined) return;
  switch (event.event_type) {
    case 'lease.acquired': {
      const { mode, fence, holder_principal_id: holder } = event.payload;
      if (mode === 'isolated') attempt.lease = { holder, fence };
      return;
    }
    case 'cell.spawned':
      attempt.base ??= base ?? null;
      return spawned(attempt, event);
    case 'cell.closed':
      return closed(attempt, event);
    case 'work.proposed':
      attempt.work = event.payload.commit;
      attempt.audit = event.payload.scope_audit;
      return;
    case 'work.refused':
      attempt.audit = event.payload.scope_audit;
      return;
    case 'verification.recorded':
      attempt.at.checked = at;
      return;
    case 'effect.intended':
      attempt.at.intended ??= at;
      return;
    case 'attempt.failed':
      attempt.because = event.payload.because;
      attempt.at.over = at;
      return;
    case 'attempt.cancelled':
    case 'attempt.superseded':
    case 'attempt.succeeded':
      attempt.at.over = at;
      return;
    default:
  }
}

function begun({ entity_id: id, occurred_at, payload }: EventOf<'attempt.created'>): ToldAttempt {
  return {
    id,
    no: payload.attempt_no,
    at: { created: occurred_at },
    because: null,
    agent: null,
    prepare: null,
    checks: [],
    audit: null,
    work: null,
    base: null,
    lease: null,
    open: {},
  };
}

function spawned(attempt: ToldAttempt, { entity_id, occurred_at, payload }: EventOf<'cell.spawned'>): void {
  const { purpose, check } = payload;
  attempt.open[entity_id] = { purpose, check };
  if (purpose === 'agent') attempt.at.born = occurred_at;
}

function closed(attempt: ToldAttempt, { entity_id, occurred_at, payload }: EventOf<'cell.closed'>): void {
  const cell = attempt.open[entity_id];
  if (cell === undefined) return;
  delete attempt.open[entity_id];
  const { because, exit_code, facts, output, outcome } = payload;
  const how = { because, exit_code, facts, output };
  if (cell.purpose === 'agent') {
    attempt.agent = how;
    attempt.at.handed_over = occurred_at;
  } else if (outcome !== 'completed') {
    if (cell.purpose === 'prepare') attempt.prepare ??= how;
    else attempt.checks.push({ n: cell.check ?? 0, ...how });
  }
}
