// Erases the bytes of an artifact and says so in the ledger, where every proof stays valid: the digest remains, what it
// was made of does not. Reaches this repository, one remote and the key; says nothing it cannot know of other copies.
import { digestHex } from '../../format/artifact.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { artifactsRef, fetchedRef, ledgerName } from '../../ledger/names.ts';
import type { ArtifactKit } from '../../ports/artifacts.ts';
import type { Landed, LedgerSession } from '../ledger-session.ts';
import { moveBeside } from '../move-beside.ts';
import { localPlace, type Place } from '../place.ts';
import type { Workbench, WorkbenchParts } from '../workbench.ts';
import { copiesOf } from './copies.ts';
import type { Recorded } from './recorded.ts';
import { arrange, readShelf } from './shelf.ts';

export type Erased = {
  /** Undefined when the ledger said so already, and only what was left behind had to go. */
  readonly landed: Landed | undefined;
  /** Whether bytes were found here. */
  readonly wasHere: boolean;
  /** Git has put them into a pack meanwhile, out of which only its own pruning takes them. */
  readonly isPacked: boolean;
  readonly isKeyDestroyed: boolean;
};

/** Can be repeated: after a crash, and in every clone that still has the bytes. */
export async function eraseArtifact(
  bench: Workbench,
  session: () => Promise<LedgerSession>,
  kit: ArtifactKit,
  { ref, artifact, because }: { readonly ref: string; readonly artifact: Recorded; readonly because: string },
): Promise<Verdict<Erased>> {
  const { digest } = artifact;
  const { repository } = bench.parts;
  const shelf = artifactsRef(ledgerName(ref));
  let landed: Landed | undefined;
  if (artifact.erased === undefined) {
    const verdict = await record(bench, await session(), artifact, because);
    if (verdict.is === 'refused') return verdict;
    landed = verdict.value;
  }
  await takeOff(bench, bench.place, shelf, digest);
  // What a fetch left beside our own shelf would keep the bytes alive just as well.
  for (const one of [shelf, fetchedRef(shelf)]) await takeOff(bench, localPlace(repository), one, digest);
  const copies = (await copiesOf(bench, [artifact])).get(digest) ?? [];
  const left = await repository.erase(copies);
  const isKeyDestroyed = await kit.keys.destroy(digest);
  return accept({ landed, wasHere: copies.length > 0, isPacked: left.length > 0, isKeyDestroyed });
}

function record(
  bench: Workbench,
  session: LedgerSession,
  { digest, entity, task }: Recorded,
  because: string,
): Promise<Verdict<Landed>> {
  return session.submit({
    decide: (state) =>
      state === undefined
        ? refuse('ledger_not_opened')
        : accept([
            {
              event_type: 'artifact.erased',
              entity_type: 'artifact',
              entity_id: entity,
              task_id: task,
              payload: { because, digest },
            },
          ]),
    along: async () => {
      const ref = artifactsRef(ledgerName(session.ref));
      const old = await bench.place.head(ref);
      const shelf = await without(bench.parts, old, digest);
      return { objects: shelf?.objects ?? [], updates: shelf === undefined ? [] : [{ ref, old, next: shelf.next }] };
    },
  });
}

/** Moves a shelf on without one artifact. */
function takeOff({ parts }: Workbench, place: Place, ref: string, digest: string): Promise<void> {
  return moveBeside(parts, place, ref, async (old) => ({ value: undefined, ...(await without(parts, old, digest)) }));
}

/** The shelf's next; undefined when it does not have it. */
async function without(
  { crypto, repository }: WorkbenchParts,
  old: Oid | undefined,
  digest: string,
): Promise<{ readonly objects: readonly GitObject[]; readonly next: Oid } | undefined> {
  const shelf = await readShelf(repository, old);
  const blobs = new Map(shelf.blobs);
  if (!blobs.delete(digestHex(digest))) return undefined;
  const { oid, objects } = arrange(crypto, shelf, blobs);
  return { objects, next: oid };
}
