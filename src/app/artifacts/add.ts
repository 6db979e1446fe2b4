// Puts bytes beside a ledger and says so in it. The event and the reference that holds the bytes move together or not
// at all, so that no ledger ever names bytes that were not there.
import { artifactDigest, associatedData, digestHex, saltedBlob } from '../../format/artifact.ts';
import { gitObject, type GitObject, type Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import type { EventDraft } from '../../kernel/draft.ts';
import { ARTIFACT_BYTES_MAX } from '../../kernel/limits.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { artifactsRef, ledgerName } from '../../ledger/names.ts';
import type { ArtifactKit } from '../../ports/artifacts.ts';
import type { Landed, LedgerSession, Submission } from '../ledger-session.ts';
import type { Workbench } from '../workbench.ts';
import { arrange, readShelf, refuseFull } from './shelf.ts';

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
  const { content, mediaType, isEncrypted } = wanted;
  const { crypto, repository } = bench.parts;
  const key = isEncrypted ? kit.cipher.newKey() : undefined;
  const stored = key === undefined ? content : kit.cipher.seal(key, content, associatedData(mediaType));
  const bytes = stored.length;
  if (bytes > ARTIFACT_BYTES_MAX) throw new Failure('artifact_too_large', { bytes, bytes_max: ARTIFACT_BYTES_MAX });
  // Drawn once, so that a retry after a lost race names the same bytes.
  const blob = saltedBlob(kit.cipher.salt(), stored);
  const digest = artifactDigest(crypto, blob);
  const object: GitObject = { ...gitObject(crypto, 'blob', blob), deletable: true };
  // Before the event: a crash in between leaves a key too many, never an artifact that nobody can read.
  if (key !== undefined) await kit.keys.write(digest, key);
  const verdict = await session.submit({
    decide: decide(bench, wanted, { bytes, digest }),
    along: () => shelve(bench, ledgerName(session.ref), digest, object),
  });
  if (verdict.is === 'refused') {
    if (key !== undefined) await kit.keys.destroy(digest);
    await repository.erase([object.oid]);
    return verdict;
  }
  // A remote's shelf may be ahead of ours: looking at it brings it here, with what we just put there.
  if (bench.parts.remote !== undefined) await bench.place.head(artifactsRef(ledgerName(session.ref)));
  return accept({ digest, bytes, landed: verdict.value });
}

/** Asked anew at each attempt: whoever won the race may have moved the shelf as well. */
async function shelve(
  bench: Workbench,
  ledger: string,
  digest: string,
  object: GitObject,
): ReturnType<NonNullable<Submission['along']>> {
  const { parts, place } = bench;
  const ref = artifactsRef(ledger);
  const head = (await place.head(ref)) ?? (parts.remote === undefined ? undefined : await introduce(bench, ref));
  const shelf = await readShelf(parts.repository, head);
  await refuseFull(parts.repository, shelf, { bytes: object.body.length, count: 1 });
  const next = arrange(parts.crypto, shelf, new Map([...shelf.blobs, [digestHex(digest), object.oid]]));
  return { objects: [object, ...next.objects], updates: [{ ref, old: shelf.head, next: next.oid }] };
}

/**
 * Shows a remote an empty shelf first. A server that takes no such reference (git with receive.hideRefs) refuses it even
 * in an atomic push while it moves the ledger: the event would stand there without its bytes, for ever.
 */
async function introduce({ parts, place }: Workbench, ref: string): Promise<Oid | undefined> {
  const { oid, objects } = arrange(parts.crypto, { head: undefined, blobs: new Map() }, new Map());
  const outcome = await place.move({ objects, updates: [{ ref, old: undefined, next: oid }] });
  if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
  return outcome.is === 'landed' ? oid : place.head(ref);
}

function decide(
  { parts }: Workbench,
  { mediaType, isEncrypted, isNote, task }: NewArtifact,
  stored: { readonly bytes: number; readonly digest: string },
): Submission['decide'] {
  const [artifact, note] = [parts.ids.next(), parts.ids.next()];
  return (state) => {
    if (state === undefined) return refuse('ledger_not_opened');
    const about = task ?? state.ledger_id;
    const said = { ...stored, media_type: mediaType };
    const drafts: EventDraft[] = [
      {
        event_type: 'artifact.recorded',
        entity_type: 'artifact',
        entity_id: artifact,
        task_id: about,
        payload: { ...said, encryption: isEncrypted ? 'per_artifact_key' : 'none' },
      },
    ];
    if (isNote)
      drafts.push({
        event_type: 'note.recorded',
        entity_type: 'note',
        entity_id: note,
        task_id: about,
        payload: said,
      });
    return accept(drafts);
  };
}
