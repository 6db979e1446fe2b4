// One mission on a real Gitea with a real runner, from the form to the receipts, as the people of a team live it. What it
// leaves is then judged by somebody who has a clone and nothing else.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../../src/adapters/git/scratch-folder.ts';
import { lazarus } from '../support/cli.ts';
import { startTeam, TEAM_REPOSITORY, type Job, type Team } from '../support/gitea/missions.ts';

let team: Team;
let folder = '';
let issue = 0;
let name = '';
let line = '';
let proposing: readonly Job[] = [];
let approving: readonly Job[] = [];
let pushesBefore = 0;

const AT = `/repos/${TEAM_REPOSITORY}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lazarus-judge-'));
  team = await startTeam();
});
afterAll(async () => {
  await team?.stop();
  rmSync(folder, { recursive: true, force: true });
});

type Said = { readonly id: number; readonly body: string; readonly user: { readonly id: number } };
const comments = (): Promise<readonly Said[]> => team.ana.api('GET', `${AT}/issues/${issue}/comments`);
const labels = async (): Promise<string[]> =>
  (await team.ana.api('GET', `${AT}/issues/${issue}`)).labels.map((label: { name: string }) => label.name).sort();

describe('a mission on a Gitea', () => {
  it('begins with the form: one comment with plan, effects, digest, who is needed and what to paste', async () => {
    pushesBefore = team.pushes();
    proposing = await team.ran(async () => {
      issue = await team.file(team.ana);
    });
    expect(jobsOf(proposing)).toEqual([['gate', 'success']]);
    const [status, ...others] = await comments();
    expect(others).toEqual([]);
    name = /mission=(m-[0-9a-f]{12}) /.exec(status!.body)![1]!;
    line = /^\/approve [0-9a-f]{12}$/m.exec(status!.body)![0];
    expect(status!.body).toContain('awaiting approval · 0 of 1');
    expect(status!.body).toContain('| Still needed | 1 of: `@ben` (role `person`). `@ana` cannot: `proposer` |');
    expect(status!.body).toContain(`\`push_branch\` \`lazarus-work/${name}/1\`: **proposed**`);
    expect(status!.body).toContain('`open_pull_request` `pulls/main`: **proposed**');
    expect(await labels()).toEqual(['mission/awaiting', 'tier/1']);
  });

  it('goes on when the second person approves: gate, cell and writer, and the same comment ends done', async () => {
    approving = await team.ran(() => team.comment(team.ben, issue, line));
    expect(jobsOf(approving)).toEqual([
      ['gate', 'success'],
      ['cell', 'success'],
      ['writer', 'success'],
    ]);
    const [status, typed, ...others] = await comments();
    expect([typed!.body, others]).toEqual([line, []]);
    expect(status!.body).toContain(`### ${name} · done`);
    expect(status!.body).toMatch(/\| Approved \| `@ben` \(via: forge, /);
    expect(status!.body).toContain('`open_pull_request` `pulls/main`: **applied**');
    expect(status!.body.match(/^- `[0-9a-f-]{36}` `\w+`: `succeeded`$/gm)).toHaveLength(3);
    expect(await labels()).toEqual(['mission/done', 'tier/1']);
  });

  it('leaves a branch with the owned files alone changed, and a pull request that says so', async () => {
    const [pull] = await team.ana.api('GET', `${AT}/pulls?state=open`);
    expect(pull).toMatchObject({ title: `${name}: work of attempt 1`, head: { ref: `lazarus-work/${name}/1` } });
    const files: { filename: string }[] = await team.ana.api('GET', `${AT}/pulls/${pull.number}/files`);
    expect(files.map(({ filename }) => filename).sort()).toEqual(['docs/usage.md', 'src/greet.sh']);
    expect(await team.forge.statuses(pull.head.sha)).toMatchObject([
      { context: 'lazarus/receipts', state: 'success' },
      { context: 'lazarus/scope', state: 'success', description: expect.stringContaining('2 changed files') },
    ]);
  });

  it('can be verified by anybody, alone, and stock git and gpg agree', async () => {
    const clone = join(folder, 'clone');
    execFileSync('git', ['clone', '-q', '--mirror', team.cloneUrl, clone]);
    const judged = await lazarus(['verify', name, '--genesis', team.genesis], { cwd: clone });
    expect([judged.code, judged.stderr]).toEqual([0, '']);
    const stock = await scratchFolder({}, join(folder, 'stock'));
    for (const ref of ['lazarus/project', `lazarus/${name}`])
      expect(await stock.stockOpinion(clone, ref)).toMatchObject({ is: 'agrees' });
    await stock.remove();
  });

  // One of them for the births of the checks: they stand in the ledger before the first of them runs.
  it('takes eight pushes at most', () => {
    expect(team.pushes() - pushesBefore).toBeLessThanOrEqual(8);
  });

  it('shows no key and no token: not in a log, not in a comment, not in anything that git keeps', async () => {
    const clone = join(folder, 'clone');
    const objects = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
      cwd: clone,
      maxBuffer: 1 << 28,
    }).toString('latin1');
    const logs = [...proposing, ...approving].map(({ log }) => log).join('\n');
    const said = (await comments()).map(({ body }) => body).join('\n');
    for (const secret of team.secrets)
      for (const [where, text] of Object.entries({ logs, said, objects }))
        expect(text.includes(secret), `${secret.slice(0, 4)}… in ${where}`).toBe(false);
  });
});

function jobsOf(jobs: readonly Job[]): readonly (readonly [string, string])[] {
  return jobs.map(({ name, conclusion }) => [name, conclusion] as const);
}
