// A document that several roots must sign, as a file that travels between them. Whoever hands it over is not trusted:
// it is read strictly, and a signature in it counts only once it was checked. Knows no file system and no ledger.
import { z } from 'zod';
import { jcs, parseCanonical } from '../../format/jcs.ts';
import { Failure } from '../../failure.ts';
import { SIGNATURES_MAX } from '../../kernel/limits.ts';
import { CutOffDocument } from '../../kernel/project/events.ts';
import { Roster } from '../../kernel/roster/roster.ts';
import { RootSignature } from '../../kernel/roster/threshold.ts';
import { AnnotationDocument, RepairDocument, SealDocument } from '../../kernel/trust/events.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';

const common = {
  kind: z.literal('lazarus.draft'),
  schema_version: z.literal(1),
  /** Sorted by fingerprint; none at first. */
  signatures: z.array(RootSignature).max(SIGNATURES_MAX),
};

export const ThresholdDraft = z.discriminatedUnion('purpose', [
  z.strictObject({ ...common, purpose: z.literal('roster'), document: Roster }),
  z.strictObject({ ...common, purpose: z.literal('cut-off'), document: CutOffDocument }),
  z.strictObject({ ...common, purpose: z.literal('repair'), document: RepairDocument }),
  z.strictObject({ ...common, purpose: z.literal('seal'), document: SealDocument }),
  z.strictObject({ ...common, purpose: z.literal('annotation'), document: AnnotationDocument }),
]);
export type ThresholdDraft = z.infer<typeof ThresholdDraft>;
export type Matter = {
  [P in ThresholdDraft['purpose']]: { purpose: P; document: Extract<ThresholdDraft, { purpose: P }>['document'] };
}[ThresholdDraft['purpose']];

/** A full roster of 64 members with 4 keys each is a third of this. */
const DRAFT_CHARACTERS_MAX = 1024 * 1024;

export function draftOf(matter: Matter): ThresholdDraft {
  return { kind: 'lazarus.draft', schema_version: 1, signatures: [], ...matter };
}

export function encodeDraft(draft: ThresholdDraft): string {
  return `${jcs(draft)}\n`;
}

export function decodeDraft(text: string): Verdict<ThresholdDraft> {
  if (text.length > DRAFT_CHARACTERS_MAX) return refuse('draft_malformed', { characters_max: DRAFT_CHARACTERS_MAX });
  try {
    // Mail and editors change the last line end; nothing else may differ, so that everybody reads the same document.
    const parsed = ThresholdDraft.safeParse(parseCanonical(text.trimEnd()));
    if (parsed.success) return accept(parsed.data);
    return refuse('draft_malformed', { at: parsed.error.issues[0]?.path.map(String).join('.') ?? '' });
  } catch (cause) {
    if (cause instanceof Failure) return refuse('draft_malformed', { because: cause.code });
    throw cause;
  }
}

/** The draft with one more signature; one by the same key is replaced. */
export function withSignature(draft: ThresholdDraft, added: RootSignature): ThresholdDraft {
  const others = draft.signatures.filter((one) => one.fingerprint !== added.fingerprint);
  const signatures = [...others, added].sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  return { ...draft, signatures };
}

/** Copies of one draft that were signed apart from each other, as one. */
export function mergeDrafts(first: ThresholdDraft, others: readonly ThresholdDraft[]): Verdict<ThresholdDraft> {
  let merged = first;
  for (const other of others) {
    if (other.purpose !== first.purpose || jcs(other.document) !== jcs(first.document))
      return refuse('draft_mismatch', { purpose: first.purpose, other: other.purpose });
    for (const signature of other.signatures) merged = withSignature(merged, signature);
  }
  return accept(merged);
}
