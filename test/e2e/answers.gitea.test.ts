// What only a real server shows of the gate's answers: which events start a run at all, what strangers can cause, and that
// a lost event is found.
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WORKFLOW_PATHS } from '../../src/forge-text/workflows.ts';
import { startTeam, TEAM_REPOSITORY, type Team } from '../support/gitea/missions.ts';

let team: Team;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team?.stop());

const AT = `/repos/${TEAM_REPOSITORY}`;
type Said = { readonly id: number; readonly body: string; readonly user: { readonly id: number } };

const comments = (issue: number): Promise<readonly Said[]> => team.ana.api('GET', `${AT}/issues/${issue}/comments`);
/** But for the issue that shows what waits, which a schedule makes. */
const refs = (): readonly string[] =>
  execFileSync('git', ['ls-remote', team.cloneUrl], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => !line.includes('refs/lazarus/board/'));
const runs = async (): Promise<number> => (await team.ana.api('GET', `${AT}/actions/runs?limit=1`)).total_count;

async function filed(by = team.ana): Promise<number> {
  let issue = 0;
  await team.ran(async () => {
    issue = await team.file(by);
  });
  return issue;
}

describe('a stranger', () => {
  it('gets one answer for a form and for commands together, and leaves no reference', async () => {
    const before = refs();
    const issue = await filed(team.carol);
    await team.ran(() => team.comment(team.carol, issue, '/plan'));
    expect(refs()).toEqual(before);
    const ours = (await comments(issue)).filter(({ user }) => user.id !== team.carol.id);
    expect(ours.map(({ body }) => body)).toEqual([expect.stringContaining('is not on the roster of this project')]);
    await team.ran(() => team.comment(team.ben, issue, '/plan'));
    expect((await comments(issue)).at(-1)!.body).toContain('awaiting approval');
  });
});

describe('a comment', () => {
  it('with two commands gets both answers, and when it is edited afterwards it starts nothing', async () => {
    const issue = await filed();
    await team.ran(() => team.comment(team.ben, issue, '/why\n/help\n\nwhat now?'));
    const [status, asked, why, help, ...others] = await comments(issue);
    expect(why!.body).toContain('Missing: 1 of: `@ben`');
    expect(help!.body).toContain('`/approve <digest>');
    expect(others).toEqual([]);
    const line = /^\/approve [0-9a-f]{12}$/m.exec(status!.body)![0];
    const before = refs();
    const count = await runs();
    await team.ben.api('PATCH', `${AT}/issues/comments/${asked!.id}`, { body: line });
    // Whatever an edit would have started comes before this.
    await team.ran(() => team.comment(team.ben, issue, '/status'));
    expect(await runs()).toBe(count + 1);
    expect(refs()).toEqual(before);
  });

  it('whose event got lost is found by reconcile, which asks for it to be typed again', async () => {
    const issue = await filed();
    const line = /^\/approve [0-9a-f]{12}$/m.exec((await comments(issue))[0]!.body)![0];
    await team.ana.api('PATCH', AT, { has_actions: false });
    await team.comment(team.ben, issue, line);
    await team.ana.api('PATCH', AT, { has_actions: true });
    const before = refs();
    const file = WORKFLOW_PATHS.caller.split('/').at(-1);
    await team.ran(() => team.ana.api('POST', `${AT}/actions/workflows/${file}/dispatches`, { ref: 'main' }));
    expect((await comments(issue)).at(-1)!.body).toContain('`@ben` with `/approve`');
    expect(refs()).toEqual(before);
  });
});
