// The envelope every event shares, in the specification's field names. Positions (index, task_seq, prev_event_hash) are
// not here: they are computed on read, so that a writer who lost a race signs the same bytes again.
import { z } from 'zod';
import { Index, Instant, RootHash, Slug, Uuid } from './values.ts';
import type { Traits } from './traits.ts';
import { PrincipalType } from './principal.ts';

/** An event of another ledger, by its place there and the leaf hash of its bytes. */
export const FarCause = z.strictObject({ index: Index, leaf: RootHash, ledger_id: Uuid });
export type FarCause = z.infer<typeof FarCause>;

// Built once for all types.
const IdIfAny = Uuid.optional();
const IdOrNull = Uuid.nullable();
const FarCauseIfAny = FarCause.optional();
const Version = z.literal(1);

/** An event type: its schema, and what it says of itself. */
export function defineEvent<Type extends string, Entity extends string, Payload extends z.ZodType>(
  type: Type,
  entity: Entity,
  payload: () => Payload,
  place: Traits<z.output<Payload>>,
) {
  let built: ReturnType<typeof schemaOf<Type, Entity, Payload>> | undefined;
  return {
    type,
    entity,
    place: place as Traits,
    /** Built for the first event of its type: to build them all takes longer than what most jobs read with them. */
    get schema() {
      return (built ??= schemaOf(type, entity, payload()));
    },
    get shape() {
      return this.schema.shape;
    },
  };
}

function schemaOf<Type extends string, Entity extends string, Payload extends z.ZodType>(
  type: Type,
  entity: Entity,
  payload: Payload,
) {
  return z.strictObject({
    actor_id: Slug,
    actor_type: PrincipalType,
    attempt_id: IdIfAny,
    /** The event of this ledger that made this one happen; null for one that starts a chain, and beside `cause`. */
    causation_id: IdOrNull,
    /** What made it happen, where that stands in another ledger. */
    cause: FarCauseIfAny,
    /** Shared by everything that belongs to one request: in an attempt, that of the ingress which asked for it. */
    correlation_id: Uuid,
    entity_id: Uuid,
    entity_type: z.literal(entity),
    event_id: Uuid,
    event_type: z.literal(type),
    /** Of an effect, the request that it answers; of anything else, its writer's own. */
    idempotency_key: Uuid,
    occurred_at: Instant,
    payload,
    schema_version: Version,
    step_id: IdIfAny,
    /** The task; for events of a mission as a whole the mission id, of a project the project id. */
    task_id: Uuid,
    workspace_id: IdIfAny,
  });
}
