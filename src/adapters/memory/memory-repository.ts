// A repository that lives in memory and answers like the one on disk, for a job that lives for seconds and for tests.
// Keeps every promise of the port but durability.
import { Failure } from '../../failure.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { isRefName } from '../../format/git/ref-name.ts';
import type { Change, Repository, RefUpdate, TreePath } from '../../ports/repository.ts';
import { entriesOf, parentsOf, treeOf } from '../../format/git/any-object.ts';

export function createMemoryRepository(stateDir = '/memory/lazarus'): Repository {
  return new MemoryRepository(stateDir);
}

class MemoryRepository implements Repository {
  readonly stateDir: string;
  readonly #objects = new Map<Oid, GitObject>();
  readonly #references = new Map<string, Oid>();

  constructor(stateDir: string) {
    this.stateDir = stateDir;
  }

  async resolve(ref: string): Promise<Oid | undefined> {
    return this.#references.get(requireRef(ref));
  }

  async list(prefix: string): Promise<readonly { readonly ref: string; readonly oid: Oid }[]> {
    const folder = `${requireRef(prefix.replace(/\/$/, ''))}/`;
    return [...this.#references]
      .filter(([ref]) => ref.startsWith(folder))
      .map(([ref, oid]) => ({ ref, oid }))
      .sort((a, b) => (a.ref < b.ref ? -1 : 1));
  }

  async *history(head: Oid, until?: Oid): AsyncGenerator<GitObject> {
    const excluded = until === undefined ? new Set<Oid>() : this.#reachable(until);
    for (let at: Oid | undefined = head; at !== undefined && !excluded.has(at); at = parentsOf(this.#object(at))[0]) {
      yield this.#object(at);
    }
  }

  async *read(oids: readonly Oid[]): AsyncGenerator<GitObject> {
    for (const oid of oids) yield this.#object(oid);
  }

  async *files(treeish: Oid, prefix = ''): AsyncGenerator<TreePath> {
    const object = this.#object(treeish);
    const tree = object.type === 'commit' ? treeOf(object) : treeish;
    yield* this.#walk(tree, '', prefix.replace(/\/$/, ''));
  }

  async countBetween(base: Oid, tip: Oid): Promise<number> {
    return this.#between(base, tip).length;
  }

  async commitsBetween(base: Oid, tip: Oid): Promise<readonly Oid[]> {
    return this.#between(base, tip);
  }

  async childrenOf(base: Oid, tip: Oid): Promise<readonly Oid[]> {
    return this.#between(base, tip).filter((oid) => parentsOf(this.#object(oid)).includes(base));
  }

  async isAncestor(ancestor: Oid, descendant: Oid): Promise<boolean> {
    this.#object(ancestor);
    for (const oid of this.#walkFrom(descendant)) if (oid === ancestor) return true;
    return false;
  }

  async assertComplete(): Promise<void> {
    // Nothing here is ever shallow or partial.
  }

  async close(): Promise<void> {
    // Nothing is held open.
  }

  async commit({ objects, updates }: Change): Promise<void> {
    for (const update of updates) this.#expect(update);
    for (const { oid, type, body } of objects) this.#objects.set(oid, { oid, type, body: body.slice() });
    for (const { next } of updates) if (next !== undefined) this.#object(next);
    for (const { ref, next } of updates) {
      if (next === undefined) this.#references.delete(ref);
      else this.#references.set(ref, next);
    }
  }

  async sizes(oids: readonly Oid[]): Promise<readonly (number | undefined)[]> {
    return oids.map((oid) => this.#objects.get(oid)?.body.length);
  }

  async blobsOfSizes(sizes: ReadonlySet<number>): Promise<readonly Oid[]> {
    const blobs = [...this.#objects.values()].filter(({ type, body }) => type === 'blob' && sizes.has(body.length));
    return blobs.map(({ oid }) => oid);
  }

  async erase(oids: readonly Oid[]): Promise<readonly Oid[]> {
    for (const oid of oids) this.#objects.delete(oid);
    return [];
  }

  async complaints(heads: readonly Oid[]): Promise<readonly string[]> {
    try {
      for (const head of heads)
        for (const commit of this.#reachable(head)) for await (const { oid } of this.files(commit)) this.#object(oid);
      return [];
    } catch (error) {
      if (error instanceof Failure && error.code === 'object_missing') return [error.message];
      throw error;
    }
  }

  #expect({ ref, old }: RefUpdate): void {
    const found = this.#references.get(requireRef(ref));
    if (found === old) return;
    throw new Failure('head_moved', { ref, expected: old ?? null, found: found ?? null }, { retry: 'reload' });
  }

  #object(oid: Oid): GitObject {
    const object = this.#objects.get(oid);
    if (object === undefined) throw new Failure('object_missing', { oid });
    return object;
  }

  /** Goes into those folders only that lead to what is wanted, or lie below it. */
  *#walk(tree: Oid, folder: string, wanted: string): Generator<TreePath> {
    for (const { is, name, oid } of entriesOf(this.#object(tree))) {
      const path = folder + name;
      const isBelow = wanted === '' || path === wanted || path.startsWith(`${wanted}/`);
      if (is === 'file' && isBelow) yield { path, oid };
      if (is === 'folder' && (isBelow || wanted.startsWith(`${path}/`))) yield* this.#walk(oid, `${path}/`, wanted);
    }
  }

  #between(base: Oid, tip: Oid): Oid[] {
    const excluded = this.#reachable(base);
    return [...this.#reachable(tip)].filter((oid) => !excluded.has(oid));
  }

  #reachable(from: Oid): Set<Oid> {
    return new Set(this.#walkFrom(from));
  }

  /** Looks no further back than whoever walks: what is older may not be here. */
  *#walkFrom(from: Oid): Generator<Oid, void, undefined> {
    const seen = new Set<Oid>([from]);
    // A set grows while it is walked, so this visits what it adds.
    for (const oid of seen) {
      yield oid;
      for (const parent of parentsOf(this.#object(oid))) seen.add(parent);
    }
  }
}

function requireRef(ref: string): string {
  if (isRefName(ref)) return ref;
  throw new Failure('usage', { reference: ref });
}
