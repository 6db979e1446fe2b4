// Who, besides whoever keeps a machine, could read the keys that a mission is run with: the machine's own and those of routes.
// Before the run it is what policy leaves open, after it the runner's own word. Knows no machine.
import { z } from 'zod';
import { accept, refuse, type Verdict } from '../verdict.ts';

/** Whoever may push a workflow to a repository has it run as the user of that repository's runner. */
export const ExposedTo = z.enum(['repository_writers']).nullable();
export type ExposedTo = z.infer<typeof ExposedTo>;

/** Of the machines that run missions for a forge. `supervised`: such a machine's keys belong to a user that no job runs as. */
export const RunnerRules = z.strictObject({ supervised: z.boolean().default(false) });
type RunnerRules = z.infer<typeof RunnerRules>;

/** As far as the rules say. Where no forge has a part in it, people run it on their own computers. */
export function exposureUnder({ supervised }: RunnerRules, { isOnForge }: { readonly isOnForge: boolean }): ExposedTo {
  return isOnForge && !supervised ? 'repository_writers' : null;
}

/** Keys that others can read vouch for no more than those that a forge keeps for its jobs. */
const TIER_MAX_EXPOSED = 1;

/** Whether a machine may run a plan of this tier. */
export function checkExposure(
  exposedTo: ExposedTo,
  { tier, runner }: { readonly tier: number; readonly runner: RunnerRules },
): Verdict<undefined> {
  if (exposedTo === null) return accept(undefined);
  if (runner.supervised) return refuse('runner_exposed', { exposed_to: exposedTo, policy: 'runner.supervised' });
  return tier <= TIER_MAX_EXPOSED
    ? accept(undefined)
    : refuse('runner_exposed', { exposed_to: exposedTo, tier, tier_max: TIER_MAX_EXPOSED });
}
