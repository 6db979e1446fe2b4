// What the branch rules that `lazarus init` makes let each kind of token do, tried on a real server: a job's token, a
// maintainer on the lists, a writer who is on none. And what a job could do without them.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/gitea/api.ts';
import { startTeam, TEAM_REPOSITORY, type Job, type Team } from '../support/gitea/missions.ts';

const POLL_MS = 100;
const WORK = 'lazarus-work/m-0123456789ab/9';

/** A job with the widest rights that any of lazarus's jobs has; it tries what is asked and prints the answers' status. */
const PROBE = `name: probe
on: workflow_dispatch
permissions:
  contents: write
  issues: write
  pull-requests: write
jobs:
  probe:
    runs-on: lazarus-gate
    steps:
      - env:
          TOKEN: \${{ github.token }}
          AT: \${{ github.server_url }}/api/v1/repos/\${{ github.repository }}
        run: |
          cat > probe.mjs <<'PROBE'
          const { TOKEN, AT } = process.env;
          const content = Buffer.from('on: push\\n').toString('base64');
          const ask = async (what, method, path, body) => {
            const headers = { authorization: \`token \${TOKEN}\`, 'content-type': 'application/json' };
            const answer = await fetch(AT + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
            console.log(\`tried: \${what}: \${answer.status}\`);
          };
          const write = (what, path, to) => ask(what, 'POST', \`/contents/\${path}\`, { message: 'x', content, ...to });
          await write('a file on main', 'x.txt', { branch: 'main' });
          await write('a workflow on main', '.gitea/workflows/evil.yaml', { branch: 'main' });
          await ask('merging', 'POST', '/pulls/1/merge', { do: 'merge' });
          await write('work', 'x.txt', { branch: 'main', new_branch: '${WORK}' });
          await write('more work', 'y.txt', { branch: '${WORK}' });
          await write('a workflow in work', '.gitea/workflows/evil.yaml', { branch: '${WORK}' });
          await write('a workflow for another forge in work', '.github/workflows/evil.yaml', { branch: '${WORK}' });
          await ask('removing work', 'DELETE', '/branches/' + encodeURIComponent('${WORK}'));
          await ask('removing the rule', 'DELETE', '/branch_protections/main');
          await ask('loosening the rule', 'PATCH', '/branch_protections/main', { enable_push_whitelist: false });
          await ask('starting a workflow', 'POST', '/actions/workflows/probe.yaml/dispatches', { ref: '${WORK}' });
          PROBE
          node probe.mjs
`;
/** Starts nothing here: this is about who may bring it. */
const CI = 'name: CI\non: workflow_dispatch\njobs: { test: { runs-on: nowhere, steps: [{ run: "true" }] } }\n';

let team: Team;
let at: (by: Api) => (method: string, path: string, body?: unknown) => Promise<any>;

beforeAll(async () => {
  team = await startTeam({ '.gitea/workflows/probe.yaml': PROBE });
  at = (by) => (method, path, body) => by(method, `/repos/${TEAM_REPOSITORY}${path}`, body);
});
afterAll(async () => team?.stop());

const tried = (jobs: readonly Job[]): Record<string, string> =>
  Object.fromEntries(jobs.flatMap(({ log }) => [...log.matchAll(/tried: (.*): (\d+)/g)].map(([, w, s]) => [w!, s!])));

/** A change of the team's own CI and of policy, as a pull request. */
async function proposed(by: Api): Promise<number> {
  const repository = at(by);
  const branch = 'ci-change';
  const content = Buffer.from(CI).toString('base64');
  await repository('POST', '/contents/.gitea/workflows/ci.yaml', {
    message: 'CI',
    content,
    branch: 'main',
    new_branch: branch,
  });
  const path = '.gitea/lazarus/policy.yml';
  const { sha, content: policy } = await repository('GET', `/contents/${path}?ref=${branch}`);
  const changed = Buffer.concat([Buffer.from(policy, 'base64'), Buffer.from('# reviewed\n')]).toString('base64');
  await repository('PUT', `/contents/${path}`, { message: 'policy', content: changed, sha, branch });
  return (await repository('POST', '/pulls', { title: 'CI and policy', head: branch, base: 'main' })).number;
}

/** Right after another change the server is still looking whether it can be merged. */
async function merged(by: (method: string, path: string, body?: unknown) => Promise<any>, number: number) {
  for (;;) {
    const answer: unknown = await by('POST', `/pulls/${number}/merge`, { do: 'merge' }).catch((error) => error);
    if (!(answer instanceof Error)) return;
    if (!answer.message.includes('try again later')) throw answer;
    await pause(POLL_MS);
  }
}

describe('a token', () => {
  it('of a job can bring work, and neither push to nor merge into main, nor bring a workflow, nor change a rule', async () => {
    const ben = at(team.ben.api);
    await at(team.ana.api)('PUT', '/collaborators/ben', { permission: 'write' });
    expect(await proposed(team.ben.api)).toBe(1);
    const jobs = await team.ran(() =>
      at(team.ana.api)('POST', '/actions/workflows/probe.yaml/dispatches', { ref: 'main' }),
    );
    expect(tried(jobs)).toEqual({
      'a file on main': '403',
      'a workflow on main': '403',
      merging: '405',
      work: '201',
      'more work': '201',
      'a workflow in work': '403',
      'a workflow for another forge in work': '403',
      'removing work': '403',
      'removing the rule': '403',
      'loosening the rule': '403',
      'starting a workflow': '403',
    });
    expect(await ben('GET', '/pulls/1')).toMatchObject({ merged: false });
  });

  it('of a writer whom the lists do not name can neither push nor merge, and of one whom they name both', async () => {
    const ben = at(team.ben.api);
    const push = (path: string) => ben('POST', `/contents/${path}`, { message: 'x', content: '', branch: 'main' });
    await expect(push('by-ben.txt')).rejects.toThrow(/403/);
    await expect(ben('POST', '/pulls/1/merge', { do: 'merge' })).rejects.toThrow(/405/);
    const lists = { push_whitelist_usernames: ['ana', 'ben'], merge_whitelist_usernames: ['ana', 'ben'] };
    await at(team.ana.api)('PATCH', '/branch_protections/main', lists);
    await push('by-ben.txt');
    // A workflow of the team's own and its policy: no force, and no administrator.
    await merged(ben, 1);
    expect(await ben('GET', '/contents/.gitea/workflows/ci.yaml?ref=main')).toMatchObject({ type: 'file' });
  });

  it('of a job could write to main, workflows included, without the rule', async () => {
    await at(team.ana.api)('DELETE', '/branch_protections/main');
    const jobs = await team.ran(() =>
      at(team.ana.api)('POST', '/actions/workflows/probe.yaml/dispatches', { ref: 'main' }),
    );
    expect(tried(jobs)).toMatchObject({ 'a file on main': '201', 'a workflow on main': '201' });
  });
});
