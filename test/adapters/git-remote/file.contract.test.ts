// The remote contract over a local path: no server at all.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { remoteContract } from '../../contract/remote.ts';

remoteContract('a local path', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lazarus-file-'));
  return {
    root,
    url: (repository) => join(root, repository),
    env: {},
    isPath: true,
    close: async () => rmSync(root, { recursive: true, force: true }),
  };
});
