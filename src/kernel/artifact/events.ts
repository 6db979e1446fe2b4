// Artifacts: bytes named by a salted digest, kept in a deletable reference. The ledger says that they were and are gone.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { ARTIFACT_BYTES_MAX } from '../limits.ts';
import { Digest, MediaType, ReasonWord } from '../values.ts';

export const ArtifactRecorded = defineEvent(
  'artifact.recorded',
  'artifact',
  z.strictObject({
    bytes: z.int().min(0).max(ARTIFACT_BYTES_MAX),
    digest: Digest,
    /** `per_artifact_key`: the stored bytes are sealed under a key of their own; destroying it erases every copy. */
    encryption: z.enum(['none', 'per_artifact_key']),
    media_type: MediaType,
  }),
);

export const ArtifactErased = defineEvent(
  'artifact.erased',
  'artifact',
  z.strictObject({ because: ReasonWord, digest: Digest }),
);
