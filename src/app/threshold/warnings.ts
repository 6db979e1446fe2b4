// What the people of a roster should hear about their root keys before it is too late: how many they can lose, and
// whether they have lost too many already. Says it; the kernel refuses only what makes it worse.
import type { Electorate } from './electorate.ts';
import { personsAble } from './electorate.ts';

export type RootRisk = {
  readonly threshold: number;
  /** Persons with a root key that counts, has no end, and is not cut off. */
  readonly persons: readonly string[];
  /** So many persons losing their keys makes the roster unchangeable; 0: it is already. */
  readonly losable: number;
};

export function rootRisk(electorate: Electorate): RootRisk {
  const { threshold } = electorate.roster;
  const lasting = [...personsAble(electorate)].filter(([, keys]) => keys.some((key) => key.until === null));
  const persons = lasting.map(([person]) => person);
  return { threshold, persons, losable: Math.max(0, persons.length - threshold + 1) };
}
