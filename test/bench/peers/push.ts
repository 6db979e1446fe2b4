// Other ways to push one commit: the bare request and nothing around it, git itself, and isomorphic-git.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';
import { push } from 'isomorphic-git';
import http from 'isomorphic-git/http/node';
import { encodePack } from '../../../src/adapters/git/pack.ts';
import { createHttp, LIMITS } from '../../../src/adapters/system/http.ts';
import { encodePushRequest, parseReport } from '../../../src/adapters/git-remote/receive-pack.ts';
import type { Change } from '../../../src/ports/repository.ts';

const run = promisify(execFile);

export type Push = { readonly ref: string; readonly old: string; readonly next: string };

/** Requests that were packed ahead of time, over one connection that stays: what is left is the server. */
export function rawPusher(url: string): {
  push: (request: Uint8Array, ref: string) => Promise<void>;
  close: () => void;
} {
  const sender = createHttp(LIMITS);
  const headers = { 'content-type': 'application/x-git-receive-pack-request' };
  return {
    push: async (request, ref) => {
      const reply = await sender.send({
        method: 'POST',
        url: `${url}/git-receive-pack`,
        headers,
        body: request,
      });
      if (reply.is !== 'answered') throw new Error(`no answer to a raw push: ${JSON.stringify(reply)}`);
      const why = parseReport(reply.body, [ref]).refs.get(ref);
      if (reply.status !== 200 || why !== undefined) throw new Error(`a raw push did not land: ${why ?? reply.status}`);
    },
    close: () => sender.close(),
  };
}

export function rawRequest({ objects, updates }: Change): Uint8Array {
  return encodePushRequest(updates, encodePack(objects, { thin: true }));
}

export async function pushWithGit(cwd: string, url: string, { ref, old, next }: Push): Promise<void> {
  await run('git', ['push', '--quiet', `--force-with-lease=${ref}:${old}`, url, `${next}:${ref}`], { cwd });
}

export async function pushWithIsomorphicGit(gitdir: string, url: string, { ref }: Push): Promise<void> {
  const { ok, refs } = await push({ fs, http, gitdir, url, ref, remoteRef: ref });
  if (!ok) throw new Error(`isomorphic-git did not push: ${JSON.stringify(refs)}`);
}
