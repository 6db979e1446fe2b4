// The envelope every event shares, in the specification's field names. Positions (index, task_seq, prev_event_hash) are
// not here: they are computed on read, so that a writer who lost a race signs the same bytes again.
import { z } from 'zod';
import { Instant, Slug, Uuid } from './values.ts';
import { PrincipalType } from './principal.ts';

export function defineEvent<Type extends string, Entity extends string, Payload extends z.ZodType>(
  eventType: Type,
  entityType: Entity,
  payload: Payload,
) {
  return z.strictObject({
    actor_id: Slug,
    actor_type: PrincipalType,
    attempt_id: Uuid.optional(),
    /** The event that made this one happen; null for one that starts a chain. */
    causation_id: Uuid.nullable(),
    /** Shared by everything that belongs to one request. */
    correlation_id: Uuid,
    entity_id: Uuid,
    entity_type: z.literal(entityType),
    event_id: Uuid,
    event_type: z.literal(eventType),
    /** Two submissions with one key are one: the second is answered with the first's result. */
    idempotency_key: Uuid,
    occurred_at: Instant,
    payload,
    schema_version: z.literal(1),
    step_id: Uuid.optional(),
    /** The task; for events of a mission as a whole the mission id, of a project the project id. */
    task_id: Uuid,
    workspace_id: Uuid.optional(),
  });
}
