// Choices of a walk, read one after the other from numbers that fast-check drew: it can shrink them, and a seed repeats them.
export class Draw {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(limit: number): number {
    const number = this.#numbers[this.#at % this.#numbers.length]! + Math.floor(this.#at / this.#numbers.length) * 7919;
    this.#at += 1;
    return number % limit;
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** True `times` out of a hundred. */
  percent(times: number): boolean {
    return this.below(100) < times;
  }
}
