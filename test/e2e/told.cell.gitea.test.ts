// Being told, on a real Gitea with a real runner: the board that jobs keep and may not pin, messages to an address that only the
// schedule's job is given, and what people do with the pull request, to the closed issue that has the whole story.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOARD_TITLE } from '../../src/forge-text/board.ts';
import { WEBHOOK_VARIABLE } from '../../src/app/mission/canaries.ts';
import { WORKFLOW_PATHS } from '../../src/forge-text/workflows.ts';
import { startTeam, TEAM_REPOSITORY, type Job, type Team } from '../support/gitea/missions.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';

const AT = `/repos/${TEAM_REPOSITORY}`;
const SECRET_PATH = '/hook/5ecret-of-the-receiver';
/** What a job with every right over issues is answered. */
const PIN = `name: pin
on: { workflow_dispatch: { inputs: { issue: { type: string, required: true } } } }
permissions: { contents: write, issues: write, pull-requests: write }
jobs:
  pin:
    runs-on: lazarus-gate
    steps:
      - env: { TOKEN: '\${{ github.token }}', ISSUE: '\${{ inputs.issue }}', AT: '\${{ github.server_url }}/api/v1/repos/\${{ github.repository }}' }
        run: node -e 'fetch(process.env.AT + "/issues/" + process.env.ISSUE + "/pin", { method:"POST", headers:{ authorization:"token " + process.env.TOKEN } }).then((r) => console.log("answered " + r.status))'
`;

let team: Team;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(SECRET_PATH);
  team = await startTeam({ '.gitea/workflows/pin.yaml': PIN });
  await team.ana.api('PUT', `${AT}/actions/secrets/${WEBHOOK_VARIABLE}`, { data: receiver.url });
});
afterAll(async () => {
  await team?.stop();
  await receiver?.close();
});

type Issue = {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly updated_at: string;
  readonly state: string;
  readonly user: { readonly id: number };
};

/** The schedule, now. */
function reconciled(): Promise<readonly Job[]> {
  return dispatched(WORKFLOW_PATHS.caller.split('/').at(-1)!);
}

function dispatched(file: string, inputs = {}): Promise<readonly Job[]> {
  return team.ran(() => team.ana.api('POST', `${AT}/actions/workflows/${file}/dispatches`, { ref: 'main', inputs }));
}

async function boards(): Promise<readonly Issue[]> {
  const open: readonly Issue[] = await team.ana.api('GET', `${AT}/issues?state=open&type=issues&limit=50`);
  return open.filter(({ title }) => title === BOARD_TITLE);
}

async function board(): Promise<Issue> {
  const [one] = (await boards()).filter(({ user }) => user.id === -2);
  return one!;
}

async function status(issue: number): Promise<string> {
  const all: readonly { readonly body: string }[] = await team.ana.api('GET', `${AT}/issues/${issue}/comments`);
  return all.find(({ body }) => body.startsWith('<!-- lazarus:status '))!.body;
}

const logsOf = (jobs: readonly Job[]): string => jobs.map(({ log }) => log).join('\n');

