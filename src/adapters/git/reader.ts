// Reads objects, history and trees through git, in streams: memory stays flat however long a ledger is.
// Decides nothing about what it reads.
import { pipeline } from 'node:stream/promises';
import { Failure } from '../../failure.ts';
import { fromUtf8 } from '../../format/bytes.ts';
import { isOid, type GitObject, type Oid } from '../../format/git/object.ts';
import type { TreePath } from '../../ports/repository.ts';
import { parentsOf } from '../../format/git/any-object.ts';
import { presentIn, readBatch, type Missing } from './batch.ts';
import { FewReader } from './few.ts';
import { isUnreadable, type GitChild, type GitAt } from './git.ts';
import { OneByOne } from './one-by-one.ts';
import { GitProcess } from './process.ts';
import { rawCommits, rawHistory } from './raw-walk.ts';

/** Up to here a running cat-file answers at once; beyond, a process of its own streams with a full buffer. */
const FEW_OBJECTS = 128;
const OIDS_PER_WRITE = 4096;
/** Who looks again wants the newest few commits: one by one from a running git they are there before two more have started. */
const COMMITS_ONE_BY_ONE = 16;

type Runs = AsyncGenerator<readonly GitObject[], void, undefined>;

export class ObjectReader {
  readonly #place: GitAt;
  #running: FewReader | undefined;
  #isClosed = false;

  constructor(place: GitAt) {
    this.#place = place;
  }

  read(oids: readonly Oid[]): AsyncIterable<GitObject> {
    return new OneByOne(oids.length > FEW_OBJECTS ? this.#stream(oids) : this.#few(oids));
  }

  history(head: Oid, until?: Oid): AsyncIterable<GitObject> {
    return new OneByOne(until === undefined ? this.#back(head) : this.#range(head, until));
  }

  async *#back(head: Oid): Runs {
    let next: Oid | undefined = head;
    let left = COMMITS_ONE_BY_ONE;
    for await (const commit of rawHistory(
      (oids) => this.read(oids),
      head,
      () => left-- === 0,
    )) {
      yield [commit];
      next = parentsOf(commit)[0];
    }
    if (next !== undefined) yield* this.#range(next);
  }

  async *#range(head: Oid, until?: Oid): Runs {
    const range = [requireOid(head), ...(until === undefined ? [] : [`^${requireOid(until)}`])];
    const revList = new GitProcess(this.#place, ['rev-list', '--first-parent', ...range, '--']);
    const catFile = new GitProcess(this.#place, ['cat-file', '--batch', '--buffer']);
    revList.child.stdin.end();
    revList.child.stdout.pipe(catFile.child.stdin);
    let last: GitObject | undefined;
    try {
      for await (const run of presentIn(readBatch(catFile.child.stdout))) {
        last = run.at(-1) ?? last;
        yield run;
      }
      await revList.ended();
      await catFile.ended();
      return;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
    } finally {
      revList.stop();
      catFile.stop();
    }
    const excluded = until === undefined ? undefined : await rawCommits((oids) => this.read(oids), until);
    const next = last === undefined ? head : parentsOf(last)[0];
    if (next === undefined) return;
    for await (const commit of rawHistory(
      (oids) => this.read(oids),
      next,
      (oid) => excluded?.has(oid) === true,
    ))
      yield [commit];
  }

  async *files(treeish: Oid, prefix?: string): AsyncGenerator<TreePath, void, undefined> {
    const below = prefix === undefined || prefix === '' ? [] : [prefix];
    const lsTree = new GitProcess(this.#place, [
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      requireOid(treeish),
      '--',
      ...below,
    ]);
    lsTree.child.stdin.end();
    try {
      let rest: Buffer = Buffer.alloc(0);
      for await (const chunk of lsTree.child.stdout as AsyncIterable<Buffer>) {
        const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        let at = 0;
        for (let nul = buffer.indexOf(0); nul >= 0; nul = buffer.indexOf(0, at)) {
          const found = parseLine(buffer.subarray(at, nul));
          if (found !== undefined) yield found;
          at = nul + 1;
        }
        rest = buffer.subarray(at);
      }
      await lsTree.ended();
    } finally {
      lsTree.stop();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.#running?.close();
    this.#running = undefined;
  }

  async *#few(oids: readonly Oid[]): Runs {
    if (oids.length > 0) yield* presentIn([await this.#readFew(oids.map(requireOid))]);
  }

  async *#stream(oids: readonly Oid[]): Runs {
    oids.forEach(requireOid);
    const catFile = new GitProcess(this.#place, ['cat-file', '--batch', '--buffer']);
    const fed = feed(catFile.child, oids);
    try {
      yield* presentIn(readBatch(catFile.child.stdout));
      await fed;
      await catFile.ended();
    } finally {
      catFile.stop();
    }
  }

  async #readFew(oids: readonly Oid[]): Promise<(GitObject | Missing)[]> {
    if (this.#running?.hasEnded === true) await this.#end();
    // Asked by somebody whose answer nobody waits for any more: a git that was started for it would never be ended.
    if (this.#isClosed) throw new Failure('interrupted');
    this.#running ??= new FewReader(this.#place);
    try {
      return await this.#running.read(oids);
    } catch (error) {
      // It may be out of step with what it is asked.
      await this.#end();
      throw error;
    }
  }
}

async function feed(child: GitChild, oids: readonly Oid[]): Promise<void> {
  try {
    await pipeline(lines(oids), child.stdin);
  } catch {
    // A git that ended early breaks the pipe; its exit code tells why.
  }
}

function* lines(oids: readonly Oid[]): Generator<string, void, undefined> {
  for (let at = 0; at < oids.length; at += OIDS_PER_WRITE) yield `${oids.slice(at, at + OIDS_PER_WRITE).join('\n')}\n`;
}

function parseLine(line: Buffer): TreePath | undefined {
  const tab = line.indexOf(9);
  const [, type, oid] = line.toString('latin1', 0, tab).split(' ');
  if (type !== 'blob' || oid === undefined) return undefined;
  try {
    return { path: fromUtf8(line.subarray(tab + 1)), oid };
  } catch (cause) {
    throw new Failure('object_corrupt', { object: 'tree', wrong: 'name_not_utf8' }, { cause });
  }
}

/** Object names become arguments and lines of git's input: nothing but a name may pass. */
export function requireOid(oid: Oid): Oid {
  if (!isOid(oid)) throw new Failure('object_missing', { oid });
  return oid;
}
