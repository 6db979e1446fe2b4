// Who goes first of those that write in one ledger at the same time, told by the ledger alone: everybody who landed while
// we waited has a turn before we have another. A courtesy: what lands is decided by compare-and-swap, whoever keeps to this.

export class Rota {
  #met = new Set<string>();
  #ahead = new Set<string>();
  #known = new Set<string>();
  #last: string | undefined;

  /**
   * Somebody else landed, known by a key: processes that share one have a turn between them. Answers whether it was a
   * stranger: where one came in, others may be about to, and they are in nobody's row yet.
   */
  saw(writer: string): boolean {
    const isStranger = !this.#known.has(writer);
    this.#known.add(writer);
    this.#ahead.delete(writer);
    // Whoever has a second turn while we wait has passed those that are missing: else we wait alone for who will not come.
    if (this.#met.has(writer) && this.#last !== writer) this.clearAhead();
    this.#met.add(writer);
    this.#last = writer;
    return isStranger;
  }

  /** We did. */
  landed(): void {
    this.#ahead = this.#met;
    this.#met = new Set();
    this.#last = undefined;
  }

  /** How many have the turn before us. */
  get ahead(): number {
    return this.#ahead.size;
  }

  /** How many others have written since we were alone. */
  get rivals(): number {
    return this.#known.size;
  }

  clearAhead(): void {
    this.#ahead = new Set();
  }

  clear(): void {
    this.#known = new Set();
    this.#met = new Set();
    this.clearAhead();
  }
}
