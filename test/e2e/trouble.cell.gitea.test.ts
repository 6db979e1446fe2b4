// Trouble on a real Gitea with real runners: a machine that dies while its agent works, one that has no key, a proposal
// whose event got lost. People find in the issue what happened, and the mission goes on.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keyPath } from '../../src/adapters/keys/file-keys.ts';
import { processNamespace } from '../../src/adapters/system/processes.ts';
import { WORKFLOW_PATHS } from '../../src/forge-text/workflows.ts';
import { LATER } from '../support/gitea/later.ts';
import { startTeam, TEAM_REPOSITORY, type Job, type Team } from '../support/gitea/missions.ts';
import { ordinaryUser } from '../support/gitea/ordinary-user.ts';
import type { Runner } from '../support/gitea/runner.ts';
import { patientAgent } from '../support/patient-agent.ts';

const AT = `/repos/${TEAM_REPOSITORY}`;
const AGENT = 'tools/example-agent.sh';
/** A team's own: of what is pushed by jobs it hears nothing. */
const CI = `name: CI
on: pull_request
jobs:
  test:
    runs-on: lazarus-gate
    steps: [{ run: 'echo the CI of the team' }]
`;
const POLL_MS = 100;
/** What its agent then does until it is let go. */
const SLOWLY = { goal: 'Greet people slowly' };
const agent = patientAgent();

