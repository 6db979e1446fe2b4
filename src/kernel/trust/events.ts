// Events about the ledger itself: repair after garbage was pushed onto it, its end, and what a threshold says of
// transactions whose key was cut off.
import { z } from 'zod';
import { defineEvent } from '../envelope.ts';
import { FOREIGN_COMMITS_MAX } from '../limits.ts';
import { RootSignatures } from '../roster/threshold.ts';
import { Index, KeyFingerprint, ObjectName, RootHash, TreeHead, Uuid } from '../values.ts';

/** Names what is foreign: everything reachable from `foreign_tip` and not from `valid_head`. */
export const RepairDocument = z.strictObject({
  foreign_count: z.int().min(1).max(FOREIGN_COMMITS_MAX),
  foreign_tip: ObjectName,
  ledger_id: Uuid,
  roster: RootHash,
  valid_head: TreeHead,
});
export type RepairDocument = z.infer<typeof RepairDocument>;
export const LedgerRepaired = defineEvent(
  'ledger.repaired',
  'ledger',
  z.strictObject({ repair: RepairDocument, signatures: RootSignatures }),
);

export const LedgerSealed = defineEvent('ledger.sealed', 'ledger', z.strictObject({}));

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
export const TrustAnnotated = defineEvent(
  'trust.annotated',
  'ledger',
  z.strictObject({ annotation: AnnotationDocument, signatures: RootSignatures }),
);
