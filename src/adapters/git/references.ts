// Reads and moves references. Moves go through one `git update-ref --stdin` that stays: compare-and-swap under git's
// own locks, in whatever backend the repository keeps its references.
import { existsSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../../failure.ts';
import { isOid, type Oid } from '../../format/git/object.ts';
import { isRefName } from '../../format/git/ref-name.ts';
import type { RefUpdate } from '../../ports/repository.ts';
import { syncFolder } from '../system/disk.ts';
import { askGit, gitFailure } from './git.ts';
import { GitProcess } from './process.ts';
import type { FoundRepository } from './probe.ts';
import { requireOid } from './reader.ts';
import { Updater, type Outcome } from './update-ref.ts';

/** A running git goes on searching every pack it has ever seen, those that were folded long ago too: two for each append. */
const RUNS_PER_UPDATER = 128;

export class References {
  readonly #place: FoundRepository;
  #updater: Updater | undefined;
  #packedRefs = '';
  #runs = 0;

  constructor(place: FoundRepository) {
    this.#place = place;
  }

  async resolve(ref: string): Promise<Oid | undefined> {
    if (ref === 'HEAD') return this.#resolveHead();
    const text = textAt(this.#place, requireRef(ref));
    if (text === undefined) return this.#mayBePacked(ref) ? this.#exact(ref) : undefined;
    return looseOid(text) ?? this.#exact(ref);
  }

  async list(prefix: string): Promise<readonly { readonly ref: string; readonly oid: Oid }[]> {
    return this.#forEachRef(`${requireRef(prefix.replace(/\/$/, ''))}/`);
  }

  /** Moves all or none, none before `durable`, and returns only when the new values are on the disk. */
  async move(updates: readonly RefUpdate[], durable: Promise<unknown>, onSent: () => void): Promise<void> {
    const script = updates.map(instruction).join('');
    const updater = await this.#currentUpdater();
    const outcome = await updater.run(script, durable, onSent);
    if (outcome !== undefined) {
      this.#updater = undefined;
      await this.#explain(updates, outcome);
    }
    await this.#sync(updates);
  }

  async close(): Promise<void> {
    await this.#updater?.close();
    this.#updater = undefined;
  }

  /** Throws `head_moved` when a reference is not where the change expects it. */
  async expect(updates: readonly RefUpdate[]): Promise<void> {
    for (const { ref, old } of updates) {
      const found = await this.resolve(ref);
      if (found === old) continue;
      throw new Failure('head_moved', { ref, expected: old ?? null, found: found ?? null }, { retry: 'reload' });
    }
  }

  /**
   * Most often a reference without a file is not there at all. To ask git, a process for each, would list every reference
   * of the same folder. The other backend keeps all of them in tables, and some kinds belong to one work tree.
   */
  #mayBePacked(ref: string): boolean {
    if (ref.startsWith('refs/bisect/') || ref.startsWith('refs/worktree/') || ref.startsWith('refs/rewritten/'))
      return true;
    if (existsSync(join(this.#place.commonDir, 'reftable'))) return true;
    const packed = textAt(this.#place, 'packed-refs');
    return packed !== undefined && (!packed.endsWith('\n') || packed.includes(` ${ref}\n`));
  }

  // Not rev-parse: for an absent `refs/heads/x` it would answer with `refs/tags/refs/heads/x`, which anybody may push.
  async #exact(ref: string): Promise<Oid | undefined> {
    return (await this.#forEachRef(ref)).find((found) => found.ref === ref)?.oid;
  }

  async #forEachRef(pattern: string): Promise<{ ref: string; oid: Oid }[]> {
    const asked = ['for-each-ref', '--format=%(objectname) %(refname)', pattern];
    const result = await new GitProcess(this.#place, asked).answer();
    if (result.exitCode !== 0) throw gitFailure('for-each-ref', result);
    // git leaves such a reference out and goes on; to us it would look like a ledger that does not exist.
    const broken = /broken ref (\S+)/.exec(result.stderr)?.[1];
    if (broken !== undefined) throw new Failure('reference_broken', { ref: broken });
    const lines = result.stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => ({ ref: line.slice(41), oid: line.slice(0, 40) }));
  }

  async #resolveHead(): Promise<Oid | undefined> {
    const symbolic = await new GitProcess(this.#place, ['symbolic-ref', '--quiet', 'HEAD']).answer();
    if (symbolic.exitCode === 0) return this.resolve(symbolic.stdout.trim());
    return (await askGit(this.#place, ['rev-parse', '--verify', 'HEAD'])).trim();
  }

  /**
   * A running git trusts the packed references it read while size, inode and the *second* of the file are the same:
   * repacked twice within one, they may pass for unchanged, and the compare-and-swap would compare with the past.
   */
  async #currentUpdater(): Promise<Updater> {
    const found = await stat(join(this.#place.commonDir, 'packed-refs'), { bigint: true }).catch(() => undefined);
    const now = found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
    this.#runs += 1;
    const isWorn = this.#runs % RUNS_PER_UPDATER === 0;
    if (isWorn || now !== this.#packedRefs || this.#updater?.hasEnded === true) await this.close();
    this.#packedRefs = now;
    this.#updater ??= new Updater(this.#place);
    return this.#updater;
  }

  /** git gave up: says which of our expectations failed, or what stood in the way. Returns if all moved after all. */
  async #explain(updates: readonly RefUpdate[], outcome: Outcome): Promise<void> {
    const failure = gitFailure('update-ref', outcome);
    if (outcome.stderr === '') {
      const now = await Promise.all(updates.map(({ ref }) => this.resolve(ref)));
      if (updates.every(({ next }, i) => now[i] === next)) return;
    }
    await this.expect(updates);
    if (failure.code !== 'lock_held') throw failure;
    const lock = String(failure.facts['lock']);
    const seconds = await stat(lock).then(
      (found) => Math.round((Date.now() - found.mtimeMs) / 1000),
      () => 0,
    );
    throw new Failure('lock_held', { lock, ageSeconds: seconds }, { retry: 'later' });
  }

  /** git syncs the file of a reference; that its name is in the folder is ours to make sure of. */
  async #sync(updates: readonly RefUpdate[]): Promise<void> {
    // Where references lie in files, and where the other backend keeps its tables.
    const folders = new Set<string>(['reftable']);
    for (const { ref, old, next } of updates) {
      for (let folder = dirname(ref); folder !== '.'; folder = old === undefined ? dirname(folder) : '.')
        folders.add(folder);
      if (next === undefined) folders.add('.');
    }
    await Promise.all([...folders].map((folder) => syncFolder(join(this.#place.commonDir, folder))));
  }
}

function instruction({ ref, old, next }: RefUpdate): string {
  requireRef(ref);
  if (next === undefined) return old === undefined ? `verify ${ref}\n` : `delete ${ref} ${requireOid(old)}\n`;
  return old === undefined
    ? `create ${ref} ${requireOid(next)}\n`
    : `update ${ref} ${requireOid(next)} ${requireOid(old)}\n`;
}

/** What lies in a file of the repository; undefined without one, empty where it cannot be read. */
function textAt({ commonDir }: FoundRepository, path: string): string | undefined {
  try {
    return readFileSync(join(commonDir, path), 'latin1');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : '';
  }
}

/** The plain case without a process: a reference that lies in a file of its own, which outranks every packed value. */
function looseOid(text: string): Oid | undefined {
  const oid = text.slice(0, 40);
  return isOid(oid) && text.slice(40) === '\n' ? oid : undefined;
}

function requireRef(ref: string): string {
  if (!isRefName(ref)) throw new Failure('usage', { reference: ref });
  return ref;
}
