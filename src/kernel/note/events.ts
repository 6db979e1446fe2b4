// A note: somebody put a text or file beside the mission. The event holds its digest; the bytes are an artifact.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { Count, Digest, MediaType } from '../values.ts';

export const NoteRecorded = defineEvent(
  'note.recorded',
  'note',
  z.strictObject({ bytes: Count, digest: Digest, media_type: MediaType }),
);
