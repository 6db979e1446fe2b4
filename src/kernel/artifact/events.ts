// Artifacts: bytes named by a salted digest, kept in a deletable reference. The ledger says that they were and are gone.
import type { EventType } from '../event.ts';
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { ARTIFACT_BYTES_MAX } from '../limits.ts';
import { Digest, MediaType, ReasonWord } from '../values.ts';
import { overMission, type Rules } from '../rule.ts';
import type { MissionState } from '../state.ts';
import { accept } from '../verdict.ts';

export const ArtifactRecorded = defineEvent(
  'artifact.recorded',
  'artifact',
  () =>
    z.strictObject({
      bytes: z.int().min(0).max(ARTIFACT_BYTES_MAX),
      digest: Digest,
      /** `per_artifact_key`: the stored bytes are sealed under a key of their own; destroying it erases every copy. */
      encryption: z.enum(['none', 'per_artifact_key']),
      media_type: MediaType,
    }),
  {
    in: MISSION,
    about: 'task_or_ledger',
    by: ['person', 'gate', 'runner', 'writer'],
    starts: true,
    beside: true,
    aftercare: true,
  },
);

const ArtifactErased = defineEvent(
  'artifact.erased',
  'artifact',
  () => z.strictObject({ because: ReasonWord, digest: Digest }),
  { in: MISSION, about: 'task_or_ledger', by: ['person', 'gate', 'root'], starts: true, beside: true, aftercare: true },
);

export const artifactEvents = [ArtifactRecorded, ArtifactErased] as const;

export const artifactRules = {
  'artifact.recorded': overMission((state) => accept(counted(state, 'recorded'))),
  'artifact.erased': overMission((state) => accept(counted(state, 'erased'))),
} satisfies Partial<Rules<EventType>>;

function counted(state: MissionState, what: keyof MissionState['artifacts']): MissionState {
  return { ...state, artifacts: { ...state.artifacts, [what]: state.artifacts[what] + 1 } };
}
