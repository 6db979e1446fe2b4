// Shelves as this process last saw or left them, so that one more artifact costs the same however many there are. What is
// remembered is worth nothing unless the reference still names that very commit: the name vouches for all of it.
import type { Crypto } from '../../format/crypto.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import type { Repository } from '../../ports/repository.ts';
import { byFan, readShelf, type Shelf } from './shelf.ts';
import { fanOf, fanTree, rootTree, shelfCommit } from './shelf-trees.ts';

export type ShelfTip = {
  readonly head: Oid | undefined;
  readonly artifacts: number;
  readonly bytes: number;
  readonly fans: ReadonlyMap<string, Fan>;
  readonly root: GitObject;
  /** Whether the commit is what these artifacts make: of somebody else's, none of our trees may be there. */
  readonly isOurs: boolean;
};

type Fan = { readonly blobs: ReadonlyMap<string, Oid>; readonly tree: GitObject };

export type Addition = { readonly digest: string; readonly oid: Oid; readonly bytes: number };

/** As it stood, and as it was to stand: a lost race leaves the first. */
const KEPT_PER_SHELF = 2;

/** A ledger's own, and what was seen of a remote's, of two or three missions. */
const READ_MAX = 8;

export class ShelfMemory {
  readonly #kept = new Map<string, readonly ShelfTip[]>();
  readonly #read = new Map<Oid, Shelf>();

  at(ref: string, head: Oid | undefined): ShelfTip | undefined {
    return this.#kept.get(ref)?.find((one) => one.head === head);
  }

  keep(ref: string, standing: ShelfTip): void {
    const others = (this.#kept.get(ref) ?? []).filter((one) => one.head !== standing.head);
    this.#kept.set(ref, [standing, ...others].slice(0, KEPT_PER_SHELF));
  }

  /** What lies on it, read where that is not known of this very commit. */
  async read(repository: Repository, ref: string, head: Oid | undefined): Promise<Shelf> {
    const standing = this.at(ref, head);
    if (standing !== undefined)
      return { head, blobs: new Map([...standing.fans.values()].flatMap(({ blobs }) => [...blobs])) };
    const known = head === undefined ? undefined : this.#read.get(head);
    if (known !== undefined) return known;
    const shelf = await readShelf(repository, head);
    if (head !== undefined) this.#read.set(head, shelf);
    if (this.#read.size > READ_MAX) this.#read.delete(this.#read.keys().next().value!);
    return shelf;
  }
}

export async function shelfTip(crypto: Crypto, repository: Repository, { head, blobs }: Shelf): Promise<ShelfTip> {
  const sizes = await repository.sizes([...blobs.values()]);
  const fans = new Map([...byFan(blobs)].map(([name, fan]) => [name, { blobs: fan, tree: fanTree(crypto, fan) }]));
  const root = rootTree(crypto, treesOf(fans));
  return {
    head,
    artifacts: blobs.size,
    bytes: sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    fans,
    root,
    isOurs: shelfCommit(crypto, root).oid === head,
  };
}

export function holds({ fans }: ShelfTip, digest: string): boolean {
  return fans.get(fanOf(digest))?.blobs.has(digest) === true;
}

/** The shelf with more on it, and the objects that say so; the artifacts themselves are not among them. */
export function add(
  crypto: Crypto,
  before: ShelfTip,
  added: readonly Addition[],
): { readonly after: ShelfTip; readonly objects: readonly GitObject[] } {
  const touched = new Map<string, Map<string, Oid>>();
  for (const { digest, oid } of added) {
    const name = fanOf(digest);
    const blobs = touched.get(name) ?? new Map(before.fans.get(name)?.blobs);
    touched.set(name, blobs.set(digest, oid));
  }
  const fans = new Map(before.fans);
  for (const [name, blobs] of touched)
    fans.set(name, { blobs, tree: fanTree(crypto, blobs, before.isOurs ? before.fans.get(name)?.tree : undefined) });
  const root = rootTree(crypto, treesOf(fans), before.isOurs ? before.root : undefined);
  const commit = shelfCommit(crypto, root);
  const trees = before.isOurs ? [...touched.keys()].map((name) => fans.get(name)!.tree) : [...treesOf(fans).values()];
  const bytes = added.reduce((sum, one) => sum + one.bytes, before.bytes);
  return {
    after: {
      head: commit.oid,
      artifacts: before.artifacts + added.length,
      bytes,
      fans: new Map([...fans].map(([name, { blobs, tree }]) => [name, { blobs, tree: bare(tree) }])),
      root: bare(root),
      isOurs: true,
    },
    objects: [...trees, root, commit],
  };
}

function treesOf(fans: ReadonlyMap<string, Fan>): Map<string, GitObject> {
  return new Map([...fans].map(([name, { tree }]) => [name, tree]));
}

/** A base is for one push; kept, it would keep every tree before it. */
function bare({ oid, type, body }: GitObject): GitObject {
  return { oid, type, body };
}
