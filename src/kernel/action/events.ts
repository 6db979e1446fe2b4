// A typed request to do something outside a cell, and what policy answers to it.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { Count, Digest, PathGlob, ReasonWord, Uuid } from '../values.ts';
import { ActionClass, EffectKind } from '../course/classes.ts';

const ActionRequested = defineEvent(
  'action.requested',
  'action_request',
  () =>
    z.strictObject({
      action_class: ActionClass,
      /** What it would do, if it is an effect; running an agent is none. */
      kind: EffectKind.nullable(),
      params_ref: Digest.nullable(),
      reversibility_hint: z.enum(['reversible', 'partly_reversible', 'irreversible', 'unknown']),
      target_resources: z.array(PathGlob).max(32),
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'runner', 'writer'],
    because: (_, { attempt }) => ({ here: [attempt, 'plan.computed'], of: [attempt] }),
    draws: true,
  },
);

const PolicyEvaluated = defineEvent(
  'policy.evaluated',
  'policy_result',
  () =>
    z.strictObject({
      action_request_ref: Uuid,
      policy: z.strictObject({ digest: Digest, revision: Count }),
      /** The rules that spoke, by name. */
      reasons: z.array(ReasonWord).max(16),
      result: z.enum(['allow', 'require_approval', 'deny', 'downgrade']),
      risk: z.enum(['low', 'moderate', 'high', 'critical']),
      witness_required: z.boolean(),
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['gate', 'writer'],
    because: ({ payload }) => ({ of: [payload.action_request_ref] }),
    draws: true,
  },
);

export const actionEvents = [ActionRequested, PolicyEvaluated] as const;
