// What a job knows of a project once it has verified it, left on the forge under its key's signature, so that the next job of
// that key begins there; and taken over again by one that keeps things on a disk. Moves nothing anybody else believes, and is
// worth no race: who comes too late leaves it.
import { utf8 } from '../format/bytes.ts';
import { encodeCommit } from '../format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../format/git/object.ts';
import { encodeTree, type TreeEntry } from '../format/git/tree.ts';
import { jcs } from '../format/jcs.ts';
import { parsePublicKey } from '../format/openpgp/public-key.ts';
import { knownRef, ledgerName, PROJECT_REF } from '../ledger/names.ts';
import { KNOWN_BYTES_MAX, knownBytes, knownSignature, knownStatement, type OwnKey } from '../ledger/known.ts';
import type { Crypto } from '../format/crypto.ts';
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
  const size = (await pins.read(NAME))?.head.size ?? 0;
  if (folds?.write === undefined || size < EVENTS_BEHIND_MAX) return;
  const ref = knownRef(signer.fingerprint);
  const old = await bench.place.head(ref);
  const { ed25519 } = parsePublicKey(signer.publicKey, crypto);
  const own = { fingerprint: signer.fingerprint, ed25519 };
  const before = old === undefined ? undefined : await knownAt(crypto, repository, { commit: old, own });
  if (before !== undefined && size - before.pin.head.size < EVENTS_BEHIND_MAX) return;
  // What this job and others wrote meanwhile is known, and kept, then.
  const { tip } = await knownProject(bench);
  const [pin, core] = await Promise.all([pins.read(NAME), folds.read(NAME, NAME)]);
  if (pin === undefined || core === undefined || core.head.oid !== tip.oid || pin.head.oid !== tip.oid) return;
  const pages: [string, Uint8Array][] = [];
  for (const name of pagesOf(core)) {
    const page = await folds.read(NAME, name);
    if (page === undefined) return;
    pages.push([name, utf8(jcs(page.value))]);
  }
  const state = keptState(tip);
  const known = knownBytes({ pin, folds: { [NAME]: core, [state.name]: state.kept } });
  if (known.length > KNOWN_BYTES_MAX) return;
  const at = clock.nowSeconds();
  const signature = knownSignature(await signer.sign(knownStatement(crypto, known), at));
  const made = knownCommit(crypto, { known, signature, pages, head: pin.head.oid, at });
  const there = old === undefined ? new Set<Oid>() : await blobsOf(bench, old);
  const objects = made.objects.filter(({ oid }) => !there.has(oid));
  await bench.place.move({ objects, updates: [{ ref, old, next: made.commit }] });
}

async function blobsOf({ parts }: Workbench, commit: Oid): Promise<ReadonlySet<Oid>> {
  const found = new Set<Oid>();
  for await (const { oid } of parts.repository.files(commit)) found.add(oid);
  return found;
}

type Left = {
  readonly known: Uint8Array;
  readonly signature: Uint8Array;
  readonly pages: readonly (readonly [name: string, body: Uint8Array])[];
  /** Verifying begins there: whoever asks for the commit gets it with the same answer. */
  readonly head: Oid;
  readonly at: number;
};

function knownCommit(
  crypto: Crypto,
  { known, signature, pages, head, at }: Left,
): { readonly objects: readonly GitObject[]; readonly commit: Oid } {
  const objects: GitObject[] = [];
  const add = (type: GitObject['type'], body: Uint8Array): Oid => {
    const object = gitObject(crypto, type, body);
    objects.push(object);
    return object.oid;
  };
  const file = (name: string, body: Uint8Array): TreeEntry => ({ mode: '100644', name, oid: add('blob', body) });
  const folder = (name: string, entries: readonly TreeEntry[]): TreeEntry => ({
    mode: '40000',
    name,
    oid: add('tree', encodeTree(entries)),
  });
  const [outer, inner] = KNOWN_FILES.pages.split('/') as [string, string];
  const entries = [
    file(KNOWN_FILES.known, known),
    folder(outer, [
      folder(
        inner,
        pages.map(([name, body]) => file(name, body)),
      ),
    ]),
    file(KNOWN_FILES.signature, signature),
  ];
  const tree = add('tree', encodeTree(entries));
  const author = { name: 'lazarus', email: 'known@lazarus.invalid', atSeconds: at };
  const commit = add('commit', encodeCommit({ tree, parents: [head], author, message: 'known\n' }));
  return { objects, commit };
}

/** For a job with a disk: as if it had kept all that itself. */
export async function keepRecalled(bench: Workbench, own: OwnKey): Promise<void> {
  const { crypto, folds, pins, remote, repository } = bench.parts;
  const ref = knownRef(own.fingerprint);
  if (remote === undefined) return;
  const commit = await bench.place.head(ref);
  if (commit === undefined) return;
  const known = await knownAt(crypto, repository, { commit, own });
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
