// Builds what appending without a clone needs: two throwaway repositories, one for parts of a history and one for all of
// it, and pins that outlive them. Both are in memory and filled over HTTP, unless that is for git: then they lie on a disk.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openPersonsHttpRemote } from '../adapters/git-remote/open-http-remote.ts';
import { mayGitManage } from '../adapters/git-remote/only-git.ts';
import { createMemoryRepository } from '../adapters/memory/memory-repository.ts';
import { fileFolds } from '../adapters/state/file-folds.ts';
import { filePins } from '../adapters/state/file-pins.ts';
import { remoteStatePath } from '../adapters/state/remote-state.ts';
import { nodeCrypto } from '../adapters/system/node-crypto.ts';
import { backOffUntil, systemClock } from '../adapters/system/clock.ts';
import { systemIds } from '../adapters/system/ids.ts';
import type { ColdWorld, Fetched } from '../app/cold/cold-world.ts';
import { snapshotsIn } from '../app/verify/snapshots.ts';
import type { Remote } from '../ports/remote.ts';
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
    backOff: backOffUntil(at.signal),
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

type Asking = Pick<Circumstances, 'env' | 'signal'>;

async function open(at: Asking, url: string): Promise<Opened> {
  const near = await openInMemory(at, url);
  return near === undefined ? openOnDisk(at, url) : elseOnDisk(near, () => openOnDisk(at, url));
}

/** Undefined where only git knows the way. */
async function openInMemory({ env }: Asking, url: string): Promise<Opened | undefined> {
  const repository = createMemoryRepository();
  const remote = await openPersonsHttpRemote({ repository, url, env });
  return remote && { repository, remote, close: () => remote.close() };
}

async function openOnDisk({ env, signal }: Asking, url: string): Promise<Opened> {
  // Most appends never need them, and a person waits for every import.
  const [{ openRepository }, { openRemote }, { bareRepository }] = await Promise.all([
    import('../adapters/git/repository.ts'),
    import('../adapters/git-remote/open-remote.ts'),
    import('../adapters/git/bare-repository.ts'),
  ]);
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

/**
 * Begins on a disk instead where the first thing asked for shows that this is for git. Once something was brought it stays
 * as it is: what is missing then is said to be missing, and whoever reads a part goes on to the whole.
 */
function elseOnDisk(near: Opened, openFar: () => Promise<Opened>): Opened {
  let now = near;
  let hasBrought = false;
  let moving: Promise<Opened> | undefined;

  async function ask<T>(how: (remote: Remote) => Promise<T>): Promise<T> {
    const asked = now;
    try {
      return await how(asked.remote);
    } catch (error) {
      if (asked !== near || hasBrought || !mayGitManage(error)) throw error;
      now = await (moving ??= openFar());
      return how(now.remote);
    }
  }
  const bring = async (how: (remote: Remote) => Promise<void>): Promise<void> => {
    await ask(how);
    hasBrought = true;
  };

  return {
    get repository() {
      return now.repository;
    },
    remote: {
      displayUrl: near.remote.displayUrl,
      heads: (refs) => ask((remote) => remote.heads(refs)),
      fetch: (refs, into, known) => bring((remote) => remote.fetch(refs, into, known)),
      fetchPart: (part, into, known) => bring((remote) => remote.fetchPart(part, into, known)),
      push: (change) => now.remote.push(change),
      pushStored: (updates) => now.remote.pushStored(updates),
      close: () => now.remote.close(),
    },
    close: async () => {
      await near.close();
      await (await moving?.catch(() => undefined))?.close();
    },
  };
}

/** Whoever goes there stands in a throwaway folder, where a relative path means another place. */
function addressFrom(cwd: string, url: string): string {
  const path = resolve(cwd, url);
  return url !== '' && existsSync(path) ? pathToFileURL(path).href : url;
}
