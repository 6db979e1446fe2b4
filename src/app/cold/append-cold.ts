// Appends to a remote ledger without a clone: the one write path, on a tip that is fetched for the purpose.
import type { Roster } from '../../kernel/roster/roster.ts';
import { Failure } from '../../failure.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import { ledgerName } from '../../ledger/names.ts';
import type { Signer } from '../../ports/keys.ts';
import type { Wanted } from '../append.ts';
import { land, type Landed } from '../land.ts';
import { draw, type Decide } from '../sealing.ts';
import { ColdTip } from './cold-tip.ts';
import type { ColdWorld, Way } from './cold-world.ts';

export type ColdSubmission = {
  readonly decide: Decide;
  /** What `adding` says of the events; undefined where a rule may ask for the state. */
  readonly adding?: number | undefined;
  /** Chosen once the roster is known. */
  readonly signer: (roster: Roster) => Promise<Signer>;
  /** Told before a whole ledger is fetched and verified. */
  readonly onWhole?: () => void;
};

export type LandedCold = Landed & { readonly way: Way };

export async function appendCold(
  world: ColdWorld,
  ref: string,
  submission: ColdSubmission,
): Promise<Verdict<LandedCold>> {
  const { pins, clock, ids, backOff } = world;
  const drawn = draw(ids, clock);
  // Read once: a pin that another process moves meanwhile could leave behind it a transaction of ours whose answer was lost.
  const source = new ColdTip(world, ref, submission, await pins.read(ledgerName(ref)));
  const contest = { backOff, ref, size: () => source.size };
  const landing = (): Promise<Verdict<Landed>> =>
    new Promise((resolve, reject) => {
      land(source, contest, [{ submission, drawn, resolve }]).catch(reject);
    });
  const verdict = await landing().catch((error: unknown) => {
    // The same draw: what landed all the same is recognised.
    if (error instanceof Failure || !source.beginAtTheFirst()) throw error;
    return landing();
  });
  return verdict.is === 'refused' ? verdict : accept({ ...verdict.value, way: source.way });
}

/** How many events, if all of them only add notes or artifacts to a mission as a whole: its tasks need not be known. */
export function adding(wanted: readonly Wanted[]): number | undefined {
  return wanted.every(({ event_type, task_id }) => ADDS.has(event_type) && task_id === undefined)
    ? wanted.length
    : undefined;
}

const ADDS: ReadonlySet<string> = new Set(['note.recorded', 'artifact.recorded', 'artifact.erased']);
