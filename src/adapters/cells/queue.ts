// Values that are pushed on one side and read on the other, in order. Reading is optional.

export type Queue<T> = AsyncIterable<T> & {
  readonly push: (value: T) => void;
  readonly end: () => void;
};

export function queue<T>(): Queue<T> {
  const waiting: T[] = [];
  let over = false;
  let wake: () => void = () => undefined;

  async function* read(): AsyncGenerator<T> {
    for (;;) {
      const value = waiting.shift();
      if (value !== undefined) yield value;
      else if (over) return;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return {
    push(value) {
      waiting.push(value);
      wake();
    },
    end() {
      over = true;
      wake();
    },
    [Symbol.asyncIterator]: read,
  };
}
