// The workflow files on a real Gitea with a runner, with an action in place of ours that only says what it was given:
// which event starts which job, what each job gets, and that the writer comes also when a cell fails.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKFLOW_PATHS, workflows, type WorkflowRole } from '../../src/forge-text/workflows.ts';
import { startRunner, type Runner } from '../support/gitea/runner.ts';
import { startGitea, type Gitea } from '../support/gitea/server.ts';

const ACTION = `name: probe
inputs: { job: { required: true }, event-name: {}, mission: {}, missions: {} }
outputs: { next: {}, mission: {}, wake: {} }
runs: { using: node20, main: index.js }
`;
/**
 * Says `next=cell` for a comment with /go, and as its writer who is to be woken; dies as a cell of a comment with /die. Tells
 * every secret it can see.
 */
const PROBE = `const { appendFileSync, readFileSync } = require('node:fs');
const env = process.env;
const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, 'utf8'));
const body = event.comment?.body ?? '';
const keys = Object.keys(env).filter((name) => env[name].startsWith('value of ') || name === 'LAZARUS_TOKEN').sort();
console.log('PROBE ' + JSON.stringify({ job: env.INPUT_JOB, event: env['INPUT_EVENT-NAME'] || undefined, mission: env.INPUT_MISSION || undefined, missions: env.INPUT_MISSIONS?.trim() || undefined, keys }));
const next = /\\/(go|die)/.test(body) ? 'cell' : 'none';
appendFileSync(env.GITHUB_OUTPUT, 'next<<DELIMITER\\n' + next + '\\nDELIMITER\\nmission<<DELIMITER\\nm-0123456789ab\\nDELIMITER\\n');
if (env.INPUT_JOB === 'writer' && body.includes('/go')) appendFileSync(env.GITHUB_OUTPUT, 'wake<<DELIMITER\\nm-a m-b\\nDELIMITER\\n');
if (env.INPUT_JOB === 'cell' && body.includes('/die')) process.exit(1);
`;

type Job = { readonly id: number; readonly name: string; readonly conclusion: string; readonly runner_name?: string };
type Probe = {
  readonly job: string;
  readonly event?: string;
  readonly mission?: string;
  readonly missions?: string;
  readonly keys: readonly string[];
};

let gitea: Gitea;
let runner: Runner;
let api: Gitea['api'];
let issue = 0;

beforeAll(async () => {
  gitea = await startGitea();
  const alice = await gitea.createUser('alice');
  api = gitea.as(alice);
  await gitea.createRepository(alice, 'lazarus-action');
  const commit = await write('lazarus-action', { 'action.yml': ACTION, 'index.js': PROBE });
  await gitea.createRepository(alice, 'm1');
  for (const name of ['LAZARUS_GATE_KEY', 'LAZARUS_WRITER_KEY', 'LAZARUS_WRITER_PASSPHRASE', 'OTHER'])
    await api('PUT', `/repos/alice/m1/actions/secrets/${name}`, { data: `value of ${name}` });
  issue = (await api('POST', '/repos/alice/m1/issues', { title: 'a mission' })).number;
  const files = workflows({
    address: `${gitea.url}/alice/lazarus-action`,
    commit,
    genesis: `sha256:${'e'.repeat(64)}`,
  });
  if (files.is === 'refused') throw new Error(files.code);
  const roles = Object.keys(files.value) as WorkflowRole[];
  await write('m1', Object.fromEntries(roles.map((role) => [WORKFLOW_PATHS[role], files.value[role]])));
  runner = await startRunner(gitea);
});
afterAll(async () => {
  await runner?.stop();
  await gitea?.stop();
});

async function write(repository: string, files: Readonly<Record<string, string>>): Promise<string> {
  const made = await api('POST', `/repos/alice/${repository}/contents`, {
    message: 'files',
    files: Object.entries(files).map(([path, text]) => ({
      operation: 'create',
      path,
      content: Buffer.from(text).toString('base64'),
    })),
  });
  return made.commit.sha;
}

