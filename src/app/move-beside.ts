// The race for what is laid beside a ledger: shelves of artifacts, co-signatures, shared snapshots. Whoever loses it makes
// the next from what lies there then, so that nothing of the winner's is lost. Knows neither what lies there nor ledgers.
import type { GitObject, Oid } from '../format/git/object.ts';
import { contend } from './contend.ts';
import type { Place } from './place.ts';
import type { WorkbenchParts } from './workbench.ts';

export type Laid<T> = {
  readonly value: T;
  /** What shall lie there; undefined where nothing has to change. */
  readonly next?: Oid | undefined;
  /** Of what `next` reaches, what is not there yet. */
  readonly objects?: readonly GitObject[];
};

/** `lay` is asked again, with what lies there, whenever somebody else was quicker. */
export function moveBeside<T>(
  { backOff }: Pick<WorkbenchParts, 'backOff'>,
  place: Place,
  ref: string,
  lay: (old: Oid | undefined) => Promise<Laid<T>>,
): Promise<T> {
  return contend<T>({ push: (change) => place.moveAhead(change), backOff, ref }, async () => {
    const old = await place.head(ref);
    const { value, next, objects = [] } = await lay(old);
    // A push that was not answered may have landed: then it lies there.
    if (next === undefined || next === old) return { is: 'over', value };
    const landed = async (): Promise<T> => {
      // Whoever comes next in this process reads it here.
      await place.upToDate();
      return value;
    };
    return { is: 'ready', change: { objects, updates: [{ ref, old, next }] }, landed };
  });
}
