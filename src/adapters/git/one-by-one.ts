// Hands out one by one what comes in runs. Written by hand, because a verification asks ten thousand times: an async
// generator takes several turns of the event loop for each value, and each generator around it as many again.
export class OneByOne<T> implements AsyncIterableIterator<T, undefined> {
  readonly #runs: AsyncIterator<readonly T[], void>;
  #run: readonly T[] = [];
  #at = 0;

  constructor(runs: AsyncIterator<readonly T[], void>) {
    this.#runs = runs;
  }

  next(): Promise<IteratorResult<T, undefined>> {
    if (this.#at < this.#run.length) return Promise.resolve({ value: this.#run[this.#at++]!, done: false });
    return this.#nextRun();
  }

  async return(): Promise<IteratorResult<T, undefined>> {
    this.#run = [];
    await this.#runs.return?.();
    return { value: undefined, done: true };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #nextRun(): Promise<IteratorResult<T, undefined>> {
    do {
      const next = await this.#runs.next();
      if (next.done === true) return { value: undefined, done: true };
      this.#run = next.value;
      this.#at = 0;
    } while (this.#run.length === 0);
    return this.next();
  }
}
