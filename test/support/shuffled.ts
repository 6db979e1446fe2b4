// A state as another program might hand it back: the same data, its objects' keys in any order.
import { jcs } from '../../src/format/jcs.ts';

export function shuffled<T>(value: T, seed: number): T {
  let next = seed >>> 0;
  // A small generator of numbers: the same seed gives the same order.
  const random = (): number => (next = (Math.imul(next, 1_664_525) + 1_013_904_223) >>> 0);
  const mixed = (from: unknown): unknown => {
    if (Array.isArray(from)) return from.map(mixed);
    if (typeof from !== 'object' || from === null) return from;
    const keyed = Object.entries(from).map(([key, one]) => ({ key, one, place: random() }));
    keyed.sort((a, b) => a.place - b.place);
    return Object.fromEntries(keyed.map(({ key, one }) => [key, mixed(one)]));
  };
  return mixed(JSON.parse(jcs(value))) as T;
}
