// A `git cat-file --batch` that stays, for callers who want a few objects now: starting a git costs milliseconds.
import type { GitObject, Oid } from '../../format/git/object.ts';
import { readBatch, type Missing } from './batch.ts';
import type { GitAt } from './git.ts';
import { OneByOne } from './one-by-one.ts';
import { GitProcess } from './process.ts';

/** Answers one caller after the other. It sees packs that are written after it started. */
export class FewReader {
  readonly #process: GitProcess;
  readonly #answers: OneByOne<GitObject | Missing>;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(place: GitAt) {
    this.#process = new GitProcess(place, ['cat-file', '--batch']);
    this.#answers = new OneByOne(readBatch(this.#process.child.stdout));
  }

  get hasEnded(): boolean {
    return this.#process.hasEnded;
  }

  /** One answer for each. */
  read(oids: readonly Oid[]): Promise<(GitObject | Missing)[]> {
    const mine = this.#turn.then(() => this.#ask(oids));
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async close(): Promise<void> {
    this.#process.stop();
    await this.#answers.return();
  }

  async #ask(oids: readonly Oid[]): Promise<(GitObject | Missing)[]> {
    this.#process.child.stdin.write(`${oids.join('\n')}\n`);
    const found: (GitObject | Missing)[] = [];
    for (let i = 0; i < oids.length; i++) {
      const { value } = await this.#answers.next();
      if (value === undefined) throw await this.#process.failure();
      found.push(value);
    }
    return found;
  }
}
