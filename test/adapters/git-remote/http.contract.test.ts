// The remote contract over smart HTTP: our own POST for pushes, git for everything else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteContract } from '../../contract/remote.ts';
import { startGitHttpServer } from '../../support/http-server.ts';

remoteContract('http', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lazarus-http-'));
  const server = await startGitHttpServer(root);
  return {
    root,
    url: server.url,
    env: {},
    close: async () => {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
});
