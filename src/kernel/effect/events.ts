// Effects: durable intent first, then the deed, then what was seen. An intent without an outcome is observed, never repeated.
import { z } from 'zod';
import { EffectKind } from '../course/classes.ts';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { EFFECTS_PER_ATTEMPT_MAX } from '../limits.ts';
import { Count, Digest, ObjectName, PathGlob, ReasonWord, RootHash, Uuid } from '../values.ts';

const EffectItem = z.strictObject({
  action_request_ref: Uuid,
  /** SHA-256 over the exact effect: target, commit, texts. */
  effect: RootHash,
  kind: EffectKind,
});

/** What is really to be done, computed from the work: what the second approval of tier 2 is for. */
const EffectsComputed = defineEvent(
  'effects.computed',
  'attempt',
  () =>
    z.strictObject({
      effects: z.array(EffectItem).min(1).max(EFFECTS_PER_ATTEMPT_MAX),
      effects_digest: RootHash,
      /** The effects as executors read them: an artifact. */
      params_ref: Digest,
    }),
  { in: MISSION, about: 'task', by: ['writer'], because: () => ({ of: ['verification.recorded'] }) },
);

const EffectIntended = defineEvent(
  'effect.intended',
  'effect',
  () =>
    z.strictObject({
      effect: RootHash,
      fence: Count,
      grant_id: Uuid,
      kind: EffectKind,
      params_ref: Digest,
      target: PathGlob,
      /** The world as it was re-checked just before: the base that the work goes onto. */
      witness: z.strictObject({ base_commit: ObjectName }),
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['writer'],
    because: ({ payload }) => ({ of: [payload.grant_id] }),
    draws: true,
    untilHalted: true,
    untilCancelled: true,
    untilHeld: true,
    needsPaths: true,
  },
);

const EffectObserved = defineEvent(
  'effect.observed',
  'effect',
  () =>
    z.strictObject({
      fence: Count,
      /** The forge's number of what was made, or the object a reference points at now. */
      number: Count.nullable(),
      oid: ObjectName.nullable(),
      outcome: z.enum(['applied', 'refused', 'failed', 'unknown_outcome']),
      reason: ReasonWord,
    }),
  { in: MISSION, about: 'task', by: ['writer'] },
);

export const effectEvents = [EffectsComputed, EffectIntended, EffectObserved] as const;
