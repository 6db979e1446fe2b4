// The throwaway forge itself: what tests of everything else rely on.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startRunner, type Runner } from './runner.ts';
import { startGitea, type Gitea } from './server.ts';

const WORKFLOW = `name: probe
on: {push: {branches: [main]}}
jobs:
  gate:
    runs-on: lazarus-gate
    steps:
      - run: echo "uid=$(id -u) word=$WORD home=$HOME"
  cell:
    runs-on: lazarus-cell
    steps:
      - run: node --version
`;

describe('a throwaway Gitea with a runner', () => {
  let gitea: Gitea;
  let runner: Runner;
  beforeAll(async () => {
    gitea = await startGitea();
    runner = await startRunner(gitea, { env: { WORD: 'hello' } });
  });
  afterAll(async () => {
    await runner?.stop();
    await gitea?.stop();
  });

  it('answers as 1.27, with people who have tokens and a repository that can be cloned', async () => {
    expect(await gitea.api('GET', '/version')).toEqual({ version: '1.27.3' });
    const ana = await gitea.createUser('ana');
    expect((await gitea.as(ana)('GET', '/user')).id).toBe(ana.id);
    const repository = await gitea.createRepository(ana, 'first');
    const heads = execFileSync('git', ['ls-remote', '--heads', repository.cloneUrl], { encoding: 'utf8' });
    expect(heads).toMatch(/refs\/heads\/main\n$/);
  });

  it('runs jobs for both labels, never as root, with the environment that the test gave', async () => {
    const ben = await gitea.createUser('ben');
    const api = gitea.as(ben);
    await gitea.createRepository(ben, 'jobs');
    const content = Buffer.from(WORKFLOW).toString('base64');
    await api('POST', '/repos/ben/jobs/contents/.gitea/workflows/probe.yaml', { content, message: 'probe' });
    const jobs = await finishedJobs(gitea, ben.token, 'ben/jobs', 2);
    expect(jobs.map((job) => `${job.name} ${job.conclusion}`).toSorted()).toEqual(['cell success', 'gate success']);
    const gate = jobs.find((job) => job.name === 'gate')!;
    const log = await fetch(`${gitea.url}/api/v1/repos/ben/jobs/actions/jobs/${gate.id}/logs`, {
      headers: { authorization: `token ${ben.token}` },
    }).then((answer) => answer.text());
    expect(log).toMatch(/uid=[1-9]\d* word=hello/);
    expect(log).toContain(`home=${runner.home}`);
  });
});

type Job = { readonly id: number; readonly name: string; readonly status: string; readonly conclusion: string };

async function finishedJobs(gitea: Gitea, token: string, repository: string, count: number): Promise<Job[]> {
  for (;;) {
    const { jobs } = await gitea.as({ token })('GET', `/repos/${repository}/actions/jobs?limit=50`);
    if (jobs.filter((job: Job) => job.status === 'completed').length === count) return jobs;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
