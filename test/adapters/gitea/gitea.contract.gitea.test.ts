import { createGitea } from '../../../src/adapters/gitea/server.ts';
import { forgeContract } from '../../contract/forge.ts';
import { startGitea } from '../../support/gitea/server.ts';

forgeContract('on a real Gitea', async () => {
  const gitea = await startGitea();
  const users = { ana: await gitea.createUser('ana'), ben: await gitea.createUser('ben') };
  const seenBy = ({ token }: { token: string }) => createGitea({ url: gitea.url, token });
  const api = gitea.as(users.ana);
  return {
    ana: seenBy(users.ana),
    ben: seenBy(users.ben),
    fileIssue: async (by, { owner, name }, title, body) =>
      (await gitea.as(users[by])('POST', `/repos/${owner}/${name}/issues`, { title, body })).number,
    closeIssue: async ({ owner, name }, number) =>
      api('PATCH', `/repos/${owner}/${name}/issues/${number}`, { state: 'closed' }),
    deleteComment: async ({ owner, name }, id) => api('DELETE', `/repos/${owner}/${name}/issues/comments/${id}`),
    close: async () => gitea.stop(),
  };
});
