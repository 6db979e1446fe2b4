// This project's own CI workflow on a real Gitea with a runner, in a private repository whose `.ci/run` tells what it finds:
// a push and a pull request run what they hold, without the token that fetched it.
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startRunner, type Runner } from '../support/gitea/runner.ts';
import { startGitea, type Gitea } from '../support/gitea/server.ts';
import { git, scratchRepository } from '../support/repos.ts';

const CI = '.gitea/workflows/ci.yaml';
const REPOSITORY = '/repos/alice/lazarus';

type Run = { readonly id: number; readonly head_sha: string; readonly event: string; readonly status: string };

let gitea: Gitea;
let runner: Runner;
let alice: Awaited<ReturnType<Gitea['createUser']>>;
let api: Gitea['api'];
let cloneUrl: string;

beforeAll(async () => {
  gitea = await startGitea();
  alice = await gitea.createUser('alice');
  api = gitea.as(alice);
  ({ cloneUrl } = await gitea.createRepository(alice, 'lazarus', { isPrivate: true, isEmpty: true }));
  runner = await startRunner(gitea, { labels: ['lazarus-ci:host'] });
});
afterAll(async () => {
  await runner?.stop();
  await gitea?.stop();
});

it('runs what was pushed and what a pull request holds, and the token is gone by then', async () => {
  const folder = scratchRepository();
  mkdirSync(join(folder, '.gitea/workflows'), { recursive: true });
  cpSync(new URL(`../../${CI}`, import.meta.url), join(folder, CI));
  mkdirSync(join(folder, '.ci'));
  const pushed = commit(folder, 'main', 'pushed');
  expect(await logOf(pushed, 'push')).toMatch(new RegExp(`PROBE pushed ${pushed} TOKEN=none HEADER=none LEFT=0`));

  git(folder, ['switch', '-q', '-c', 'proposed']);
  const proposed = commit(folder, 'proposed', 'proposed');
  await api('POST', `${REPOSITORY}/pulls`, { title: 'a change', head: 'proposed', base: 'main' });
  expect(await logOf(proposed, 'pull_request')).toContain(`PROBE proposed ${proposed} TOKEN=none HEADER=none LEFT=0`);
});

/** `.ci/run` that says which text it is, of which commit, and what it finds of the token. */
function commit(folder: string, branch: string, text: string): string {
  const program = join(folder, '.ci/run');
  const left = '$(git config --list | grep -ci authorization)';
  writeFileSync(
    program,
    `#!/bin/sh\necho "PROBE ${text} $(git rev-parse HEAD) TOKEN=\${TOKEN-none} HEADER=\${GIT_CONFIG_VALUE_0-none} LEFT=${left}"\n`,
  );
  chmodSync(program, 0o755);
  git(folder, ['add', '.']);
  git(folder, ['commit', '-q', '-m', text]);
  git(folder, ['-c', `http.extraHeader=Authorization: token ${alice.token}`, 'push', '-q', cloneUrl, branch]);
  return git(folder, ['rev-parse', 'HEAD']);
}

async function logOf(commit: string, event: string): Promise<string> {
  for (;;) {
    const { workflow_runs: runs } = (await api('GET', `${REPOSITORY}/actions/runs?limit=20`)) as {
      workflow_runs: Run[];
    };
    const run = runs.find((one) => one.head_sha === commit && one.event === event && one.status === 'completed');
    if (run === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    const { jobs } = await api('GET', `${REPOSITORY}/actions/runs/${run.id}/jobs`);
    const answer = await fetch(`${gitea.url}/api/v1${REPOSITORY}/actions/jobs/${jobs[0].id}/logs`, {
      headers: { authorization: `token ${gitea.admin.token}` },
    });
    return answer.text();
  }
}
