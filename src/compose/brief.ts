// Builds what a job of seconds looks at the project with: a repository in memory, filled over HTTP, and nothing on the
// disk. What it holds is thrown away when the job ends, so that nothing of it needs to survive a power cut; all that must
// is pushed, and stands on the forge.
import { memoryPins } from '../adapters/memory/memory-pins.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { backOffUntil, systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { Workbench } from '../app/workbench.ts';
import type { BriefParts } from './first-questions.ts';

export function briefWorkbench({ repository, remote, bringFile, bringEntry }: BriefParts): Workbench {
  return new Workbench({
    crypto: nodeCrypto,
    repository,
    remote,
    bringFile,
    bringEntry,
    pins: memoryPins(),
    clock: systemClock,
    ids: systemIds,
    nowMs: () => performance.now(),
    backOff: backOffUntil(),
  });
}
