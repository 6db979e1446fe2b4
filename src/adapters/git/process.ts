// One running git whose streams somebody reads: ends it, and turns a bad end into a Failure with git's own words.
import { Failure } from '../../failure.ts';
import { collectStderr, exitOf, gitFailure, spawnGit, type GitChild, type GitAt, type GitResult } from './git.ts';

const ANSWER_BYTES_MAX = 64 << 20;

export class GitProcess {
  readonly child: GitChild;
  readonly #stderr: () => string;
  readonly #exit: Promise<number | string>;
  readonly #command: string;

  constructor(place: GitAt, args: readonly string[]) {
    this.child = spawnGit(place, args);
    this.#command = args[0] ?? '';
    this.#stderr = collectStderr(this.child);
    this.#exit = exitOf(this.child, place);
    this.#exit.catch(() => undefined);
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /**
   * Reads all that it says. For the few questions that every command begins with: `runGit` loads a library first, which
   * takes longer than they all.
   */
  async answer(): Promise<GitResult> {
    this.child.stdin.end();
    const chunks: Buffer[] = [];
    let bytes = 0;
    this.child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) this.stop();
      else chunks.push(chunk);
    });
    const exitCode = await this.#exit;
    if (bytes > ANSWER_BYTES_MAX) throw new Failure('git_failed', { command: this.#command, says: 'too much output' });
    return { exitCode, stdout: Buffer.concat(chunks).toString('utf8'), stderr: this.#stderr() };
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