describe('the board and the messages', () => {
  let issue = 0;

  it('is made by the schedule and found again; nobody else has it, and nothing is written where nothing changed', async () => {
    const jobs = await reconciled();
    expect(jobs.map(({ name, conclusion }) => `${name} ${conclusion}`)).toEqual(['reconcile success']);
    const made = await board();
    expect(made.body).toContain('Nothing waits, and nothing runs.');
    const theirs: Issue = await team.carol.api('POST', `${AT}/issues`, { title: BOARD_TITLE, body: made.body });
    const [before, pushes] = [team.gitea.requests().length, team.pushes()];
    await reconciled();
    // One question about it, one that every issue gets in which something changed lately, and no push.
    const asked = team.gitea.requests().slice(before);
    const about = asked.filter((one) => one.includes(`${AT}/issues/${made.number}`)).map((one) => one.split('?')[0]);
    expect(about).toHaveLength(2);
    const question = `GET /api/v1${AT}/issues/${made.number}`;
    expect(new Set(about)).toEqual(new Set([question, `${question}/comments`]));
    expect(team.pushes()).toBe(pushes);
    expect(new Set((await boards()).map(({ number }) => number))).toEqual(new Set([made.number, theirs.number]));
    expect((await board()).updated_at).toBe(made.updated_at);
    expect(await team.ana.api('GET', `${AT}/issues/${theirs.number}`)).toMatchObject({ body: made.body });
  });

  it('says whose turn it is with the line to paste, and calls nobody: no notification comes of it', async () => {
    await team.ran(async () => {
      issue = await team.file(team.ana);
    });
    const line = /^\/approve [0-9a-f]{12}$/m.exec(await status(issue))![0];
    const before = await team.ben.api('GET', '/notifications?all=true');
    const jobs = await reconciled();
    const { body } = await board();
    expect(body).toContain(`[${issue}](${team.gitea.url}/${TEAM_REPOSITORY}/issues/${issue})`);
    expect(body).toContain(`awaiting approval | \`@ben\` |`);
    expect(body).toContain(`\`${line}\` |`);
    expect(await team.ben.api('GET', '/notifications?all=true')).toEqual(before);
    expect(receiver.received.map(({ path, body: sent }) => [path, sent['kind'], sent['issue'], sent['line']])).toEqual([
      [SECRET_PATH, 'asked', issue, line],
    ]);
    expect(logsOf(jobs)).toContain('messages: 1');
    expect(logsOf(jobs)).not.toContain(SECRET_PATH);
  });

  it('no job may pin it, whatever it may do with issues; a person with the right may, and then it says so no more', async () => {
    const { number, body } = await board();
    expect(logsOf(await dispatched('pin.yaml', { issue: String(number) }))).toContain('answered 403');
    expect(body).toContain('*Pin*');
    await team.ana.api('POST', `${AT}/issues/${number}/pin`);
    await reconciled();
    expect((await board()).body).not.toContain('*Pin*');
  });

  it('a receiver that says nothing, or is angry, holds up no schedule and fails no job', async () => {
    receiver.answer = 'hang';
    await team.ran(() => team.comment(team.ben, issue, '/hold'));
    const [job] = await reconciled();
    expect(job).toMatchObject({ name: 'reconcile', conclusion: 'success' });
    expect(job!.log).toContain('messages: 0, then no more: it gave no answer in time');
    receiver.answer = { status: 500, body: 'of the receiver' };
    const [again] = await reconciled();
    expect(again!.log).toContain('it answered 500');
    expect(again!.log).not.toContain('of the receiver');
    receiver.answer = { status: 200 };
    await team.ran(() => team.comment(team.ben, issue, '/unhold'));
    expect(await status(issue)).toContain('awaiting approval');
  });

  it('what a reviewer asks for and the merge stand on the issue, which is closed then', async () => {
    const line = /^\/approve [0-9a-f]{12}$/m.exec(await status(issue))![0];
    await team.ran(() => team.comment(team.ben, issue, line));
    expect(await status(issue)).toContain('· done');
    await reconciled();
    const [{ number }] = await team.ana.api('GET', `${AT}/pulls?state=open`);
    await team.ben.api('POST', `${AT}/pulls/${number}/reviews`, { event: 'REQUEST_CHANGES', body: 'no' });
    await reconciled();
    expect(await status(issue)).toContain('| Changes requested | by `@ben` |');
    expect(await status(issue)).toContain('/followup <goal>');
    expect((await board()).body).toContain('### Changes are asked for (1)');
    await team.ana.api('POST', `${AT}/pulls/${number}/merge`, { Do: 'merge' });
    expect(await team.ana.api('GET', `${AT}/issues/${issue}`)).toMatchObject({ state: 'closed' });
    await reconciled();
    const said = await status(issue);
    expect(said).toContain('· done · merged');
    expect(said).toContain(', merged by `@ana` |');
    expect((await board()).body).toContain('Nothing waits, and nothing runs.');
    expect(receiver.received.map(({ body }) => body['kind'])).toEqual(expect.arrayContaining(['ended', 'review']));
  });

  it('closed or deleted it comes back', async () => {
    const { number } = await board();
    await team.ana.api('PATCH', `${AT}/issues/${number}`, { state: 'closed' });
    await reconciled();
    expect((await board()).number).toBe(number);
    await team.ana.api('DELETE', `${AT}/issues/${number}`);
    await reconciled();
    expect((await board()).number).toBeGreaterThan(number);
  });
});
