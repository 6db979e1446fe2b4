// The second core as it is installed: a thread runs what was built, whatever runs the tests.
import { startSecondCore } from '../../src/adapters/system/second-core.ts';
import type { SecondCore } from '../../src/ports/second-core.ts';

export const THREAD = new URL('../../dist/adapters/system/second-core-thread.js', import.meta.url);

/** One that is asked from the first signature on, however short a ledger is. */
export async function readySecondCore(): Promise<SecondCore> {
  const core = await startSecondCore(THREAD);
  await core.verify([]);
  return core;
}
