// The remote contract over ssh, against a throwaway sshd; left out where there is no sshd.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTestRemote, remoteContract } from '../../contract/remote.ts';
import { createBareRepository } from '../../support/http-server.ts';
import { scratch, scratchRepository } from '../../support/repos.ts';
import { startSshServer } from '../../support/ssh-server.ts';

remoteContract('ssh', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lazarus-ssh-'));
  const server = await startSshServer(root);
  return {
    root,
    url: (repository) => server.url(join(root, repository)),
    env: server.env,
    close: async () => {
      await server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
});

it('does not talk to an ssh host whose key it has never seen', async () => {
  const root = scratch('ssh');
  const server = await startSshServer(root);
  onTestFinished(server.close);
  const url = server.url(createBareRepository(root, 'r.git'));
  const remote = await openTestRemote({ cwd: scratchRepository(), where: { url }, env: server.strangerEnv });
  await expect(remote.heads(['refs/heads/x'])).rejects.toMatchObject({ code: 'host_key_refused' });
});
