// A note: somebody put a text or file beside the mission. The event holds its digest; the bytes are an artifact.
import type { EventType } from '../event.ts';
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { MISSION } from '../traits.ts';
import { Count, Digest, MediaType } from '../values.ts';
import { overMission, type Rules } from '../rule.ts';
import { accept } from '../verdict.ts';

const NoteRecorded = defineEvent(
  'note.recorded',
  'note',
  () => z.strictObject({ bytes: Count, digest: Digest, media_type: MediaType }),
  { in: MISSION, about: 'task_or_ledger', by: ['person', 'gate', 'runner', 'writer'], starts: true, beside: true },
);

export const noteEvents = [NoteRecorded] as const;

export const noteRules = {
  'note.recorded': overMission((state) => accept({ ...state, notes: state.notes + 1 })),
} satisfies Partial<Rules<EventType>>;
