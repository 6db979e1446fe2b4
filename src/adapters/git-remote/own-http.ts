// HTTP of our own to one address: chosen when it is first needed, one set of kept connections for what is read and what is
// pushed, and given up for good where only git turns out to know the way.
import { createHttp, type Limits } from '../system/http.ts';
import type { Credentials } from './credentials.ts';
import type { HttpServer } from './http-ask.ts';
import type { HttpWay } from './only-git.ts';

export type OwnHttp = {
  /** Undefined: that is for git. */
  readonly server: () => Promise<HttpServer | undefined>;
  /** From now on. */
  readonly leaveToGit: () => void;
  readonly close: () => Promise<void>;
};

export function ownHttp(
  { url, credentials }: { readonly url: string; readonly credentials: Credentials },
  { way, limits }: { readonly way: () => Promise<HttpWay>; readonly limits: Limits },
): OwnHttp {
  let chosen: Promise<HttpServer | undefined> | undefined;
  let isLeft = false;

  async function choose(): Promise<HttpServer | undefined> {
    const found = await way();
    return found.is === 'git' ? undefined : { url, credentials, http: createHttp(limits, found.ca) };
  }

  return {
    server: async () => (isLeft ? undefined : (chosen ??= choose())),
    // What is under way ends as it will.
    leaveToGit: () => {
      isLeft = true;
    },
    close: async () => {
      (await chosen?.catch(() => undefined))?.http.close();
    },
  };
}
