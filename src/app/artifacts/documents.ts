// Documents on their way into a ledger: salted, perhaps encrypted, and named by a digest that every retry keeps, with the
// shelf that holds their bytes moving in the change that names them. Decides nothing about who may record them.
import { artifactDigest, associatedData, digestHex, saltedBlob } from '../../format/artifact.ts';
import { gitObject, type GitObject, type Oid } from '../../format/git/object.ts';
import { Failure } from '../../failure.ts';
import type { EventDraft } from '../../kernel/draft.ts';
import { ARTIFACT_BYTES_MAX } from '../../kernel/limits.ts';
import { artifactsRef, ledgerName, PROJECT_REF } from '../../ledger/names.ts';
import type { ArtifactKit } from '../../ports/artifacts.ts';
import type { Change } from '../../ports/repository.ts';
import type { Workbench } from '../workbench.ts';
import { arrange, refuseFull } from './shelf.ts';
import { add, shelfTip } from './shelf-tip.ts';

export type NewDocument = {
  readonly content: Uint8Array;
  readonly mediaType: string;
  readonly isEncrypted?: boolean;
  /** The task it belongs to; the mission itself when left out. */
  readonly task?: string | undefined;
};

type Document = { readonly digest: string; readonly bytes: number; readonly mediaType: string };

export type DrawnDocument = Document & {
  readonly entity: string;
  readonly task: string | undefined;
  readonly encryption: 'none' | 'per_artifact_key';
  readonly object: GitObject;
  /** Before the event: a crash in between leaves a key too many, never a document that nobody can read. */
  readonly keepKey: () => Promise<void>;
  readonly destroyKey: () => Promise<void>;
};

/** Salt and key are drawn once: digests are known before anything is decided, and survive retries. */
export async function drawDocuments(
  { parts }: Workbench,
  kit: ArtifactKit,
  wanted: readonly NewDocument[],
): Promise<readonly DrawnDocument[]> {
  return wanted.map(({ content, mediaType, isEncrypted = false, task }) => {
    const key = isEncrypted ? kit.cipher.newKey() : undefined;
    const stored = key === undefined ? content : kit.cipher.seal(key, content, associatedData(mediaType));
    const bytes = stored.length;
    if (bytes > ARTIFACT_BYTES_MAX) throw new Failure('artifact_too_large', { bytes, bytes_max: ARTIFACT_BYTES_MAX });
    const blob = saltedBlob(kit.cipher.salt(), stored);
    const digest = artifactDigest(parts.crypto, blob);
    return {
      digest,
      bytes,
      mediaType,
      entity: parts.ids.next(),
      task,
      encryption: isEncrypted ? 'per_artifact_key' : 'none',
      object: { ...gitObject(parts.crypto, 'blob', blob), deletable: true },
      keepKey: async () => {
        if (key !== undefined) await kit.keys.write(digest, key);
      },
      destroyKey: async () => {
        if (key !== undefined) await kit.keys.destroy(digest);
      },
    };
  });
}

export function recordedDraft(drawn: DrawnDocument, missionId: string): EventDraft {
  const { digest, bytes, mediaType, encryption, entity, task } = drawn;
  return {
    event_type: 'artifact.recorded',
    entity_type: 'artifact',
    entity_id: entity,
    task_id: task ?? missionId,
    payload: { digest, bytes, media_type: mediaType, encryption },
  };
}

/** For documents that no ledger names, and none ever will: nothing of them stays. */
export async function discardDocuments({ parts }: Workbench, drawn: readonly DrawnDocument[]): Promise<void> {
  for (const { destroyKey } of drawn) await destroyKey();
  if (drawn.length > 0) await parts.repository.erase(drawn.map(({ object }) => object.oid));
}

/** Asked anew at each attempt: whoever won the race may have moved the shelf as well. */
export async function shelve(bench: Workbench, ledger: string, drawn: readonly DrawnDocument[]): Promise<Change> {
  if (drawn.length === 0) return { objects: [], updates: [] };
  const { parts, place } = bench;
  const ref = artifactsRef(ledger);
  const head = (await place.head(ref)) ?? ((await isIntroduced(bench)) ? undefined : await introduce(bench, ref));
  const { crypto, repository } = parts;
  const standing =
    bench.shelves.at(ref, head) ??
    (await shelfTip(crypto, repository, await bench.shelves.read(repository, ref, head)));
  const added = drawn.map(({ digest, object }) => ({
    digest: digestHex(digest),
    oid: object.oid,
    bytes: object.body.length,
  }));
  const bytes = added.reduce((sum, one) => sum + one.bytes, 0);
  refuseFull(standing, { bytes, count: added.length });
  const { after, objects } = add(crypto, standing, added);
  for (const one of [standing, after]) bench.shelves.keep(ref, one);
  return {
    objects: [...drawn.map(({ object }) => object), ...objects],
    updates: [{ ref, old: head, next: after.head }],
  };
}

/**
 * A shelf has no history, so that ours stays behind where a remote's went on without us. Looking at that brings it here,
 * with what we just put there: otherwise git would prune our bytes as nobody's.
 */
export async function bringHere({ parts, place }: Workbench, { updates }: Change): Promise<void> {
  if (parts.remote === undefined) return;
  for (const { ref, old, next } of updates) {
    const ours = await parts.repository.resolve(ref);
    if (ours !== undefined && ours !== old && ours !== next) await place.head(ref);
  }
}

/**
 * Shows a remote an empty shelf, the project's, once and for all missions. A server that takes no such reference (git with
 * receive.hideRefs) refuses it even in an atomic push while it moves the ledger: the event would stand there without its
 * bytes, for ever.
 */
export async function introduceShelves(bench: Workbench): Promise<void> {
  if (!(await isIntroduced(bench))) await introduce(bench, PROJECT_SHELF);
}

const PROJECT_SHELF = artifactsRef(ledgerName(PROJECT_REF));

async function isIntroduced({ parts: { remote } }: Workbench): Promise<boolean> {
  return remote === undefined || (await remote.heads([PROJECT_SHELF])).size > 0;
}

/** Where nobody has done that: a push of its own for the first document of each ledger. */
async function introduce({ parts, place }: Workbench, ref: string): Promise<Oid | undefined> {
  const { oid, objects } = arrange(parts.crypto, { head: undefined, blobs: new Map() }, new Map());
  const outcome = await place.move({ objects, updates: [{ ref, old: undefined, next: oid }] });
  if (outcome.is === 'refused') throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
  return outcome.is === 'landed' ? oid : place.head(ref);
}
