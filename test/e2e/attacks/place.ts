// Where attacks are played: a team on a real Gitea with its runners, and those who attack it, each with a real account. Tells
// what happened and what did not; knows no attack.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WORKFLOW_PATHS } from '../../../src/forge-text/workflows.ts';
import { armor } from '../../../src/format/openpgp/armor.ts';
import { lazarus, type Ran } from '../../support/cli.ts';
import { formBody, type FormInput } from '../../support/form-body.ts';
import { signIn } from '../../support/gitea/browser.ts';
import { startTeam, TEAM_REPOSITORY, type Job, type Team } from '../../support/gitea/missions.ts';
import { giveKey } from '../../support/gitea/person-clone.ts';
import { testKey } from '../../support/people.ts';
import { git } from '../../support/repos.ts';

export type Person = Team['ana'];
export type Filed = { readonly issue: number; readonly mission: string; readonly line: string };
type Said = { readonly id: number; readonly body: string; readonly user: { readonly id: number } };
type Run = { readonly id: number; readonly status: string };

export const AT = `/repos/${TEAM_REPOSITORY}`;
/** The account of every job. */
const BOT = -2;
const POLL_MS = 50;
const RUNS_LOOKED_AT = 50;

export type Place = {
  readonly team: Team;
  /** May write to the repository, and is on no roster. */
  readonly dora: Person;
  /** A person on the roster; and the second account of ben, known as such. */
  readonly finn: Person;
  readonly benAtWork: Person;
  /** Somebody new, with an account of that name. */
  joined(name: string): Promise<Person>;
  file(by: Person, changes?: Partial<FormInput>): Promise<Filed>;
  /** Approved by ben; its cell waits for a runner. */
  approved(changes?: Partial<FormInput>, by?: Person): Promise<Filed>;
  /** Does something that starts so many runs; waits until each was heard, though cells may go on waiting for a runner. */
  heard(act: () => Promise<unknown>, runs?: number): Promise<readonly Job[]>;
  typed(by: Person, issue: number, body: string): Promise<readonly Job[]>;
  /** Until nothing is waited for or at work. */
  over(): Promise<void>;
  reconcile(): Promise<unknown>;
  /** Without the number of the job that showed them last. */
  comments(issue: number): Promise<readonly Said[]>;
  /** What lazarus said there: the status first. */
  ours(issue: number): Promise<readonly string[]>;
  labels(issue: number): Promise<readonly string[]>;
  /** All references of the server: the same text means that nothing was written. */
  refs(...patterns: readonly string[]): string;
  newestRun(): Promise<number>;
  /** Types of what its ledger holds, in no order. */
  eventsOf(mission: string): readonly string[];
  /** A copy of all that the server gives out, as it is now. */
  mirror(): string;
  verify(mission: string): Promise<Ran>;
  /** As ana in her clone. */
  type(args: readonly string[]): Promise<Ran>;
  /** Of every job there ever was. */
  logs(): Promise<string>;
  readonly folder: string;
  stop(): Promise<void>;
};

