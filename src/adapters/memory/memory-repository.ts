// A repository that lives in memory and answers like the one on disk, for tests of what is built upon it.
// Keeps every promise of the port but durability.
import { Failure } from '../../failure.ts';
import { fromUtf8 } from '../../format/bytes.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { isRefName } from '../../format/git/ref-name.ts';
import { parseTree } from '../../format/git/tree.ts';
import type { Change, Repository, RefUpdate, TreePath } from '../../ports/repository.ts';

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
    const tree = object.type === 'commit' ? /^tree ([0-9a-f]{40})/.exec(headerOf(object))?.[1] : treeish;
    const wanted = prefix.replace(/\/$/, '');
    for (const file of this.#walk(tree ?? '', '')) {
      if (wanted === '' || file.path === wanted || file.path.startsWith(`${wanted}/`)) yield file;
    }
  }

  async countBetween(base: Oid, tip: Oid): Promise<number> {
    return this.#between(base, tip).length;
  }

  async childrenOf(base: Oid, tip: Oid): Promise<readonly Oid[]> {
    return this.#between(base, tip).filter((oid) => parentsOf(this.#object(oid)).includes(base));
  }

  async isAncestor(ancestor: Oid, descendant: Oid): Promise<boolean> {
    this.#object(ancestor);
    return this.#reachable(descendant).has(ancestor);
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

  *#walk(tree: Oid, folder: string): Generator<TreePath> {
    for (const { mode, name, oid } of parseTree(this.#object(tree).body)) {
      if (mode === '40000') yield* this.#walk(oid, `${folder}${name}/`);
      else yield { path: `${folder}${name}`, oid };
    }
  }

  #between(base: Oid, tip: Oid): Oid[] {
    const excluded = this.#reachable(base);
    return [...this.#reachable(tip)].filter((oid) => !excluded.has(oid));
  }

  #reachable(from: Oid): Set<Oid> {
    const seen = new Set<Oid>([from]);
    // A set grows while it is walked, so this visits what it adds.
    for (const oid of seen) for (const parent of parentsOf(this.#object(oid))) seen.add(parent);
    return seen;
  }
}

function headerOf(commit: GitObject): string {
  return fromUtf8(commit.body).split('\n\n', 1)[0] ?? '';
}

function parentsOf(commit: GitObject): Oid[] {
  return headerOf(commit)
    .split('\n')
    .filter((line) => line.startsWith('parent '))
    .map((line) => line.slice('parent '.length));
}

function requireRef(ref: string): string {
  if (isRefName(ref)) return ref;
  throw new Failure('usage', { reference: ref });
}
