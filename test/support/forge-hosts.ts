// The forges that contracts run on: one in a plain folder, and a real Gitea.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDirectoryForge } from './directory-forge/directory-forge.ts';
import { createGitea } from '../../src/adapters/gitea/server.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { ForgeHost } from '../contract/forge.ts';
import { startGitea } from './gitea/server.ts';

export async function directoryHost(): Promise<ForgeHost> {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-forge-'));
  const as = (login: string) => openDirectoryForge(folder, login, nodeCrypto);
  const [ana, ben] = [as('ana'), as('ben')];
  return {
    ana,
    ben,
    fileIssue: async (by, repository, title, body) => as(by).fileIssue(repository, { title, body }),
    editIssue: async (repository, number, body) => ana.editIssue(repository, number, body),
    closeIssue: async (repository, number) => ana.closeIssue(repository, number),
    deleteComment: async (repository, id) => ana.deleteComment(repository, id),
    pinIssue: async (repository, number) => ana.pinIssue(repository, number),
    review: async (repository, number, says) => ben.reviewPullRequest(repository, number, says),
    mergePullRequest: async (repository, number) => ana.mergePullRequest(repository, number),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

export async function giteaHost(): Promise<ForgeHost> {
  const gitea = await startGitea();
  const users = { ana: await gitea.createUser('ana'), ben: await gitea.createUser('ben') };
  const seenBy = ({ token }: { token: string }) => createGitea({ url: gitea.url, token });
  const api = gitea.as(users.ana);
  return {
    ana: seenBy(users.ana),
    ben: seenBy(users.ben),
    fileIssue: async (by, { owner, name }, title, body) =>
      (await gitea.as(users[by])('POST', `/repos/${owner}/${name}/issues`, { title, body })).number,
    editIssue: async ({ owner, name }, number, body) =>
      api('PATCH', `/repos/${owner}/${name}/issues/${number}`, { body }),
    closeIssue: async ({ owner, name }, number) =>
      api('PATCH', `/repos/${owner}/${name}/issues/${number}`, { state: 'closed' }),
    pinIssue: async ({ owner, name }, number) => api('POST', `/repos/${owner}/${name}/issues/${number}/pin`),
    review: async ({ owner, name }, number, says) => {
      const reviews = `/repos/${owner}/${name}/pulls/${number}/reviews`;
      if (says !== 'taken_back')
        return void (await gitea.as(users.ben)('POST', reviews, {
          event: says === 'yes' ? 'APPROVED' : 'REQUEST_CHANGES',
          body: 'x',
        }));
      const { id } = (await api('GET', reviews)).at(-1);
      return void (await api('POST', `${reviews}/${id}/dismissals`, { message: 'x' }));
    },
    mergePullRequest: async ({ owner, name }, number) => {
      const at = `/repos/${owner}/${name}/pulls/${number}`;
      // Whether it can be is found out behind the answer to whoever changed it last.
      for (;;) {
        if ((await api('GET', at)).mergeable === true) break;
        await pause(50);
      }
      await api('POST', `${at}/merge`, { Do: 'merge' });
    },
    deleteComment: async ({ owner, name }, id) => api('DELETE', `/repos/${owner}/${name}/issues/comments/${id}`),
    close: async () => gitea.stop(),
  };
}
