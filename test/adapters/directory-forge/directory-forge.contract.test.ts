import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDirectoryForge } from '../../../src/adapters/directory-forge/directory-forge.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { forgeContract } from '../../contract/forge.ts';

forgeContract('in a plain folder', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-forge-'));
  const as = (login: string) => openDirectoryForge(folder, login, nodeCrypto);
  const [ana, ben] = [as('ana'), as('ben')];
  return {
    ana,
    ben,
    fileIssue: async (by, repository, title, body) => as(by).fileIssue(repository, { title, body }),
    closeIssue: async (repository, number) => ana.closeIssue(repository, number),
    deleteComment: async (repository, id) => ana.deleteComment(repository, id),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
