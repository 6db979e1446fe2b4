// What a job knows of a project once it has verified it, left on the forge under its key's signature, so that the next job of
// that key begins there; and taken over again by one that keeps things on a disk. Moves nothing anybody else believes, and is
// worth no race: who comes too late leaves it.
import { utf8 } from '../format/bytes.ts';
import { filesCommit, type CommittedFile } from '../format/git/files-commit.ts';
import type { Oid } from '../format/git/object.ts';
import { jcs } from '../format/jcs.ts';
import { parsePublicKey } from '../format/openpgp/public-key.ts';
import { knownRef, ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { KNOWN_BYTES_MAX, knownBytes, knownSignature, knownStatement, type OwnKey } from '../ledger/known.ts';
import type { Signer } from '../ports/keys.ts';
import { knownProject, pagesOf } from './project-fold.ts';
import { foldsAt, KNOWN_FILES, knownAt } from './recall-project.ts';
import { keptState } from './verify/snapshots.ts';
import type { Workbench } from './workbench.ts';

/** So many events are verified in a few hundredths of a second, and stand for some thirty missions. */
const EVENTS_BEHIND_MAX = 128;
const NAME = ledgerName(PROJECT_REF);

/** Does nothing where what lies there is new enough, or nothing is kept here. */
export async function leaveProject(bench: Workbench, signer: Signer): Promise<void> {
  const { clock, crypto, folds, pins, repository } = bench.parts;
  const pinned = await pins.read(NAME);
  if (folds?.write === undefined || pinned === undefined || pinned.head.size < EVENTS_BEHIND_MAX) return;
  const ref = knownRef(signer.fingerprint);
  const old = await bench.place.head(ref);
  const { ed25519 } = parsePublicKey(signer.publicKey, crypto);
  const own = { fingerprint: signer.fingerprint, ed25519 };
  const before =
    old === undefined
      ? undefined
      : await knownAt(crypto, repository, { commit: old, own, genesis: pinned.project_genesis });
  if (before !== undefined && pinned.head.size - before.pin.head.size < EVENTS_BEHIND_MAX) return;
  // What this job and others wrote meanwhile is known, and kept, then.
  const { tip } = await knownProject(bench);
  const [pin, core] = await Promise.all([pins.read(NAME), folds.read(NAME, NAME)]);
  if (pin === undefined || core === undefined || core.head.oid !== tip.oid || pin.head.oid !== tip.oid) return;
  const pages: CommittedFile[] = [];
  for (const name of pagesOf(core)) {
    const page = await folds.read(NAME, name);
    if (page === undefined) return;
    pages.push([`${KNOWN_FILES.pages}/${name}`, utf8(jcs(page.value))]);
  }
  const state = keptState(tip);
  const known = knownBytes({ pin, folds: { [NAME]: core, [state.name]: state.kept } });
  if (known.length > KNOWN_BYTES_MAX) return;
  const at = clock.nowSeconds();
  const signature = knownSignature(await signer.sign(knownStatement(crypto, known), at));
  const made = filesCommit(
    crypto,
    [[KNOWN_FILES.known, known], ...pages, [KNOWN_FILES.signature, signature]],
    // Verifying begins at its parent: whoever asks for the commit gets that with the same answer.
    { by: 'known', message: 'known\n', atSeconds: at, parents: [pin.head.oid] },
  );
  const there = old === undefined ? new Set<Oid>() : await blobsOf(bench, old);
  const objects = made.objects.filter(({ oid }) => !there.has(oid));
  await bench.place.move({ objects, updates: [{ ref, old, next: made.commit }] });
}

async function blobsOf({ parts }: Workbench, commit: Oid): Promise<ReadonlySet<Oid>> {
  const found = new Set<Oid>();
  for await (const { oid } of parts.repository.files(commit)) found.add(oid);
  return found;
}

/** For a job with a disk: as if it had kept all that itself. */
export async function keepRecalled(bench: Workbench, own: OwnKey, genesis: string): Promise<void> {
  const { crypto, folds, pins, remote, repository } = bench.parts;
  const ref = knownRef(own.fingerprint);
  if (remote === undefined) return;
  const commit = await bench.place.head(ref);
  if (commit === undefined) return;
  const known = await knownAt(crypto, repository, { commit, own, genesis });
  if (known === undefined) return;
  const left = foldsAt({ remote, repository, soon: () => Promise.resolve() }, commit, known);
  const core = known.folds[NAME];
  const pages = core === undefined ? [] : pagesOf(core);
  for (const name of [...pages, ...Object.keys(known.folds)]) {
    const kept = await left.read(NAME, name);
    if (kept !== undefined) await folds?.write?.(NAME, name, kept);
  }
  await pins.write(NAME, known.pin);
}
