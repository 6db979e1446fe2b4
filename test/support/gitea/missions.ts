// A whole team on a throwaway Gitea: three accounts, the built action in a repository of its own, a repository with form,
// workflows, policy and project ledger, keys where they belong, branch rules, and a runner that has its own key.
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileKeys, keyPath } from '../../../src/adapters/keys/file-keys.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { ForgeRepository } from '../../../src/ports/forge.ts';
import type { KeyStore, Signer } from '../../../src/ports/keys.ts';
import { FILLED, type FormInput } from '../form-body.ts';
import type { Api } from './api.ts';
import { fileForm, signIn } from './browser.ts';
import { ordinaryUser } from './ordinary-user.ts';
import { PROJECT } from './project-folder.ts';
import { foundTeam } from './found.ts';
import { startRunner, type Runner, type RunnerOptions } from './runner.ts';
import { startGitea, type Gitea, type GiteaOptions } from './server.ts';

type Person = Awaited<ReturnType<Gitea['createUser']>> & { readonly api: Api; readonly cookie: string };

export type Job = { readonly id: number; readonly name: string; readonly conclusion: string; readonly log: string };

export type Team = {
  readonly gitea: Gitea;
  readonly runner: Runner;
  /** One more machine, with the key of the first. */
  addRunner(options?: RunnerOptions): Promise<Runner>;
  /** Root and owner; a person who votes; somebody who is not on the roster. */
  readonly ana: Person;
  readonly ben: Person;
  readonly carol: Person;
  readonly genesis: string;
  readonly cloneUrl: string;
  readonly forge: ForgeRepository;
  /** Every private key and token that exists: none of them may show up anywhere. */
  readonly secrets: readonly string[];
  /** The gate's private key, as its job is given it. */
  readonly gateKey: string;
  /** As a browser submits the form; answers with the number of the issue. */
  file(by: Person, changes?: Partial<FormInput>): Promise<number>;
  comment(by: Person, issue: number, body: string): Promise<void>;
  /** How often anybody pushed to the repository, ever. */
  pushes(): number;
  /** Does something, waits until every run it set off is over, and answers with the jobs that ran. */
  ran(act: () => Promise<unknown>): Promise<readonly Job[]>;
  stop(): Promise<void>;
};

export const TEAM_REPOSITORY = 'ana/m1';
const AT = `/repos/${TEAM_REPOSITORY}`;
const TEMPLATES = new URL('templates/', PROJECT).pathname;
const POLL_MS = 50;

/** The form for what the example agent does. */
const GREETING: FormInput = {
  ...FILLED,
  target: TEAM_REPOSITORY,
  goal: 'Greet people by their name',
  acceptance: 'grep -q greet.sh docs/usage.md',
  verify: 'sh test/greet.test.sh',
  paths: 'src/greet.sh\r\ndocs/**',
};

type Files = Readonly<Record<string, string>>;
/** Files that name the server, such as a lock file of its registry. */
type FilesOn = (gitea: Gitea, ana: Person) => Promise<Files>;

