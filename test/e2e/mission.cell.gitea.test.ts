// One mission on a real Gitea with a real runner, from the form to the receipts, as people live it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILLED } from '../support/form-body.ts';
import { fileForm } from '../support/gitea/browser.ts';
import { startTeam, TEAM_REPOSITORY, type Job, type Team } from '../support/gitea/missions.ts';

let team: Team;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team?.stop());

const GREET = {
  ...FILLED,
  target: TEAM_REPOSITORY,
  goal: 'Greet people by their name',
  acceptance: 'grep -q greet.sh docs/usage.md',
  verify: 'sh test/greet.test.sh',
  paths: 'src/greet.sh\r\ndocs/**',
};

describe('a mission', () => {
  it('goes from form to done', async () => {
    const { ana, ben } = team;
    let issue = 0;
    const proposing = await team.ran(async () => {
      issue = await fileForm(team.gitea, { repository: TEAM_REPOSITORY, cookie: ana.cookie }, GREET);
    });
    console.log(logs(proposing));
    const comments = async (): Promise<{ body: string }[]> =>
      ana.api('GET', `/repos/${TEAM_REPOSITORY}/issues/${issue}/comments`);
    console.log((await comments()).map(({ body }) => body).join('\n=====\n'));
    const line = /^\/approve [0-9a-f]+$/m.exec((await comments())[0]!.body)![0];
    const approving = await team.ran(() =>
      ben.api('POST', `/repos/${TEAM_REPOSITORY}/issues/${issue}/comments`, { body: line }),
    );
    console.log(logs(approving));
    console.log((await comments()).map(({ body }) => body).join('\n=====\n'));
    expect(1).toBe(1);
  });
});

function logs(jobs: readonly Job[]): string {
  return jobs.map(({ name, conclusion, log }) => `#### ${name} ${conclusion}\n${log}`).join('\n');
}
