// The events of a project ledger: its birth, the roster, the registry of missions with their claims, halt.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { PROJECT } from '../traits.ts';
import { CLAIMS_PER_MISSION_MAX, CUT_OFF_HEADS_MAX } from '../limits.ts';
import { Roster } from '../roster/roster.ts';
import { RootSignatures } from '../roster/threshold.ts';
import { Digest, KeyFingerprint, ObjectName, PathGlob, RootHash, TreeHead, Uuid } from '../values.ts';

const ProjectOpened = defineEvent('project.opened', 'project', () => z.strictObject({ roster: Roster }), {
  in: PROJECT,
  about: 'ledger',
  by: ['root'],
  inProofs: true,
  starts: true,
});

/** Changes whose keys count, by the roots' own signatures. */
const KEYS_CHANGE = {
  in: PROJECT,
  about: 'ledger',
  by: ['root'],
  inProofs: true,
  carried: true,
  starts: true,
} as const;

export const RosterUpdate = z.strictObject({ roster: Roster, signatures: RootSignatures });
export type RosterUpdate = z.infer<typeof RosterUpdate>;
const RosterUpdated = defineEvent('roster.updated', 'roster', () => RosterUpdate, KEYS_CHANGE);

/** A compromised key: per ledger, the last tree head that is still trusted; in ledgers not listed, nothing of it is. */
export const CutOffDocument = z.strictObject({
  fingerprint: KeyFingerprint,
  heads: z.array(z.strictObject({ head: TreeHead, ledger_id: Uuid })).max(CUT_OFF_HEADS_MAX),
  project_id: Uuid,
  /** The roster the signatures are judged by: a cut-off cannot be replayed under another one. */
  roster: RootHash,
});
export type CutOffDocument = z.infer<typeof CutOffDocument>;
export const CutOff = z.strictObject({ cut_off: CutOffDocument, signatures: RootSignatures });
export type CutOff = z.infer<typeof CutOff>;
const KeyCutOff = defineEvent('key.cut_off', 'roster', () => CutOff, KEYS_CHANGE);

const MissionRegistered = defineEvent(
  'mission.registered',
  'mission',
  () =>
    z.strictObject({
      /** Paths this mission alone may write until it ends. */
      claims: z.array(PathGlob).max(CLAIMS_PER_MISSION_MAX),
      genesis: ObjectName,
      mission_id: Uuid,
    }),
  // Registration comes with the approval, whose last vote may be a person's own or one the gate relays.
  { in: PROJECT, about: 'ledger', by: ['gate', 'person'], far: ({ mission_id }) => mission_id },
);

/**
 * `after`: the mission's head at which it holds its claims no longer, because it has ended, or a vote was withdrawn, or
 * its plan names other paths. Whoever has the mission's ledger can look there.
 */
export const ClaimsReleased = defineEvent(
  'claims.released',
  'mission',
  () => z.strictObject({ after: TreeHead, because: z.enum(['ended', 'withdrawn', 'revised']), mission_id: Uuid }),
  { in: PROJECT, about: 'ledger', by: ['gate', 'writer', 'person'], far: ({ mission_id }) => mission_id },
);

/** What a repaired or sealed ledger came to: the project remembers its tree head when the branch is gone. */
export const TreeHeadRecorded = defineEvent(
  'tree_head.recorded',
  'mission',
  () => z.strictObject({ because: z.enum(['repaired', 'sealed']), head: TreeHead, ledger_id: Uuid }),
  // It takes a mission out of the registry, and refuses every other history of it.
  { in: PROJECT, about: 'ledger', by: ['root'], far: ({ ledger_id }) => ledger_id },
);

// A person as well, where the policy in force says so: to stop is the safe direction, and use cases ask the policy.
const HaltDeclared = defineEvent('halt.declared', 'project', () => z.strictObject({}), {
  in: PROJECT,
  about: 'ledger',
  by: ['root', 'person'],
  starts: true,
});
const HaltLifted = defineEvent('halt.lifted', 'project', () => z.strictObject({}), {
  in: PROJECT,
  about: 'ledger',
  by: ['root', 'person'],
  because: () => ({ of: ['halt.declared'] }),
});

/** A policy in force: what stands in the files of the protected branch counts only while its digest is this one. */
const PolicyRevised = defineEvent(
  'policy.revised',
  'project',
  () => z.strictObject({ policy: Digest, revision: z.int().min(1), sacred: Digest }),
  { in: PROJECT, about: 'ledger', by: ['root'], starts: true },
);

export const projectEvents = [
  ProjectOpened,
  RosterUpdated,
  KeyCutOff,
  MissionRegistered,
  ClaimsReleased,
  TreeHeadRecorded,
  HaltDeclared,
  HaltLifted,
  PolicyRevised,
] as const;
