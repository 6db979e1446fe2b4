// Builds what appending without a clone needs: two throwaway repositories, one for parts of a history and one for all of
// it, and pins that outlive them.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openRepository } from '../adapters/git/repository.ts';
import { openRemote } from '../adapters/git-remote/open-remote.ts';
import { bareRepository } from '../adapters/git/bare-repository.ts';
import { fileFolds } from '../adapters/state/file-folds.ts';
import { filePins } from '../adapters/state/file-pins.ts';
import { remoteStatePath } from '../adapters/state/remote-state.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import type { ColdWorld, Fetched } from '../app/cold/cold-world.ts';
import { snapshotsIn } from '../app/verify/snapshots.ts';
import type { Circumstances } from './app.ts';

export type ClosableColdWorld = ColdWorld & { readonly close: () => Promise<void> };
type Opened = Fetched & { readonly close: () => Promise<void> };

export async function openCold(
  at: Pick<Circumstances, 'cwd' | 'env' | 'signal'>,
  url: string,
): Promise<ClosableColdWorld> {
  const address = addressFrom(at.cwd, url);
  const part = await open(at, address);
  let whole: Promise<Opened> | undefined;
  const stateDir = remoteStatePath(at.env, part.remote.displayUrl);
  return {
    crypto: nodeCrypto,
    clock: systemClock,
    ids: systemIds,
    backOff: (upToMs) => wait(Math.random() * upToMs, undefined, { signal: at.signal }),
    pins: filePins(stateDir),
    snapshots: snapshotsIn(fileFolds(stateDir)),
    part,
    whole: () => (whole ??= open(at, address)),
    close: async () => {
      // One that could not be opened has cleaned up after itself.
      const opened = await whole?.catch(() => undefined);
      await Promise.all([part.close(), opened?.close()]);
    },
  };
}

async function open({ env, signal }: Pick<Circumstances, 'env' | 'signal'>, url: string): Promise<Opened> {
  const { path, remove } = await bareRepository({ signal });
  try {
    const repository = await openRepository(path, { signal });
    const remote = await openRemote({ repository, cwd: path, where: { url }, env, isOwn: true });
    return {
      repository,
      remote,
      close: async () => {
        await remote.close();
        await repository.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** git will stand in the throwaway repository, where a relative path means another place. */
function addressFrom(cwd: string, url: string): string {
  const path = resolve(cwd, url);
  return url !== '' && existsSync(path) ? pathToFileURL(path).href : url;
}
