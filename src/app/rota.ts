// Who goes first of those that write in one ledger at the same time, told by the ledger alone: everybody who landed while
// we waited has a turn before we have another. A courtesy: what lands is decided by compare-and-swap, whoever keeps to this.

export class Rota {
  #met = new Set<string>();
  #ahead = new Set<string>();

  /** Somebody else landed, known by a key: processes that share one have a turn between them. */
  saw(writer: string): void {
    this.#met.add(writer);
    this.#ahead.delete(writer);
  }

  /** We did. */
  landed(): void {
    this.#ahead = this.#met;
    this.#met = new Set();
  }

  /** How many have the turn before us. */
  get ahead(): number {
    return this.#ahead.size;
  }

  clearAhead(): void {
    this.#ahead = new Set();
  }

  clear(): void {
    this.#met = new Set();
    this.clearAhead();
  }
}
