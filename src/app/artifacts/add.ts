// Puts bytes beside a ledger and says so in it. The event and the reference that holds the bytes move together or not
// at all, so that no ledger ever names bytes that were not there.
import type { EventDraft } from '../../kernel/draft.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { artifactsRef, ledgerName } from '../../ledger/names.ts';
import type { ArtifactKit } from '../../ports/artifacts.ts';
import type { Landed, LedgerSession, Submission } from '../ledger-session.ts';
import type { Workbench } from '../workbench.ts';
import { discardDocuments, drawDocuments, recordedDraft, shelve, type DrawnDocument } from './documents.ts';

export type NewArtifact = {
  readonly content: Uint8Array;
  readonly mediaType: string;
  readonly isEncrypted: boolean;
  /** Also say, in the same transaction, that it is a note to the mission. */
  readonly isNote: boolean;
  /** The task it belongs to; the mission itself when left out. */
  readonly task?: string | undefined;
};

export type Added = { readonly digest: string; readonly bytes: number; readonly landed: Landed };

export async function addArtifact(
  bench: Workbench,
  session: LedgerSession,
  kit: ArtifactKit,
  wanted: NewArtifact,
): Promise<Verdict<Added>> {
  const drawn = await drawDocuments(bench, kit, [wanted]);
  const [document] = drawn as readonly [DrawnDocument];
  await document.keepKey();
  const ledger = ledgerName(session.ref);
  const verdict = await session.submit({
    decide: decide(bench, wanted, document),
    along: () => shelve(bench, ledger, drawn),
  });
  if (verdict.is === 'refused') {
    await discardDocuments(bench, drawn);
    return verdict;
  }
  // A remote's shelf may be ahead of ours: looking at it brings it here, with what we just put there.
  if (bench.parts.remote !== undefined) await bench.place.head(artifactsRef(ledger));
  return accept({ digest: document.digest, bytes: document.bytes, landed: verdict.value });
}

function decide(
  { parts }: Workbench,
  { mediaType, isNote, task }: NewArtifact,
  drawn: DrawnDocument,
): Submission['decide'] {
  const note = parts.ids.next();
  const { bytes, digest } = drawn;
  return (state) => {
    if (state === undefined) return refuse('ledger_not_opened');
    const drafts: EventDraft[] = [recordedDraft(drawn, state.ledger_id)];
    if (isNote)
      drafts.push({
        event_type: 'note.recorded',
        entity_type: 'note',
        entity_id: note,
        task_id: task ?? state.ledger_id,
        payload: { bytes, digest, media_type: mediaType },
      });
    return accept(drafts);
  };
}
