// A Git repository on this disk, through the git program and packs of our own. Knows nothing of ledgers.
import { join } from 'node:path';
import { Failure } from '../../failure.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import type { Change, Repository, TreePath } from '../../ports/repository.ts';
import { rememberPack, type FoldPoint } from './consolidate.ts';
import { removeStaleAsides, syncFolder } from '../system/disk.ts';
import { askGit, gitFailure, isUnreadable, runGit } from './git.ts';
import { findRepository, mayBePartial, refuseIncompleteClone, type FoundRepository } from './probe.ts';
import { blobsOf, complaintsOf, sizesOf } from './inspect.ts';
import { deleteLoose, storeLoose } from './loose.ts';
import { rawBetween, rawCommits } from './raw-walk.ts';
import { ObjectReader, requireOid } from './reader.ts';
import { References } from './references.ts';
import { storePack, type StorePoint } from './store.ts';

type CommitPoint = 'loose_stored' | StorePoint | 'objects_durable' | 'references_sent' | 'references_moved' | FoldPoint;

export type OpenOptions = {
  /** Ends every git process of this repository. */
  readonly signal?: AbortSignal;
  /** Told of each step of a commit as it is reached. */
  readonly onPoint?: (point: CommitPoint) => void;
};

export async function openRepository(cwd: string, options: OpenOptions = {}): Promise<Repository> {
  return new GitRepository(await findRepository(cwd, options.signal), options.onPoint ?? (() => undefined));
}

