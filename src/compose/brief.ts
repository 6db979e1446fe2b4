// Builds what a job of seconds looks at the project with: a repository in memory, filled over HTTP, and nothing on the
// disk. What it holds is thrown away when the job ends, so that nothing of it needs to survive a power cut; all that must
// is pushed, and stands on the forge.
import { memoryPins } from '../adapters/memory/memory-pins.ts';
import type { Recalled } from '../app/recall-project.ts';
import { ledgerName, PROJECT_REF } from '../ledger/names.ts';
import type { Pins } from '../ports/pins.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { backOffUntil, systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { Workbench } from '../app/workbench.ts';
import type { BriefParts } from './first-questions.ts';

export function briefWorkbench({ repository, remote, bringFile, bringEntry, recalled }: BriefParts): Workbench {
  return new Workbench({
    crypto: nodeCrypto,
    repository,
    remote,
    bringFile,
    bringEntry,
    pins: pinsAfter(recalled),
    folds: { read: async (ledger, name) => (await recalled)?.folds.read(ledger, name) },
    clock: systemClock,
    ids: systemIds,
    nowMs: () => performance.now(),
    backOff: backOffUntil(),
  });
}

function pinsAfter(recalled: Promise<Recalled | undefined>): Pins {
  const pins = memoryPins();
  const ready = recalled.then(async (found) => {
    if (found !== undefined) await pins.write(ledgerName(PROJECT_REF), found.pin);
  });
  // Told to whoever reads or writes one.
  ready.catch(() => undefined);
  return {
    read: async (ledger) => {
      await ready;
      return pins.read(ledger);
    },
    write: async (ledger, pin) => {
      await ready;
      return pins.write(ledger, pin);
    },
  };
}
