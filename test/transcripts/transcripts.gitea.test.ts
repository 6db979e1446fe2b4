// The pages whose commands set a real Gitea up: `$FORGE` is its address, uma's repository `app` is there, vic has an account.
import { describe, it } from 'vitest';
import { startGitea } from '../support/gitea/server.ts';
import { transcriptPages } from '../support/pages.ts';
import { runTranscript } from '../support/transcript.ts';

describe('what the documentation shows is what happens', () => {
  it.each(transcriptPages('gitea'))('%s', async (page) => {
    const gitea = await startGitea();
    try {
      const uma = await gitea.createUser('uma');
      await gitea.createUser('vic');
      await gitea.createRepository(uma, 'app');
      await runTranscript(page, { FORGE: gitea.url, LAZARUS_TOKEN: uma.token, LAZARUS_TOKEN_ORIGIN: gitea.url });
    } finally {
      await gitea.stop();
    }
  });
});
