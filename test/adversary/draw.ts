// Choices, read one after the other from one number that fast-check drew: a seed repeats them.
export class Draw {
  #state: number;

  constructor(number: number) {
    this.#state = number >>> 0;
  }

  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** True `times` out of a hundred. */
  percent(times: number): boolean {
    return this.#next() * 100 < times;
  }

  /** One of the names, each as often as its weight says. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.#next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) if ((left -= weight) < 0) return name;
    return entries[0]![0];
  }

  /** mulberry32: small, and good enough that two choices in a row have nothing to do with each other. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
