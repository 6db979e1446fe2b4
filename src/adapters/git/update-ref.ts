// A `git update-ref --stdin` that stays: reference transactions under git's own locks, whatever the backend.
import { collectStderr, exitOf, spawnGit, type GitChild, type GitAt } from './git.ts';

export type Outcome = { readonly exitCode: number | string; readonly stderr: string };

/** One process serves transaction after transaction, until one fails: then git ends and a new one is needed. */
export class Updater {
  readonly #child: GitChild;
  readonly #stderr: () => string;
  readonly #exit: Promise<number | string>;

  constructor(place: GitAt) {
    this.#child = spawnGit(place, ['update-ref', '--stdin']);
    this.#stderr = collectStderr(this.#child);
    this.#exit = exitOf(this.#child, place);
    this.#exit.catch(() => undefined);
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * Undefined when the transaction was committed; git ends itself after any other outcome. The new values are written and
   * synced under git's locks while what they name becomes durable, and get their names only after it did; where it does
   * not, none does. A git whose caller dies in between gives its locks back.
   */
  async run(script: string, durable: Promise<unknown>, onSent: () => void): Promise<Outcome | undefined> {
    const [prepared, named] = await Promise.allSettled([
      this.#say(`start\n${script}prepare\n`, 'prepare: ok\n'),
      durable,
    ]);
    if (prepared.status === 'rejected') throw prepared.reason;
    if (named.status === 'rejected') {
      if (prepared.value === undefined) await this.#say('abort\n', 'abort: ok\n');
      throw named.reason;
    }
    if (prepared.value !== undefined) return prepared.value;
    const committed = this.#say('commit\n', 'commit: ok\n');
    onSent();
    return committed;
  }

  async #say(words: string, expected: string): Promise<Outcome | undefined> {
    const answered = new Promise<void>((resolve) => {
      let answers = '';
      const listen = (chunk: Buffer) => {
        answers += chunk.toString('latin1');
        if (!answers.includes(expected)) return;
        this.#child.stdout.off('data', listen);
        resolve();
      };
      this.#child.stdout.on('data', listen);
    });
    this.#child.stdin.write(words);
    const exit = await Promise.race([answered, this.#exit]);
    return exit === undefined ? undefined : { exitCode: exit, stderr: this.#stderr() };
  }

  async close(): Promise<void> {
    this.#child.stdin.end();
    // How it ended matters to nobody: no transaction was open.
    await this.#exit.catch(() => undefined);
  }
}
