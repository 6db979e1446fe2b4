// Events about the ledger itself: repair after garbage was pushed onto it, its end, and what a threshold says of
// transactions whose key was cut off.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { EITHER } from '../traits.ts';
import { FOREIGN_COMMITS_MAX } from '../limits.ts';
import { RootSignatures } from '../roster/threshold.ts';
import { Index, KeyFingerprint, ObjectName, RootHash, TreeHead, Uuid } from '../values.ts';

/** Of the threshold, whose signatures are in it; a root appends it. */
const ROOTS_WORD = {
  in: EITHER,
  about: 'ledger',
  by: ['root'],
  inProofs: true,
  starts: true,
  aftercare: true,
} as const;

/** Names what is foreign: everything reachable from `foreign_tip` and not from `valid_head`. */
export const RepairDocument = z.strictObject({
  foreign_count: z.int().min(1).max(FOREIGN_COMMITS_MAX),
  foreign_tip: ObjectName,
  ledger_id: Uuid,
  roster: RootHash,
  valid_head: TreeHead,
});
export type RepairDocument = z.infer<typeof RepairDocument>;
const LedgerRepaired = defineEvent(
  'ledger.repaired',
  'ledger',
  () => z.strictObject({ repair: RepairDocument, signatures: RootSignatures }),
  ROOTS_WORD,
);

/** The threshold's word that a ledger is over. The roster is in it, so that it counts for one roster only. */
export const SealDocument = z.strictObject({ ledger_id: Uuid, roster: RootHash });
export type SealDocument = z.infer<typeof SealDocument>;
const LedgerSealed = defineEvent(
  'ledger.sealed',
  'ledger',
  () => z.strictObject({ seal: SealDocument, signatures: RootSignatures }),
  ROOTS_WORD,
);

/** The roots' judgement on the events [from, until) of a cut-off key. */
export const AnnotationDocument = z.strictObject({
  fingerprint: KeyFingerprint,
  from: Index,
  judgement: z.enum(['accepted', 'rejected']),
  ledger_id: Uuid,
  roster: RootHash,
  until: Index,
});
export type AnnotationDocument = z.infer<typeof AnnotationDocument>;
const TrustAnnotated = defineEvent(
  'trust.annotated',
  'ledger',
  () => z.strictObject({ annotation: AnnotationDocument, signatures: RootSignatures }),
  ROOTS_WORD,
);

export const trustEvents = [LedgerRepaired, LedgerSealed, TrustAnnotated] as const;