export async function startTeam(
  files: Files | FilesOn = {},
  runner: RunnerOptions = {},
  server: GiteaOptions = {},
): Promise<Team> {
  const gitea = await startGitea(server);
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-team-'));
  const runners: Runner[] = [];
  const stopAll = async (): Promise<void> => {
    for (const runner of runners) await runner.stop();
    await gitea.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [ana, ben, carol] = [await person(gitea, 'ana'), await person(gitea, 'ben'), await person(gitea, 'carol')];
    const { cloneUrl } = await gitea.createRepository(ana, 'm1');
    const own = typeof files === 'function' ? await files(gitea, ana) : files;
    await commit(ana.api, AT, { ...exampleFiles(), ...own });
    const key = await runnerKey(folder);
    const { genesis, forge, secrets } = await foundTeam({
      gitea,
      folder,
      repository: { owner: 'ana', name: 'm1' },
      action: { owner: 'ana', name: 'lazarus-action' },
      ana,
      ben,
      runner: key.signer,
    });
    const gateKey = secrets['LAZARUS_GATE_KEY']!;
    const addRunner = async (options?: RunnerOptions): Promise<Runner> => {
      const runner = await startRunner(gitea, options);
      runners.push(runner);
      await giveRunnerKey(runner, key);
      return runner;
    };
    return {
      gitea,
      runner: await addRunner(runner),
      addRunner,
      ana,
      ben,
      carol,
      genesis,
      cloneUrl,
      forge,
      gateKey,
      secrets: [...[ana, ben, carol].map(({ token }) => token), ...[key.secret, ...Object.values(secrets)].map(coreOf)],
      file: (by, changes = {}) =>
        fileForm(gitea, { repository: TEAM_REPOSITORY, cookie: by.cookie }, { ...GREETING, ...changes }),
      comment: async (by, issue, body) => {
        await by.api('POST', `${AT}/issues/${issue}/comments`, { body });
      },
      pushes: () => gitea.requests().filter((one) => one === `POST /${TEAM_REPOSITORY}.git/git-receive-pack`).length,
      ran: (act) => ran(gitea, ana.api, act),
      stop: stopAll,
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

async function person(gitea: Gitea, name: string): Promise<Person> {
  const user = await gitea.createUser(name);
  return { ...user, api: gitea.as(user), cookie: await signIn(gitea, user) };
}

async function commit(api: Api, at: string, files: Readonly<Record<string, string>>): Promise<string> {
  const made = await api('POST', `${at}/contents`, {
    message: 'files',
    files: Object.entries(files).map(([path, text]) => ({
      operation: 'create',
      path,
      content: Buffer.from(text).toString('base64'),
    })),
  });
  return made.commit.sha;
}

type RunnerKey = { readonly signer: Signer; readonly secret: string };

async function runnerKey(folder: string): Promise<RunnerKey> {
  const store = keyStore(join(folder, 'runner'));
  const { fingerprint } = await store.generate('runner', Math.floor(Date.now() / 1000) - 60, { unprotected: true });
  const signer = await store.open(fingerprint, () => Promise.reject(new Error('unprotected')));
  return { signer, secret: await store.exportPrivate(fingerprint) };
}

function keyStore(path: string): KeyStore {
  return fileKeys(path, { gpg: undefined as never, crypto: nodeCrypto });
}

function exampleFiles(): Record<string, string> {
  const template = (name: string): string => readFileSync(join(TEMPLATES, name), 'utf8');
  const example = readdirSync(join(TEMPLATES, 'example'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.sh'),
  );
  return Object.fromEntries(example.map((path) => [path, template(join('example', path))]));
}

async function giveRunnerKey({ home }: Runner, { secret }: RunnerKey): Promise<void> {
  const path = keyPath({ HOME: home });
  await keyStore(path).importPrivate(secret, 'runner', () => Promise.reject(new Error('unprotected')), {
    unprotected: true,
  });
  const owner = ordinaryUser();
  if (owner === undefined) return;
  const below = readdirSync(path).map((name) => join(path, name));
  for (const one of [join(home, '.config'), join(home, '.config/lazarus'), path, ...below])
    chownSync(one, owner.uid, owner.gid);
}

/** The part of an armored key that is nobody else's. */
function coreOf(armored: string): string {
  return armored.split('\n').filter((line) => /^[A-Za-z0-9+/=]{20,}$/.test(line))[1] ?? armored;
}

async function ran(gitea: Gitea, api: Api, act: () => Promise<unknown>): Promise<readonly Job[]> {
  type Run = { readonly id: number; readonly status: string };
  const runs = async (): Promise<readonly Run[]> =>
    (await api('GET', `${AT}/actions/runs?limit=20`)).workflow_runs ?? [];
  const before = Math.max(0, ...(await runs()).map(({ id }) => id));
  await act();
  for (;;) {
    const mine = (await runs()).filter(({ id }) => id > before);
    if (mine.length > 0 && mine.every(({ status }) => status === 'completed'))
      return (await Promise.all(mine.map(({ id }) => jobsOf(gitea, api, id)))).flat();
    await pause(POLL_MS);
  }
}

async function jobsOf(gitea: Gitea, api: Api, run: number): Promise<readonly Job[]> {
  const { jobs } = await api('GET', `${AT}/actions/runs/${run}/jobs?limit=50`);
  const told: Job[] = [];
  for (const { id, name, conclusion, runner_name } of jobs) {
    // A job without a runner is the caller's line, or was left out.
    if ((runner_name ?? '') === '') continue;
    const answer = await fetch(`${gitea.url}/api/v1${AT}/actions/jobs/${id}/logs`, {
      headers: { authorization: `token ${gitea.admin.token}` },
    });
    told.push({ id, name, conclusion, log: await answer.text() });
  }
  return told;
}
