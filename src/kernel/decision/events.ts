// A decision: a consequential judgement of a person, with what it rests on. So far one kind: what became of an effect that
// nobody can observe any more.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { Digest, ReasonWord, Uuid } from '../values.ts';

const DecisionRecorded = defineEvent(
  'decision.recorded',
  'decision',
  () =>
    z.strictObject({
      decision_type: z.enum(['uncertainty_resolution']),
      /** What was looked at, for others to look at. */
      evidence_refs: z.array(Digest).max(16),
      outcome: z.enum(['applied', 'not_applied']),
      /** The person's own words: an artifact. */
      rationale: Digest,
      reversible: z.boolean(),
      risk_level: z.enum(['low', 'moderate', 'high', 'critical']),
      /** The effect it is about. */
      subject_ref: Uuid,
      summary: ReasonWord,
    }),
  {
    in: MISSION,
    about: 'task',
    by: ['person'],
    because: ({ payload }) => ({ of: [payload.subject_ref] }),
    draws: true,
  },
);

export const decisionEvents = [DecisionRecorded] as const;
