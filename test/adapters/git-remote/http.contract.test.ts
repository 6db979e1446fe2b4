// The remote contract over smart HTTP: as a clone reads and pushes, through git alone, and without any git as a job does and
// as a person without a clone.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  openHttpRemote,
  openPersonsHttpRemote,
  type HttpRemoteOptions,
} from '../../../src/adapters/git-remote/open-http-remote.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { remoteContract, type RemoteHost } from '../../contract/remote.ts';
import { startGitHttpServer } from '../../support/http-server.ts';

async function host(env: RemoteHost['env'] = {}): Promise<RemoteHost> {
  const root = mkdtempSync(join(tmpdir(), 'lazarus-http-'));
  const server = await startGitHttpServer(root);
  return {
    root,
    url: server.url,
    env,
    close: async () => {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

remoteContract('http', () => host());

// A setting that only git understands, and that changes nothing here.
remoteContract('http through git', () => host({ GIT_SSL_VERSION: 'tlsv1.2' }));

const withoutGit = {
  'http without git': openHttpRemote,
  'http as a person': ({ env, ...options }: HttpRemoteOptions) =>
    openPersonsHttpRemote({ ...options, env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', ...env } }),
};
for (const [transport, open] of Object.entries(withoutGit))
  remoteContract(
    transport,
    () => host(),
    async ({ cwd, where, env }) => {
      const repository = await openRepository(cwd);
      const remote = (await open({ repository, url: where.url, env }))!;
      onTestFinished(async () => {
        await remote.close();
        await repository.close();
      });
      return remote;
    },
  );
