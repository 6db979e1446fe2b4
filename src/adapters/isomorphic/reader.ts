// Reads a Git repository through isomorphic-git: no git program, any file system. Decides nothing about what it reads.
import { expandRef, listRefs, readObject, resolveRef } from 'isomorphic-git';
import { fromUtf8 } from '../../format/bytes.ts';
import { isOid, type GitObject, type ObjectType, type Oid } from '../../format/git/object.ts';
import { entriesOf, parentsOf, treeOf } from '../../format/git/any-object.ts';
import { Failure } from '../../failure.ts';
import type { RepositoryReader, TreePath } from '../../ports/repository.ts';
import { findRepository, refuseIncomplete, type FoundRepository, type Where } from './find-repository.ts';

export async function openReader(where: Where): Promise<RepositoryReader> {
  return new IsomorphicReader(await findRepository(where));
}

class IsomorphicReader implements RepositoryReader {
  readonly #place: FoundRepository;
  /** What isomorphic-git keeps of packs between reads. */
  readonly #cache = {};

  constructor(place: FoundRepository) {
    this.#place = place;
  }

  async resolve(ref: string): Promise<Oid | undefined> {
    const { fs, gitdir } = this.#place;
    if (!REF.test(ref)) throw new Failure('usage', { reference: ref });
    try {
      // A name that is not there is looked for elsewhere, as a branch or tag of that name: that would be another one.
      if ((await expandRef({ fs, gitdir, ref })) !== ref) return undefined;
      const oid = await resolveRef({ fs, gitdir, ref });
      return isOid(oid) ? oid : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list(prefix: string): Promise<readonly { readonly ref: string; readonly oid: Oid }[]> {
    const { fs, gitdir } = this.#place;
    const folder = prefix.replace(/\/$/, '');
    const found: { ref: string; oid: Oid }[] = [];
    for (const name of await listRefs({ fs, gitdir, filepath: folder })) {
      const ref = `${folder}/${name}`;
      const oid = REF.test(ref) ? await this.resolve(ref) : undefined;
      if (oid !== undefined) found.push({ ref, oid });
    }
    return found.sort((a, b) => (a.ref < b.ref ? -1 : 1));
  }

  async *history(head: Oid, until?: Oid): AsyncGenerator<GitObject> {
    const excluded = until === undefined ? new Set<Oid>() : await this.#reachable(until);
    for (let at: Oid | undefined = head; at !== undefined && !excluded.has(at);) {
      const commit = await this.#object(at, 'wrapped');
      yield commit;
      at = parentsOf(commit)[0];
    }
  }

  async *read(oids: readonly Oid[]): AsyncGenerator<GitObject> {
    for (const oid of oids) yield await this.#object(oid);
  }

  async *files(treeish: Oid, prefix = ''): AsyncGenerator<TreePath> {
    const object = await this.#object(treeish);
    const tree = object.type === 'commit' ? treeOf(object) : treeish;
    const wanted = prefix.replace(/\/$/, '');
    yield* this.#walk(tree, '', wanted);
  }

  async countBetween(base: Oid, tip: Oid): Promise<number> {
    return (await this.#between(base, tip)).length;
  }

  async commitsBetween(base: Oid, tip: Oid): Promise<readonly Oid[]> {
    return (await this.#between(base, tip)).map(([oid]) => oid);
  }

  async childrenOf(base: Oid, tip: Oid): Promise<readonly Oid[]> {
    const commits = await this.#between(base, tip);
    return commits.filter(([, parents]) => parents.includes(base)).map(([oid]) => oid);
  }

  async isAncestor(ancestor: Oid, descendant: Oid): Promise<boolean> {
    await this.#object(ancestor);
    return (await this.#commits(descendant, (oid) => oid === ancestor)).has(ancestor);
  }

  assertComplete(): Promise<void> {
    return refuseIncomplete(this.#place);
  }

  async close(): Promise<void> {
    // Nothing is held open.
  }

  async *#walk(tree: Oid, folder: string, wanted: string): AsyncGenerator<TreePath> {
    for (const { is, name, oid } of entriesOf(await this.#object(tree))) {
      const path = folder + name;
      // Nothing below is asked for: a prefix must cost what it names, not the whole tree.
      if (wanted !== '' && !`${path}/`.startsWith(`${wanted}/`) && !`${wanted}/`.startsWith(`${path}/`)) continue;
      if (is === 'folder') yield* this.#walk(oid, `${path}/`, wanted);
      else if (is === 'file' && (wanted === '' || path === wanted || path.startsWith(`${wanted}/`)))
        yield { path, oid };
    }
  }

  async #between(base: Oid, tip: Oid): Promise<(readonly [Oid, readonly Oid[]])[]> {
    const excluded = await this.#reachable(base);
    return [...(await this.#commits(tip, (oid) => excluded.has(oid)))].filter(([oid]) => !excluded.has(oid));
  }

  async #reachable(from: Oid): Promise<ReadonlySet<Oid>> {
    return new Set((await this.#commits(from, () => false)).keys());
  }

  /** Commits from `from` back along all parents; nothing behind one that `isEnd` answers true to. */
  async #commits(from: Oid, isEnd: (oid: Oid) => boolean): Promise<Map<Oid, readonly Oid[]>> {
    const found = new Map<Oid, readonly Oid[]>();
    const open = [from];
    for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
      if (found.has(oid)) continue;
      const parents = isEnd(oid) ? [] : parentsOf(await this.#object(oid));
      found.set(oid, parents);
      open.push(...parents);
    }
    return found;
  }

  /** `wrapped`: not held to its name. Whoever walks a history does that, and says where it stands. */
  async #object(oid: Oid, format: 'content' | 'wrapped' = 'content'): Promise<GitObject> {
    if (!isOid(oid)) throw new Failure('object_missing', { oid });
    const { fs, gitdir, alternates } = this.#place;
    for (const from of [gitdir, ...alternates]) {
      try {
        const read = await readObject({ fs, gitdir: from, oid, format, cache: this.#cache });
        const object = new Uint8Array(read.object as Uint8Array);
        // Out of a pack it comes without its header, whatever was asked for.
        return read.format === 'wrapped'
          ? unwrapped(oid, object)
          : { oid, type: read.type as ObjectType, body: object };
      } catch (cause) {
        if (!isNotFound(cause)) throw new Failure('object_corrupt', { oid }, { cause });
      }
    }
    throw new Failure('object_missing', { oid });
  }
}

function unwrapped(oid: Oid, bytes: Uint8Array): GitObject {
  const end = bytes.indexOf(0);
  const [, type, size] = HEADER.exec(fromUtf8(bytes.subarray(0, Math.max(0, end)))) ?? [];
  const body = bytes.subarray(end + 1);
  if (type === undefined || Number(size) !== body.length) throw new Failure('object_corrupt', { oid });
  return { oid, type: type as ObjectType, body };
}

const HEADER = /^(blob|tree|commit|tag) (0|[1-9]\d{0,14})$/;

/** What may be asked for: a whole name, no step out of the folder, no file that only looks like a reference. */
const REF = /^refs(?:\/(?!\.)(?!.*\.\.)[^\s/~^:?*[\\\u007f]+)+(?<!\.lock)(?<!\.)$/;

function isNotFound(error: unknown): boolean {
  return error instanceof Error && (error as { code?: string }).code === 'NotFoundError';
}