/** With a runner for gates alone: what is approved waits until somebody adds one for cells. */
export async function attackedPlace(files: Parameters<typeof startTeam>[0]): Promise<Place> {
  const team = await startTeam(files, { labels: ['lazarus-gate:host'] });
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-attacks-'));
  const stop = async (): Promise<void> => {
    await team.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await peopled(team, folder)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function peopled(team: Team, folder: string): Promise<Omit<Place, 'stop'>> {
  const { ana, ben, gitea } = team;
  const joined = async (name: string): Promise<Person> => {
    const user = await gitea.createUser(name);
    return { ...user, api: gitea.as(user), cookie: await signIn(gitea, user) };
  };
  const [dora, finn, benAtWork] = [await joined('dora'), await joined('finn'), await joined('ben-at-work')];
  await ana.api('PUT', `${AT}/collaborators/dora`, { permission: 'write' });

  const home = join(folder, 'home');
  mkdirSync(home);
  giveKey(home, 'ana');
  git(folder, ['clone', '-q', team.cloneUrl, 'clone']);
  git(folder, ['clone', '-q', '--mirror', team.cloneUrl, 'mirror']);
  const [cwd, copy] = [join(folder, 'clone'), join(folder, 'mirror')];
  const env = { HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', LAZARUS_TOKEN: ana.token, LAZARUS_TOKEN_ORIGIN: gitea.url };
  const type = async (args: readonly string[]): Promise<Ran> => {
    const ran = await lazarus(args, { cwd, env });
    if (ran.code !== 0) throw new Error(`lazarus ${args.join(' ')}: ${ran.code} ${ran.stderr}`);
    return ran;
  };
  await type(['verify', 'project', '--genesis', team.genesis]);
  for (const [{ name, id }, person] of [[finn, 'finn'] as const, [benAtWork, 'ben'] as const]) {
    const key = join(folder, `${name}.asc`);
    writeFileSync(key, armor('PUBLIC KEY BLOCK', testKey(name).publicKey));
    const change = ['roster', 'add', key, '--roles', 'person', '--person', person, '--forge-user-id', String(id)];
    await type([...change, '--remote', 'origin']);
  }

  const runs = async (page = 1): Promise<readonly Run[]> =>
    (await ana.api('GET', `${AT}/actions/runs?limit=${RUNS_LOOKED_AT}&page=${page}`)).workflow_runs ?? [];
  const newestRun = async (): Promise<number> => Math.max(0, ...(await runs()).map(({ id }) => id));
  const comments: Place['comments'] = async (issue) => {
    const all: readonly Said[] = await ana.api('GET', `${AT}/issues/${issue}/comments`);
    return all.map(({ id, user, body }) => ({
      id,
      user,
      body: body.replace(/\[Run \d+ attempt \d+\]\([^)]*\)/, 'Run'),
    }));
  };
  const ours: Place['ours'] = async (issue) =>
    (await comments(issue)).filter(({ user }) => user.id === BOT).map(({ body }) => body);

  const heard: Place['heard'] = async (act, expected = 1) => {
    const before = await newestRun();
    await act();
    for (;;) {
      const mine = (await runs()).filter(({ id }) => id > before);
      const isHeard = await Promise.all(mine.map((run) => wasHeard(team, run)));
      if (mine.length >= expected && isHeard.every(Boolean))
        return (await Promise.all(mine.map(({ id }) => jobsOf(team, id)))).flat();
      await pause(POLL_MS);
    }
  };
  const typed: Place['typed'] = (by, issue, body) => heard(() => team.comment(by, issue, body));

  async function file(by: Person, changes: Partial<FormInput> = {}): Promise<Filed> {
    let issue = 0;
    await heard(async () => {
      issue = await team.file(by, changes);
    });
    const [status] = await ours(issue);
    const mission = /mission=(m-[0-9a-f]{12}) /.exec(status!)![1]!;
    return { issue, mission, line: lineOf(status!) };
  }

  return {
    team,
    dora,
    finn,
    benAtWork,
    joined,
    file,
    approved: async (changes, by = ben) => {
      const filed = await file(ana, changes);
      await typed(by, filed.issue, filed.line);
      return filed;
    },
    heard,
    typed,
    over: async () => {
      while ((await runs()).some(({ status }) => status !== 'completed')) await pause(POLL_MS);
    },
    reconcile: () => {
      const caller = WORKFLOW_PATHS.caller.split('/').at(-1);
      return ana.api('POST', `${AT}/actions/workflows/${caller}/dispatches`, { ref: 'main' });
    },
    comments,
    ours,
    labels: async (issue) =>
      (await ana.api('GET', `${AT}/issues/${issue}`)).labels.map(({ name }: { name: string }) => name).sort(),
    // But for the issue that shows what waits, which a schedule makes.
    refs: (...patterns) =>
      git(folder, ['ls-remote', team.cloneUrl, ...patterns])
        .split('\n')
        .filter((line) => !line.includes('refs/lazarus/board/'))
        .join('\n'),
    newestRun,
    eventsOf: (mission) => {
      const ref = `refs/heads/lazarus/${mission}`;
      git(copy, ['fetch', '-q', 'origin', `+${ref}:${ref}`]);
      return Array.from(
        git(copy, ['grep', '-h', '-o', '"event_type":"[a-z_.]*"', ref]).matchAll(/:"(.*)"$/gm),
        ([, name]) => name ?? '',
      );
    },
    mirror: () => {
      git(copy, ['fetch', '-q', '--prune', 'origin', '+refs/*:refs/*']);
      return copy;
    },
    verify: (mission) => lazarus(['verify', mission, '--genesis', team.genesis], { cwd: copy }),
    type,
    logs: async () => {
      const told: string[] = [];
      for (let page = 1; ; page++) {
        const some = await runs(page);
        if (some.length === 0) return told.join('\n');
        for (const { id } of some) told.push(...(await jobsOf(team, id)).map(({ log }) => log));
      }
    },
    folder,
  };
}

type Found = Omit<Job, 'log'> & { readonly status: string; readonly runner_name?: string };

/** Those that a runner took: any other is the caller's line, or was left out. */
async function takenOf({ ana }: Team, run: number): Promise<readonly Found[]> {
  const { jobs }: { jobs: readonly Found[] } = await ana.api('GET', `${AT}/actions/runs/${run}/jobs?limit=50`);
  return jobs.filter(({ runner_name: runner }) => (runner ?? '') !== '');
}

async function wasHeard(team: Team, { id, status }: Run): Promise<boolean> {
  if (status === 'completed') return true;
  return (await takenOf(team, id)).some((job) => HEARING.includes(job.name) && job.status === 'completed');
}

const HEARING = ['gate', 'reconcile'];

async function jobsOf(team: Team, run: number): Promise<readonly Job[]> {
  const over = (await takenOf(team, run)).filter(({ status }) => status === 'completed');
  return Promise.all(
    over.map(async ({ id, name, conclusion }) => ({ id, name, conclusion, log: await logOf(team, id) })),
  );
}

async function logOf({ gitea }: Team, job: number): Promise<string> {
  const headers = { authorization: `token ${gitea.admin.token}` };
  return (await fetch(`${gitea.url}/api/v1${AT}/actions/jobs/${job}/logs`, { headers })).text();
}

function lineOf(status: string): string {
  return /^\/approve [0-9a-f]{12}$/m.exec(status)![0];
}

/** As the page of the form makes it, for whoever sends it by another way. */
export function proposalText(changes: Partial<FormInput> = {}): string {
  return formBody({ target: TEAM_REPOSITORY, acceptance: 'true', verify: 'sh test/greet.test.sh', ...changes });
}

export const outcomes = (jobs: readonly Job[]): string[] => jobs.map(({ name, conclusion }) => `${name} ${conclusion}`);