let team: Team;
let second: Runner;
let clone = '';
beforeAll(async () => {
  clone = mkdtempSync(join(tmpdir(), 'lazarus-trouble-'));
  const script = readFileSync(new URL(`../../templates/example/${AGENT}`, import.meta.url), 'utf8');
  const first = `$1if grep -q '${SLOWLY.goal}' /cell/.lazarus/brief.md; then ${agent.line}; fi\n`;
  team = await startTeam({ [AGENT]: script.replace(/^(#!.*\n)?/, first), '.gitea/workflows/ci.yaml': CI });
  execFileSync('git', ['init', '-q', '--bare', clone]);
});
afterAll(async () => {
  await team?.stop();
  rmSync(clone, { recursive: true, force: true });
});

async function status(issue: number): Promise<string> {
  return (await team.ana.api('GET', `${AT}/issues/${issue}/comments`))[0].body;
}

/** Where other replies came first. */
async function statusOf(issue: number): Promise<string> {
  const all: readonly { readonly body: string }[] = await team.ana.api('GET', `${AT}/issues/${issue}/comments`);
  return all.find(({ body }) => body.startsWith('<!-- lazarus:status '))!.body;
}

async function filed(
  changes = {},
): Promise<{ readonly issue: number; readonly mission: string; readonly line: string }> {
  let issue = 0;
  await team.ran(async () => {
    issue = await team.file(team.ana, changes);
  });
  return { issue, ...named(await status(issue)) };
}

function named(said: string): { readonly mission: string; readonly line: string } {
  return { mission: /mission=(m-[0-9a-f]{12}) /.exec(said)![1]!, line: /^\/approve [0-9a-f]{12}$/m.exec(said)![0] };
}

/** The schedule, now. */
function reconciled(meanwhile = async (): Promise<void> => undefined): Promise<readonly Job[]> {
  const file = WORKFLOW_PATHS.caller.split('/').at(-1);
  return team.ran(async () => {
    await team.ana.api('POST', `${AT}/actions/workflows/${file}/dispatches`, { ref: 'main' });
    await meanwhile();
  });
}

const outcomes = (jobs: readonly Job[]): string[] => jobs.map(({ name, conclusion }) => `${name} ${conclusion}`);

function kept(): string {
  return execFileSync('git', ['ls-remote', team.cloneUrl, 'refs/lazarus/kept/*'], { encoding: 'utf8' });
}

function asAna(url: string): string {
  return url.replace('://', `://ana:${team.ana.token}@`);
}

/** And the server knows of it. */
async function atWork(mission: string): Promise<void> {
  await agent.atWork();
  const ref = `refs/heads/lazarus/${mission}`;
  const isSaid = (): boolean => {
    execFileSync('git', ['fetch', '-q', team.cloneUrl, `${ref}:${ref}`], { cwd: clone });
    const said = execFileSync('git', ['grep', '-h', '-o', '"event_type":"[a-z.]*"', ref], { cwd: clone });
    return said.includes('cell.spawned');
  };
  while (!isSaid()) await pause(POLL_MS);
}

describe('a forge that is away when an agent is done', () => {
  it('costs nothing: its work waits, and is handed over when the forge is back', async () => {
    const { issue, mission, line } = await filed(SLOWLY);
    const jobs = await team.ran(async () => {
      await team.comment(team.ben, issue, line);
      await atWork(mission);
      // Whoever hands over looks where the ledger stands first.
      const looking = `POST /${TEAM_REPOSITORY}.git/git-upload-pack `;
      await team.gitea.away((request) => request.startsWith(looking), agent.letGo);
    });
    expect(outcomes(jobs)).toEqual(['gate success', 'cell success', 'writer success']);
    expect(jobs[1]!.log).toContain('it answers again');
    const said = await status(issue);
    expect(said).toContain(`### ${mission} · done`);
    expect(said).not.toContain('an attempt failed');
  });
});

describe('a runner that dies while its agent works', () => {
  it('costs an attempt: another takes over when nothing was heard of it for three minutes, and the mission ends done', async () => {
    const { issue, mission, line } = await filed(SLOWLY);
    await team.comment(team.ben, issue, line);
    await atWork(mission);
    await team.runner.kill();
    second = await team.addRunner({ env: LATER });
    const jobs = await reconciled(async () => {
      await atWork(mission);
      agent.letGo();
    });
    expect(outcomes(jobs)).toEqual(['reconcile success', 'cell success', 'writer success']);
    const said = await status(issue);
    expect(said).toContain(`### ${mission} · done`);
    expect(said).toContain('an attempt failed: runner_lost (gate)');
    expect(said).toContain('another attempt: number 2, from the base again (gate)');
    const pattern = `refs/heads/lazarus-work/${mission}/*`;
    const refs = execFileSync('git', ['ls-remote', team.cloneUrl, pattern], { encoding: 'utf8' });
    expect(refs).toMatch(new RegExp(`^[0-9a-f]{40}\trefs/heads/lazarus-work/${mission}/2\n$`));
  });
});

describe('a runner without its key', () => {
  it('is told of where people look, and when it has its key the mission goes on', async () => {
    const { issue, mission, line } = await filed();
    const keys = keyPath({ HOME: second.home });
    renameSync(keys, `${keys}-away`);
    const jobs = await team.ran(() => team.comment(team.ben, issue, line));
    // The first to find out that nothing came of it is the writer.
    expect(outcomes(jobs)).toEqual(['gate success', 'cell failure', 'writer failure']);
    expect(jobs[1]!.log).toContain('key_not_found');
    expect(await status(issue)).toMatch(/\*\*Because\*\* `runner_silent`: .* Attempt 1 of 3/);
    renameSync(`${keys}-away`, keys);
    const again = await team.ran(() => team.comment(team.ana, issue, '/plan'));
    expect(outcomes(again)).toEqual(['gate success', 'cell success', 'writer success']);
    expect(await status(issue)).toContain(`### ${mission} · done`);
  });
});

describe('work that does not pass its checks', () => {
  it('makes its job red; the one behind it runs all the same, and issue, log and reply say which check, how and why', async () => {
    let issue = 0;
    const checks = { acceptance: "sh -c 'echo the reason is this; exit 9'" };
    await team.ran(async () => {
      issue = await team.file(team.ana, checks);
    });
    const { mission, line } = named(await status(issue));
    const jobs = await team.ran(() => team.comment(team.ben, issue, line));
    expect(outcomes(jobs)).toEqual(['gate success', 'cell failure', 'writer success']);
    for (const told of ['verify_failed: The work did not pass', 'the reason is this', '(exit 9)', 'next: '])
      expect(jobs[1]!.log).toContain(told);
    const said = await status(issue);
    expect(said).toContain(`### ${mission} · failed`);
    expect(said).toContain(`- the check \`${checks.acceptance}\`: \`exit 9\``);
    expect(said).toContain('\nthe reason is this\n');
    expect(said).toMatch(
      /\| Attempt \| 1 \(`waiting \d+ s`, `agent \d+ s`, `taking the work \d+ s`, `checks \d+ s`\) \|/,
    );
    // By the day on which its time is over; of another that has passed already the schedule lets nothing stand.
    const [, commit, until] = /^([0-9a-f]{40})\trefs\/lazarus\/kept\/(\S{10})\./m.exec(kept())!;
    expect(said).toContain(
      `- the work is kept until \`${until}\`; in a clone: \`lazarus diff ${mission} --attempt 1\``,
    );
    execFileSync('git', ['fetch', '-q', team.cloneUrl, commit!, 'refs/heads/main'], { cwd: clone });
    const names = execFileSync('git', ['diff', '--name-only', `${commit}^`, commit!], { cwd: clone, encoding: 'utf8' });
    expect(names).toBe('docs/usage.md\nsrc/greet.sh\n');
    const past = `refs/lazarus/kept/2001-01-01.${randomUUID()}`;
    execFileSync('git', ['push', '-q', asAna(team.cloneUrl), `${commit}:${past}`], { cwd: clone });
    expect(kept()).toContain(past);
    await reconciled();
    expect(kept().split('\n')).toEqual([expect.stringContaining(`.`), '']);
    expect(kept()).not.toContain(past);
    await team.ran(() => team.comment(team.ben, issue, '/why'));
    const replies: readonly { readonly body: string }[] = await team.ana.api('GET', `${AT}/issues/${issue}/comments`);
    expect(replies.at(-1)!.body).toContain(`- the check \`${checks.acceptance}\`: \`exit 9\``);
    expect(outcomes(await team.ran(() => team.comment(team.ben, issue, '/diff attempt 1')))).toEqual(['gate success']);
    const shown: readonly { readonly body: string }[] = await team.ana.api('GET', `${AT}/issues/${issue}/comments`);
    expect(shown.at(-1)!.body).toContain(`\`${commit!.slice(0, 12)}\` on `);
    expect(shown.at(-1)!.body).toMatch(/\n```diff\n[^]*\n\+\+\+ b\/docs\/usage\.md\n[^]*\n```\n/);
  });
});

describe('a proposal for an agent that the base does not have', () => {
  it('gets no plan but the path, and its plan once somebody has brought the file', async () => {
    const { content, sha } = await team.ana.api('GET', `${AT}/contents/${AGENT}`);
    await team.ana.api('DELETE', `${AT}/contents/${AGENT}`, { sha, message: 'away' });
    let issue = 0;
    await team.ran(async () => {
      issue = await team.file(team.ana);
    });
    const all: readonly { readonly body: string }[] = await team.ana.api('GET', `${AT}/issues/${issue}/comments`);
    const said = all.map(({ body }) => body).join('\n');
    expect(said).toContain('**`agent_unprovided`**');
    expect(said).toContain(`- path: \`${AGENT}\``);
    await team.ana.api('POST', `${AT}/contents/${AGENT}`, { content, message: 'back' });
    await team.ran(() => team.comment(team.ana, issue, '/plan'));
    expect(await statusOf(issue)).toContain('awaiting approval · 0 of 1');
  });
});

describe('a proposal whose event got lost', () => {
  /** Of a supervisor that cannot live: its number is beyond all that the kernel gives out. */
  async function abandonedCell(): Promise<string> {
    const name = `${randomUUID()}.1.${await processNamespace()}.4194999.1`;
    const [state, owner] = [join(second.home, '.local'), ordinaryUser()];
    const folder = join(state, 'state/lazarus/cells', name);
    mkdirSync(join(folder, 'project'), { recursive: true });
    if (owner !== undefined) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, state]);
    return folder;
  }

  it('is found by the schedule, and becomes the mission that it asks for; what a killed run left is swept up', async () => {
    const left = await abandonedCell();
    await team.ana.api('PATCH', AT, { has_actions: false });
    const issue = await team.file(team.ana);
    await team.ana.api('PATCH', AT, { has_actions: true });
    await reconciled();
    expect(existsSync(left)).toBe(false);
    expect(await status(issue)).toContain('awaiting approval · 0 of 1');
    expect(await status(issue)).toContain('`@ana` cannot: `proposer`');
  });
});

describe('a mission that a reviewer wants more of', () => {
  it('is gone on from in an issue of its own, on its branch, by whoever types it there, and somebody else approves that', async () => {
    const first = await filed();
    await team.ran(() => team.comment(team.ben, first.issue, first.line));
    expect(await status(first.issue)).toContain(`### ${first.mission} · done`);
    await team.ana.api('PATCH', `${AT}/issues/${first.issue}`, { state: 'closed' });
    const said = '/followup Greet people by their name, and say goodbye\n\nA reviewer asked for it.';
    expect(outcomes(await team.ran(() => team.comment(team.ben, first.issue, said)))).toEqual(['gate success']);
    const replies: { body: string }[] = await team.ana.api('GET', `${AT}/issues/${first.issue}/comments`);
    const [, mission, number] = /\*\*(m-[0-9a-f]{12})\*\* goes on from here in \[issue (\d+)\]/.exec(
      replies.at(-1)!.body,
    )!;
    const next = await status(Number(number));
    expect(next).toContain(`### ${mission} · awaiting approval`);
    expect(next).toContain(`base \`lazarus-work/${first.mission}/1\``);
    expect(next).toContain('`@ben` cannot: `proposer`');
    const { line } = named(next);
    const jobs = await team.ran(() => team.comment(team.ana, Number(number), line));
    expect(outcomes(jobs).slice(0, 2)).toEqual(['gate success', expect.stringMatching(/^cell /)]);
    // The example agent has nothing left to do.
    expect(await status(Number(number))).toContain('**Because** `nothing_done`');
    const page = await team.ana.api('GET', `${AT}/issues/${number}`);
    expect(page).toMatchObject({ title: expect.stringContaining(`(after ${first.mission}, comment `), state: 'open' });
  });
});

describe('a mission that waits for a path of another one', () => {
  it('says for which, and begins by the job that freed the path', async () => {
    const first = await filed(SLOWLY);
    const next = await filed();
    const jobs = await team.ran(async () => {
      await team.comment(team.ben, first.issue, first.line);
      await atWork(first.mission);
      await team.comment(team.ben, next.issue, next.line);
      while (!(await status(next.issue)).includes('| Waits for | ')) await pause(POLL_MS);
      expect(await status(next.issue)).toContain(
        `| Waits for | \`${first.mission}, which holds a path that it needs\``,
      );
      agent.letGo();
    });
    expect(outcomes(jobs).toSorted()).toEqual(
      ['cell', 'cell', 'gate', 'gate', 'reconcile', 'wake', 'writer', 'writer'].map((name) => `${name} success`),
    );
    for (const { issue, mission } of [first, next]) expect(await status(issue)).toContain(`### ${mission} · done`);
  });
});

describe('a mission that is called off while its agent works', () => {
  it('ends as cancelled in the issue, and nothing of it is pushed', async () => {
    const { issue, mission, line } = await filed(SLOWLY);
    const jobs = await team.ran(async () => {
      await team.comment(team.ben, issue, line);
      await atWork(mission);
      await team.comment(team.ana, issue, '/cancel\n\nSomebody else has done it.');
      while (!(await status(issue)).includes(`### ${mission} · cancelled`)) await pause(POLL_MS);
    });
    expect(outcomes(jobs).toSorted()).toEqual(['cell success', 'gate success', 'gate success', 'writer success']);
    const said = await status(issue);
    expect(said).toContain(`### ${mission} · cancelled`);
    expect(said).toContain('**Because** `mission_cancelled`');
    expect(said).toContain('| Cancelled | `by ana (via: forge, ');
    const labels: readonly { readonly name: string }[] = await team.ana.api('GET', `${AT}/issues/${issue}/labels`);
    expect(labels.map(({ name }) => name)).toContain('mission/cancelled');
    const refs = execFileSync('git', ['ls-remote', team.cloneUrl, `refs/heads/lazarus-work/${mission}/*`]);
    expect(String(refs)).toBe('');
  });
});

// The last one: from here on the work is part of the base.
describe('the pull request of a mission', () => {
  const REQUIRED = 'CI / test (pull_request)';

  it('waits for the team’s own CI until a person reopens it, is merged then, and closes its issue', async () => {
    const { issue, mission, line } = await filed();
    await team.ran(() => team.comment(team.ben, issue, line));
    const { ana } = team;
    await ana.api('PATCH', `${AT}/branch_protections/main`, {
      enable_status_check: true,
      status_check_contexts: [REQUIRED],
    });
    const pulls: { number: number; body: string; head: { ref: string; sha: string } }[] = await ana.api(
      'GET',
      `${AT}/pulls?state=open`,
    );
    const { number, body, head } = pulls.find((one) => one.head.ref === `lazarus-work/${mission}/1`)!;
    expect(body).toContain('`Greet people by their name`');
    const merging = (): Promise<unknown> => ana.api('POST', `${AT}/pulls/${number}/merge`, { do: 'merge' });
    await expect(merging()).rejects.toThrow('405');
    const jobs = await team.ran(async () => {
      await ana.api('PATCH', `${AT}/pulls/${number}`, { state: 'closed' });
      await ana.api('PATCH', `${AT}/pulls/${number}`, { state: 'open' });
    });
    expect(outcomes(jobs)).toEqual(['test success']);
    const { statuses } = await ana.api('GET', `${AT}/commits/${head.sha}/status`);
    expect(statuses).toContainEqual(expect.objectContaining({ context: REQUIRED, status: 'success' }));
    // Whether it can be merged is computed anew after it was reopened.
    while (
      !(await merging().then(
        () => true,
        () => false,
      ))
    )
      await pause(POLL_MS);
    expect(await ana.api('GET', `${AT}/issues/${issue}`)).toMatchObject({ state: 'closed' });
    await ana.api('PATCH', `${AT}/branch_protections/main`, { enable_status_check: false });
  });
});
