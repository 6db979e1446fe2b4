// The second core as it is installed: a thread runs what was built, whatever runs the tests.
import { OPEN, startSecondCore } from '../../src/adapters/system/second-core.ts';
import type { SecondCore } from '../../src/ports/second-core.ts';

export const THREAD = new URL('../../dist/adapters/system/second-core-thread.js', import.meta.url);

/** One whose thread is always the first to find an answer, whatever time that takes: nothing is left to this core. */
export async function patientSecondCore(): Promise<SecondCore> {
  const { check, close } = await startSecondCore(THREAD);
  return {
    check: (run) => {
      const { states, take } = check(run);
      return {
        take: (i) => {
          while (Atomics.load(states, i) === OPEN);
          return take(i);
        },
      };
    },
    close,
  };
}
