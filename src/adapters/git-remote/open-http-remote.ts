// A remote for a job that lives for seconds: reached over HTTP alone, with the one credential of its environment and no
// git program. Knows no proxy, no helper and no configuration of anybody's: where those are needed, openRemote is.
import { Failure } from '../../failure.ts';
import type { Remote } from '../../ports/remote.ts';
import type { Repository } from '../../ports/repository.ts';
import { encodePack } from '../git/pack.ts';
import { parseAddress } from './address.ts';
import { credentialsFor } from './credentials.ts';
import { readOverHttp } from './http-fetch.ts';
import { createHttp, LIMITS } from '../system/http.ts';
import { pushOverHttp } from './http-push.ts';
import { ONLY_GIT_KNOWS_VARIABLE } from './locate.ts';
import type { Environment } from './git-run.ts';
import { TIMEOUTS_MS, type TimeoutsMs } from './network-git.ts';
import { assertUpdates } from './receive-pack.ts';

export type HttpRemoteOptions = {
  /** Where fetched objects go; nothing but this program ever reads there. */
  readonly repository: Repository;
  readonly url: string;
  readonly env: Environment;
  readonly timeoutsMs?: Partial<TimeoutsMs>;
};

/** Undefined where only git knows the way. */
export function openHttpRemote({ repository, url, env, timeoutsMs }: HttpRemoteOptions): Remote | undefined {
  const address = parseAddress(url);
  if (address.is !== 'http') return undefined;
  if (Object.entries(env).some(([name, value]) => Boolean(value) && ONLY_GIT_KNOWS_VARIABLE.test(name)))
    return undefined;
  const http = createHttp(LIMITS);
  const credentials = credentialsFor(address, address.url, {
    env,
    helper: NOBODY,
    netrc: () => Promise.resolve(undefined),
  });
  const server = { url: address.url, http, credentials };
  const reads = readOverHttp(server, repository, { ...TIMEOUTS_MS, ...timeoutsMs });
  return {
    displayUrl: address.url,
    ...reads,
    push: async ({ objects, updates }) => {
      assertUpdates(updates);
      // Told to delete, a server that does not hold the old value's object compares nothing: git looks first as well.
      const deletions = updates.filter(({ next }) => next === undefined);
      const found = await reads.heads(deletions.map(({ ref }) => ref));
      if (deletions.some(({ ref, old }) => found.get(ref) !== old)) return { is: 'moved' };
      const outcome = await pushOverHttp(server, updates, encodePack(objects, { thin: true }));
      if (outcome === 'certificate_unknown') throw new Failure('certificate_refused', { url: address.url });
      return outcome;
    },
    pushStored: () => Promise.reject(new Failure('internal', { unsound: 'a push of what lies elsewhere' })),
    close: () => {
      http.close();
      return Promise.resolve();
    },
  };
}

const NOBODY = {
  fill: () => Promise.resolve(undefined),
  approve: () => Promise.resolve(),
  reject: () => Promise.resolve(),
};
