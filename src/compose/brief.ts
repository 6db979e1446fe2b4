// Builds what a job of seconds looks at the project with: a repository in memory, filled over HTTP, and nothing on the
// disk. What it holds is thrown away when the job ends, so that nothing of it needs to survive a power cut; all that must
// is pushed, and stands on the forge.
import { setTimeout as wait } from 'node:timers/promises';
import { openHttpRemote } from '../adapters/git-remote/open-http-remote.ts';
import { createMemoryRepository } from '../adapters/memory/memory-repository.ts';
import { memoryPins } from '../adapters/memory/memory-pins.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { withBaseParts } from '../app/base-part.ts';
import { POLICY_FILE } from '../app/mission/rules.ts';
import { withRecentHeads, type Recent } from '../app/recent-heads.ts';
import { Workbench } from '../app/workbench.ts';

/** Undefined where only git knows the way to the forge. */
export function briefWorkbench(
  url: string,
  { env, recent }: { readonly env: Readonly<Record<string, string | undefined>>; readonly recent: Recent },
): Workbench | undefined {
  const repository = createMemoryRepository();
  const opened = openHttpRemote({ repository, url, env });
  if (opened === undefined) return undefined;
  const { remote, bringFile } = withBaseParts(repository, opened, POLICY_FILE);
  return new Workbench({
    crypto: nodeCrypto,
    repository,
    remote: withRecentHeads(remote, recent),
    bringFile,
    pins: memoryPins(),
    clock: systemClock,
    ids: systemIds,
    nowMs: () => performance.now(),
    backOff: (upToMs, atLeastMs = 0) => wait(atLeastMs + Math.random() * (upToMs - atLeastMs)),
  });
}
