// One running git whose streams somebody reads: ends it, and turns a bad end into a Failure with git's own words.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Failure } from '../../failure.ts';
import { collectStderr, exitOf, gitFailure, spawnGit, type GitPlace } from './git.ts';

export class GitProcess {
  readonly child: ChildProcessWithoutNullStreams;
  readonly #stderr: () => string;
  readonly #exit: Promise<number | string>;
  readonly #command: string;

  constructor(place: GitPlace, args: readonly string[]) {
    this.child = spawnGit(place, args);
    this.#command = args[0] ?? '';
    this.#stderr = collectStderr(this.child);
    this.#exit = exitOf(this.child, place);
    this.#exit.catch(() => undefined);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  async ended(): Promise<void> {
    if ((await this.#exit) !== 0) throw await this.failure();
  }

  async failure(): Promise<Failure> {
    return gitFailure(this.#command, { exitCode: await this.#exit, stderr: this.#stderr() });
  }

  stop(): void {
    this.child.stdin.destroy();
    this.child.stdout.destroy();
    if (!this.hasEnded) this.child.kill();
  }
}
