// What people wait for at the gate is answered without what takes long to read: where that cannot be read, they get the
// same answers.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTeam, TEAM_REPOSITORY, type Team } from '../../support/gitea/missions.ts';
import { scratch } from '../../support/repos.ts';
import { without } from '../../support/too-heavy.ts';

const ACTION = new URL('../../../dist/action/', import.meta.url);
const AT = `/repos/${TEAM_REPOSITORY}`;
const WORDS = {
  execa: 'Command was killed with',
  'simple-git': 'GitPluginError',
  openpgp: 'SymEncryptedIntegrityProtectedDataPacket',
  'what isolates a cell': 'unshare-user',
  yaml: 'BAD_DIRECTIVE',
  '@octokit/rest': 'octokit-rest.js/',
};
const { '@octokit/rest': _, ...BUT_THE_FORGE } = WORDS;
const { yaml, ...BUT_POLICY } = BUT_THE_FORGE;

let team: Team;
let issue: number;
beforeAll(async () => {
  team = await startTeam();
  // Nobody else answers.
  await team.runner.stop();
  issue = await team.file(team.ben);
});
afterAll(() => team?.stop());

const read = (path: string): Promise<any> => team.ana.api('GET', AT + path);

/** What the gate's job says, started as a runner starts it. */
async function said(words: Record<string, string>, event: string, payload: object): Promise<string> {
  const folder = scratch('job');
  const path = join(folder, 'payload.json');
  writeFileSync(path, JSON.stringify({ ...payload, repository: { id: 1 } }));
  const env = {
    ...without(words),
    PATH: process.env['PATH'],
    HOME: folder,
    INPUT_JOB: 'gate',
    'INPUT_EVENT-NAME': event,
    INPUT_GENESIS: team.genesis,
    GITHUB_SERVER_URL: team.gitea.url,
    GITHUB_REPOSITORY: TEAM_REPOSITORY,
    GITHUB_EVENT_PATH: path,
    RUNNER_TEMP: folder,
    LAZARUS_TOKEN: team.ana.token,
    LAZARUS_GATE_KEY: team.gateKey,
  };
  const job = promisify(execFile)(process.execPath, [new URL('main.mjs', ACTION).pathname], { env });
  return (await job.catch((failed: { readonly stdout: string }) => failed)).stdout;
}

async function filed(words: Record<string, string>): Promise<string> {
  const form = await read(`/issues/${issue}`);
  return said(words, 'issues', { action: 'opened', issue: form, sender: form.user });
}

async function commented(words: Record<string, string>, body: string): Promise<string> {
  const about = await read(`/issues/${issue}`);
  const comment = await team.ben.api('POST', `${AT}/issues/${issue}/comments`, { body });
  return said(words, 'issue_comment', {
    action: 'created',
    issue: about,
    comment,
    sender: comment.user,
    is_pull: false,
  });
}

it('a comment without a command is let go with none of them', async () => {
  expect(await commented(WORDS, 'Looks good to me.')).toContain('stop: ignored_not_command');
});

it('a form becomes a mission, and what the policy is read with is all that it takes', async () => {
  expect(await filed({ yaml })).toContain('too heavy: yaml');
  expect(await filed(BUT_POLICY)).toContain('wait: proposed');
});

it.each([
  ['/status', 'stop: shown'],
  ['/help', 'stop: shown'],
  ['/why', 'stop: shown'],
])('%s is answered with the forge alone', async (command, answer) => {
  expect(await commented(BUT_THE_FORGE, command)).toContain(answer);
});

it('has of the forge’s thousand routes those that are asked for', () => {
  const has = (route: string): boolean =>
    readdirSync(ACTION).some((name) => readFileSync(new URL(name, ACTION), 'utf8').includes(route));
  expect(has('GET /repos/{owner}/{repo}/issues/{issue_number}/comments')).toBe(true);
  expect(has('GET /repos/{owner}/{repo}/actions/artifacts')).toBe(false);
});

it.each(Object.entries(WORDS))('%s is in the action, in one of its files', (_, word) => {
  const holding = readdirSync(ACTION).filter((name) => readFileSync(new URL(name, ACTION), 'utf8').includes(word));
  expect(holding).toHaveLength(1);
});
