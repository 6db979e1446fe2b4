// Starts a run of the workflow for each mission that was named, with the job's own token, which may do that and nothing else.
import { createGitea } from '../adapters/gitea/server.ts';
import { WORKFLOW_PATHS } from '../forge-text/workflows.ts';
import { patienceOf, type JobOrigin, type Asking } from './first-questions.ts';

type Waking = Pick<Asking, 'awayMsMax' | 'told'> & { readonly missions: readonly string[] };

export async function startRuns(at: JobOrigin, env: NodeJS.ProcessEnv, waking: Waking): Promise<void> {
  const forge = createGitea({ url: at.serverUrl, token: env['LAZARUS_TOKEN'], patience: patienceOf(waking) });
  const repository = forge.repository({ owner: at.owner, name: at.repository });
  const file = WORKFLOW_PATHS.caller.split('/').at(-1)!;
  for (const mission of waking.missions) {
    const isStarted = await repository.startWorkflow(file, { mission });
    waking.told(
      `${mission}: ${isStarted ? 'woken' : `not woken, for the default branch has no ${WORKFLOW_PATHS.caller}`}`,
    );
  }
}
