// Repeats measurements so that a ratio of two of them means something: contestants take turns within every round, so that
// a slow minute of the machine hits all of them, and what is judged is the median of the rounds' own ratios.

export type Contestants = Readonly<Record<string, () => number | Promise<number>>>;

/** One number per round and contestant. The order turns, so that nobody is always first after a pause. */
export async function inRounds<Name extends string>(
  rounds: number,
  contestants: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contestants) as Name[];
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  // The first round is thrown away: it measures how code is compiled and files are cached.
  for (let round = -1; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round + names.length) % names.length]!;
      globalThis.gc?.();
      const value = await contestants[name]();
      if (round >= 0) measured[name].push(value);
    }
  }
  return measured;
}

export async function timedMs(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

export function ratios(of: readonly number[], to: readonly number[]): number[] {
  return of.map((value, i) => value / to[i]!);
}

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const below = sorted[Math.floor(at)]!;
  return below + (sorted[Math.ceil(at)]! - below) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** How far one round is usually from the median: the median distance, scaled to a standard deviation. */
export function noise(values: readonly number[]): number {
  const middle = median(values);
  return MAD_TO_DEVIATION * median(values.map((value) => Math.abs(value - middle)));
}

const MAD_TO_DEVIATION = 1.4826;
