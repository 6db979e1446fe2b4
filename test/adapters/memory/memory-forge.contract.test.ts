import { createMemoryServer } from '../../../src/adapters/memory/memory-forge.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { forgeContract } from '../../contract/forge.ts';

forgeContract('in memory', async () => {
  const server = createMemoryServer(nodeCrypto);
  const [ana, ben] = [server.as('ana'), server.as('ben')];
  return {
    ana,
    ben,
    fileIssue: async (by, repository, title, body) => server.as(by).fileIssue(repository, { title, body }),
    closeIssue: async (repository, number) => ana.closeIssue(repository, number),
    deleteComment: async (repository, id) => ana.deleteComment(repository, id),
    close: async () => undefined,
  };
});
