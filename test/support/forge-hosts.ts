// The forges that contracts run on: one in a plain folder, and a real Gitea.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    deleteComment: async ({ owner, name }, id) => api('DELETE', `/repos/${owner}/${name}/issues/comments/${id}`),
    close: async () => gitea.stop(),
  };
}