/** Does something on the forge, waits for the run it starts to end, and tells the jobs of it. */
async function runOf(
  act: () => Promise<unknown>,
): Promise<{ jobs: Record<string, string>; probes: Record<string, Probe> }> {
  const newest = async () =>
    (await api('GET', '/repos/alice/m1/actions/runs?limit=1')).workflow_runs[0] as
      | { id: number; status: string }
      | undefined;
  const before = (await newest())?.id;
  await act();
  for (;;) {
    const run = await newest();
    if (run !== undefined && run.id !== before && run.status === 'completed') return told(run.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function told(run: number): Promise<{ jobs: Record<string, string>; probes: Record<string, Probe> }> {
  const { jobs } = (await api('GET', `/repos/alice/m1/actions/runs/${run}/jobs?limit=50`)) as { jobs: Job[] };
  const probes: Record<string, Probe> = {};
  for (const job of jobs.filter(({ runner_name }) => (runner_name ?? '') !== '')) {
    const log = await fetch(`${gitea.url}/api/v1/repos/alice/m1/actions/jobs/${job.id}/logs`, {
      headers: { authorization: `token ${gitea.admin.token}` },
    }).then((answer) => answer.text());
    const line = /PROBE (\{.*\})/.exec(log)?.[1];
    if (line !== undefined) probes[job.name] = JSON.parse(line);
  }
  return { jobs: Object.fromEntries(jobs.map(({ name, conclusion }) => [name, conclusion])), probes };
}

const comment = (body: string) => () => api('POST', `/repos/alice/m1/issues/${issue}/comments`, { body });

describe('a comment', () => {
  it('without a slash asks no runner for anything', async () => {
    const { jobs, probes } = await runOf(comment('looks good to me'));
    expect(probes).toEqual({});
    expect(new Set(Object.values(jobs))).toEqual(new Set(['skipped']));
  });

  it('with one runs the gate, under its real event name and with its own key alone', async () => {
    const { probes } = await runOf(comment('thanks\n/status'));
    expect(Object.values(probes)).toEqual([
      { job: 'gate', event: 'issue_comment', keys: ['LAZARUS_GATE_KEY', 'LAZARUS_TOKEN'] },
    ]);
  });

  it('that starts a mission runs gate, cell and writer, and who wakes others, each with what is its own', async () => {
    const { probes } = await runOf(comment('/go'));
    expect(Object.values(probes).toSorted((a, b) => a.job.localeCompare(b.job))).toEqual([
      { job: 'cell', mission: 'm-0123456789ab', keys: ['LAZARUS_TOKEN'] },
      { job: 'gate', event: 'issue_comment', keys: ['LAZARUS_GATE_KEY', 'LAZARUS_TOKEN'] },
      { job: 'wake', missions: 'm-a m-b', keys: ['LAZARUS_TOKEN'] },
      {
        job: 'writer',
        mission: 'm-0123456789ab',
        keys: ['LAZARUS_TOKEN', 'LAZARUS_WRITER_KEY', 'LAZARUS_WRITER_PASSPHRASE'],
      },
    ]);
  });

  it('whose cell dies still gets its writer', async () => {
    const { probes, jobs } = await runOf(comment('/die'));
    expect(
      Object.values(probes)
        .map(({ job }) => job)
        .toSorted(),
    ).toEqual(['cell', 'gate', 'writer']);
    expect(Object.values(jobs)).toContain('failure');
  });
});

describe('an issue', () => {
  it('that is no proposal asks no runner for anything; one with the form’s field does', async () => {
    const open = (body: string) => () => api('POST', '/repos/alice/m1/issues', { title: 'x', body });
    expect((await runOf(open('why does it fail?'))).probes).toEqual({});
    const { probes } = await runOf(open('### lazarus-schema\n\n1\n'));
    expect(Object.values(probes)).toMatchObject([{ job: 'gate', event: 'issues' }]);
  });

  it('that is edited is looked at, whatever is left of the form', async () => {
    const { probes } = await runOf(() => api('PATCH', `/repos/alice/m1/issues/${issue}`, { body: 'gone' }));
    expect(Object.values(probes)).toMatchObject([{ job: 'gate', event: 'issues' }]);
  });
});

describe('reconcile', () => {
  it('started by hand runs instead of the gate, with the gate’s key', async () => {
    const file = WORKFLOW_PATHS.caller.split('/').at(-1);
    const { probes } = await runOf(() =>
      api('POST', `/repos/alice/m1/actions/workflows/${file}/dispatches`, { ref: 'main' }),
    );
    expect(Object.values(probes)).toEqual([
      { job: 'reconcile', event: 'workflow_dispatch', keys: ['LAZARUS_GATE_KEY', 'LAZARUS_TOKEN'] },
    ]);
  });

  it('for one mission is told which', async () => {
    const file = WORKFLOW_PATHS.caller.split('/').at(-1);
    const started = { ref: 'main', inputs: { mission: 'm-0123456789ab' } };
    const { probes } = await runOf(() => api('POST', `/repos/alice/m1/actions/workflows/${file}/dispatches`, started));
    expect(Object.values(probes)).toMatchObject([{ job: 'reconcile', mission: 'm-0123456789ab' }]);
  });
});