class GitRepository implements Repository {
  readonly stateDir: string;
  readonly #place: FoundRepository;
  readonly #onPoint: (point: CommitPoint) => void;
  readonly #objects: ObjectReader;
  readonly #references: References;
  /** Commits take turns: the reference process answers one transaction at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #upkeep: Promise<unknown> | undefined;
  #isPartial: Promise<boolean> | undefined;
  #isClosed = false;

  constructor(place: FoundRepository, onPoint: (point: CommitPoint) => void) {
    this.stateDir = join(place.commonDir, 'lazarus');
    this.#place = place;
    this.#onPoint = onPoint;
    this.#objects = new ObjectReader(place);
    this.#references = new References(place);
  }

  readonly #raw = (oids: readonly Oid[]): AsyncIterable<GitObject> => this.#objects.read(oids);

  resolve(ref: string): Promise<Oid | undefined> {
    return this.#references.resolve(ref);
  }

  list(prefix: string): Promise<readonly { readonly ref: string; readonly oid: Oid }[]> {
    return this.#references.list(prefix);
  }

  history(head: Oid, until?: Oid): AsyncIterable<GitObject> {
    return this.#objects.history(head, until);
  }

  read(oids: readonly Oid[]): AsyncIterable<GitObject> {
    return this.#objects.read(oids);
  }

  files(treeish: Oid, prefix?: string): AsyncIterable<TreePath> {
    return this.#objects.files(treeish, prefix);
  }

  async countBetween(base: Oid, tip: Oid): Promise<number> {
    const args = ['rev-list', '--count', requireOid(tip), `^${requireOid(base)}`, '--'];
    return this.#orRaw(
      async () => Number(await askGit(this.#place, args)),
      async () => (await rawBetween(this.#raw, base, tip)).size,
    );
  }

  async commitsBetween(base: Oid, tip: Oid): Promise<readonly Oid[]> {
    const args = ['rev-list', requireOid(tip), `^${requireOid(base)}`, '--'];
    return this.#orRaw(
      async () => (await askGit(this.#place, args)).split('\n').filter((line) => line !== ''),
      async () => [...(await rawBetween(this.#raw, base, tip)).keys()],
    );
  }

  async childrenOf(base: Oid, tip: Oid): Promise<readonly Oid[]> {
    const args = ['rev-list', '--parents', requireOid(tip), `^${requireOid(base)}`, '--'];
    const between = await this.#orRaw(
      async () => {
        const commits = (await askGit(this.#place, args)).split('\n').map((line) => line.split(' '));
        return new Map(commits.map(([oid = '', ...parents]) => [oid, parents] as const));
      },
      () => rawBetween(this.#raw, base, tip),
    );
    return [...between].flatMap(([oid, parents]) => (parents.includes(base) ? [oid] : []));
  }

  async isAncestor(ancestor: Oid, descendant: Oid): Promise<boolean> {
    const args = ['merge-base', '--is-ancestor', requireOid(ancestor), requireOid(descendant)];
    return this.#orRaw(
      async () => {
        const result = await runGit(this.#place, args);
        if (result.exitCode === 0 || result.exitCode === 1) return result.exitCode === 0;
        throw gitFailure('merge-base', result);
      },
      async () => {
        for await (const _ of this.read([ancestor])) break;
        return (await rawCommits(this.#raw, descendant, (oid) => oid === ancestor)).has(ancestor);
      },
    );
  }

  /** Git gives up at a commit that it cannot read. Then the objects are asked; what is truly absent is absent there too. */
  async #orRaw<T>(asked: () => Promise<T>, raw: () => Promise<T>): Promise<T> {
    try {
      return await asked();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      return raw();
    }
  }

  async assertComplete(): Promise<void> {
    // Asked of git once; what a fetch leaves behind is looked for each time.
    this.#isPartial ??= mayBePartial(this.#place);
    refuseIncompleteClone(this.#place, await this.#isPartial);
  }

  commit(change: Change): Promise<void> {
    // The git that moves references stays until somebody closes this, which has happened.
    if (this.#isClosed) return Promise.reject(new Failure('interrupted'));
    const mine = this.#turn.then(() => this.#commit(change));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  sizes(oids: readonly Oid[]): Promise<readonly (number | undefined)[]> {
    return sizesOf(this.#place, oids);
  }

  blobsOfSizes(sizes: ReadonlySet<number>): Promise<readonly Oid[]> {
    return blobsOf(this.#place, sizes);
  }

  async erase(oids: readonly Oid[]): Promise<readonly Oid[]> {
    for (const oid of oids) await deleteLoose(join(this.#place.commonDir, 'objects'), requireOid(oid));
    const sizes = await this.sizes(oids);
    return oids.filter((_, i) => sizes[i] !== undefined);
  }

  complaints(heads: readonly Oid[]): Promise<readonly string[]> {
    return complaintsOf(this.#place, heads);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#turn;
    await this.#upkeep;
    await Promise.all([this.#objects.close(), this.#references.close()]);
  }

  async #commit({ objects, updates }: Change): Promise<void> {
    // Looked at before anything is written, so that a lost race leaves no pack behind in the common case.
    await this.#references.expect(updates);
    const folder = join(this.#place.commonDir, 'objects', 'pack');
    // Once per process, and only by one that writes: looking at a repository changes nothing in it.
    this.#upkeep ??= Promise.all([folder, this.stateDir].map(removeStaleAsides));
    const [loose, packed] = [objects.filter((one) => one.deletable), objects.filter((one) => !one.deletable)];
    // Both at once, which the disk syncs in one go. Neither is left running by a failure of the other: what a caller
    // discards then would come back.
    const [files, pack] = await Promise.allSettled([
      this.#storeLoose(loose),
      packed.length === 0 ? undefined : storePack(folder, packed, this.#onPoint),
    ]);
    if (files.status === 'rejected') throw files.reason;
    if (pack.status === 'rejected') throw pack.reason;
    const durable = this.#sync(pack.value === undefined ? files.value : [...files.value, folder]);
    durable.catch(() => undefined);
    if (updates.length === 0) await durable;
    else {
      await this.#references.move(updates, durable, () => this.#onPoint('references_sent'));
      this.#onPoint('references_moved');
    }
    if (pack.value !== undefined) this.#tidy(pack.value);
  }

  /** The folders whose names have to last. */
  async #storeLoose(objects: readonly GitObject[]): Promise<readonly string[]> {
    const folders: string[] = [];
    for (const object of objects) folders.push(...(await storeLoose(join(this.#place.commonDir, 'objects'), object)));
    if (objects.length > 0) this.#onPoint('loose_stored');
    return folders;
  }

  async #sync(folders: readonly string[]): Promise<void> {
    if (folders.length === 0) return;
    await Promise.all([...new Set(folders)].map(syncFolder));
    this.#onPoint('objects_durable');
  }

  /** Runs beside the next commits. The append is done and durable: whatever goes wrong here may not undo that. */
  #tidy(pack: string): void {
    const folded = () => rememberPack(this.#place, this.stateDir, pack, this.#onPoint);
    this.#upkeep = (this.#upkeep ?? Promise.resolve()).then(folded).catch(() => undefined);
  }
}
