// The events of a mission as a whole: its birth out of a project ledger, and the roster changes it adopts from there.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { CutOff, RosterUpdate } from '../project/events.ts';
import { Digest, TreeHead, Uuid } from '../values.ts';

export const MissionOpened = defineEvent(
  'mission.opened',
  'mission',
  z.strictObject({
    /** The project ledger commit this one grew from: its parent. */
    grew_from: TreeHead,
    mission_id: Uuid,
    project_id: Uuid,
    /** The proposal, an artifact; null while a ledger is opened by hand. */
    proposal: Digest.nullable(),
  }),
);

/** A later roster, with the signatures that made it valid, so that a mission verifies alone. */
export const RosterAdopted = defineEvent('roster.adopted', 'roster', RosterUpdate);
export const CutOffAdopted = defineEvent('cut_off.adopted', 'roster', CutOff);
