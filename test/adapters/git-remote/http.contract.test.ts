// The remote contract over smart HTTP: with our own POST for pushes and git for everything else, and without any git.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openHttpRemote } from '../../../src/adapters/git-remote/open-http-remote.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { remoteContract, type RemoteHost } from '../../contract/remote.ts';
import { startGitHttpServer } from '../../support/http-server.ts';

async function host(): Promise<RemoteHost> {
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
}

remoteContract('http', host);

remoteContract('http without git', host, async ({ cwd, where, env }) => {
  const repository = await openRepository(cwd);
  const remote = openHttpRemote({ repository, url: where.url, env })!;
  onTestFinished(async () => {
    await remote.close();
    await repository.close();
  });
  return remote;
});
