// Chance that can be repeated: the same seed draws the same numbers. What machines do meanwhile is not drawn here, so that two
// weeks of one seed are planned alike and may still end in another order.
export type Chance = {
  /** From 0 to below `n`. */
  below(n: number): number;
  oneOf<T>(all: readonly T[]): T;
  shuffled<T>(all: readonly T[]): T[];
};

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  // mulberry32: four lines, and good enough to choose between people.
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n: number): number => Math.floor(next() * n);
  return {
    below,
    oneOf: (all) => all[below(all.length)]!,
    shuffled: (all) => {
      const rest = [...all];
      return all.map(() => rest.splice(below(rest.length), 1)[0]!);
    },
  };
}
