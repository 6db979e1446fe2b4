// Where a week takes place: a real Gitea behind a door that can be cut, set up as `lazarus init --forge` does it, two runners,
// people with accounts of their own, and an administrator's clone. Three of them are on the roster.
import { chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keyPath } from '../../src/adapters/keys/file-keys.ts';
import { lazarus, type Ran } from '../support/cli.ts';
import type { Api } from '../support/gitea/api.ts';
import { signIn } from '../support/gitea/browser.ts';
import { openDoor, type Door } from '../support/gitea/door.ts';
import { startTeam, TEAM_REPOSITORY, type Team } from '../support/gitea/missions.ts';
import { ordinaryUser } from '../support/gitea/ordinary-user.ts';
import { giveKey } from '../support/gitea/person-clone.ts';
import type { Runner } from '../support/gitea/runner.ts';
import { git } from '../support/repos.ts';
import { AGENT_PATH, agentScript } from './agent.ts';
import { asked } from './asked.ts';
import { agentsOfWeek, type Agents } from './at-work.ts';
import { weekClock, type Clock } from './clock.ts';
import { diskOfMachines, LARGE_FILE, type Disk } from './disk.ts';

export const AT = `/repos/${TEAM_REPOSITORY}`;
export const PEOPLE = ['ana', 'ben', 'dora', 'carol', 'fay'] as const;
export type Name = (typeof PEOPLE)[number];
/** On the roster, so that they may approve what they did not propose; fay may come onto it, and carol never does. */
export const MEMBERS: readonly Name[] = ['ana', 'ben', 'dora'];

type Person = {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly password: string;
  readonly api: Api;
  readonly cookie: string;
};

export type Town = {
  readonly team: Team;
  readonly door: Door;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly agents: Agents;
  readonly runners: readonly Runner[];
  readonly people: Readonly<Record<Name, Person>>;
  readonly folder: string;
  /** Asks as the administrator, who sees everything. */
  readonly ask: Api;
  /** What the administrator types in a clone. */
  readonly type: (...args: readonly string[]) => Promise<Ran>;
  /** Of the administrator's clone, with the token that may push. */
  readonly clone: string;
  /** Until no run goes on, but for those whose agents are at work until somebody lets them go. */
  readonly quiet: () => Promise<void>;
  /** The schedule, now. */
  readonly schedule: () => Promise<void>;
  /** By somebody at its page; answers with the forge's status. */
  readonly cancelRun: (id: number) => Promise<number>;
  /** Runs that the forge itself never began, so that somebody cancelled them. */
  readonly forgotten: readonly number[];
  /** Of both runners: until they are given back, none of them signs anything. */
  hideKeys(): void;
  giveKeysBack(): void;
  /** A root puts somebody on the roster. */
  enrol(name: Name): Promise<void>;
  /** The roster has another key for the runners than these have. */
  endRunnerKey(): Promise<void>;
  /** They get it. */
  renewRunnerKey(): Promise<void>;
  /** Nothing of it may be shown anywhere. */
  readonly canary: string;
  close(): Promise<void>;
};

const ADDRESS = '127.0.0.1';
/** So that a week need not wait a quarter of an hour for the job of a runner that is gone. */
const SILENCE_SECONDS = 45;
const POLL_MS = 250;
const MACHINES = 2;
const QUIET_WITHIN_MS = 6 * 60_000;
const CANARY = 'canary-4f2b9c1e77d04a6e';
/** A run that waits is begun within a second. */
const STUCK_MS = 20_000;
/** As long as a runner of the reference configuration leaves between two looks, and a little more. */
const UNNOTICED_MS = 600;

export async function openTown(): Promise<Town> {
  const door = await openDoor(ADDRESS);
  const clock = weekClock();
  const disk = diskOfMachines();
  const agents = agentsOfWeek();
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-week-'));
  let team: Team | undefined;
  const close = async (): Promise<void> => {
    door.open();
    await team?.stop();
    await door.close();
    clock.remove();
    disk.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const options = `${clock.env.NODE_OPTIONS} ${disk.options}`;
    const env = { NODE_OPTIONS: options, PATH: disk.path, WEEK_TOKEN: CANARY };
    team = await startTeam(
      { [AGENT_PATH]: agentScript(agents.sleeps), 'notes/README.md': 'Notes of a week.\n', 'maps/all.txt': LARGE_FILE },
      { env },
      { address: ADDRESS, door, silenceSeconds: SILENCE_SECONDS },
    );
    const runners = [team.runner, await team.addRunner({ env })];
    const { gitea, ana, ben, carol, genesis, cloneUrl } = team;
    const account = async (name: string) => {
      const user = await gitea.createUser(name);
      return { ...user, api: gitea.as(user), cookie: await signIn(gitea, user) };
    };
    const people = { ana, ben, carol, dora: await account('dora'), fay: await account('fay') };
    const ask = ana.api;
    const clone = join(folder, 'clone');
    git(folder, ['clone', '-q', cloneUrl.replace('://', `://ana:${ana.token}@`), clone]);
    const type = (...args: readonly string[]): Promise<Ran> =>
      lazarus(args, {
        cwd: clone,
        env: {
          ...clock.env,
          HOME: homeOf(folder, 'ana'),
          GIT_CONFIG_GLOBAL: '/dev/null',
          LAZARUS_TOKEN: ana.token,
          LAZARUS_TOKEN_ORIGIN: gitea.url,
        },
      });
    const said = async (...args: readonly string[]): Promise<void> => {
      const { code, stderr } = await type(...args);
      if (code !== 0) throw new Error(`lazarus ${args.join(' ')}: ${code}\n${stderr}`);
    };
    await said('verify', 'project', '--genesis', genesis);
    const enrol = async (name: Name): Promise<void> => {
      const key = join(folder, `${name}.asc`);
      await at(homeOf(folder, name), ['keys', 'export', name, '-o', key]);
      const named = ['--forge-user', name, '--forge', gitea.url];
      await said('roster', 'add', key, '--type', 'user', '--roles', 'person', ...named, '--remote', 'origin');
    };
    await enrol('dora');
    const runnerKey = newRunnerKey(folder, runners, { LAZARUS_TOKEN: ana.token, LAZARUS_TOKEN_ORIGIN: gitea.url });
    const cancelRun = async (id: number): Promise<number> => {
      const at = `${gitea.url}/${TEAM_REPOSITORY}/actions/runs/${id}/cancel`;
      return (await fetch(at, { method: 'POST', headers: { cookie: ana.cookie } })).status;
    };
    const forgotten: number[] = [];
    const cancel = async (id: number): Promise<void> => {
      forgotten.push(id);
      await asked(() => cancelRun(id));
    };
    const schedule = (): Promise<void> =>
      ask('POST', `${AT}/actions/workflows/lazarus.yaml/dispatches`, { ref: 'main' });
    return {
      team,
      door,
      clock,
      disk,
      agents,
      runners,
      people,
      folder,
      ask,
      type,
      clone,
      canary: CANARY,
      quiet: () => quiet(ask, { schedule, agents, cancel }),
      schedule,
      cancelRun,
      forgotten,
      hideKeys: () => runners.forEach(({ home }) => renameSync(keyPath({ HOME: home }), awayFrom(home))),
      giveKeysBack: () => runners.forEach(({ home }) => renameSync(awayFrom(home), keyPath({ HOME: home }))),
      enrol,
      endRunnerKey: async () => {
        const key = await runnerKey.make(gitea.url);
        await said('roster', 'rotate', key, '--remote', 'origin');
      },
      renewRunnerKey: async () => runnerKey.give(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function awayFrom(home: string): string {
  return `${keyPath({ HOME: home })}-away`;
}

/** What somebody types at home. */
async function at(home: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { code, stderr } = await lazarus(args, { cwd: home, env: { HOME: home, ...env } });
  if (code !== 0) throw new Error(`lazarus ${args.join(' ')}: ${code}\n${stderr}`);
}

/** Made on a computer of its own, and carried to the machines later, wherever these have their keys just then. */
function newRunnerKey(folder: string, runners: readonly Runner[], env: Readonly<Record<string, string>>) {
  let home = '';
  return {
    make: async (forge: string): Promise<string> => {
      home = mkdtempSync(join(folder, 'runner-key-'));
      const key = join(home, 'runner.asc');
      await at(home, ['keys', 'new', 'runner', '--unprotected']);
      await at(home, ['keys', 'register', 'runner', '--forge', forge], env);
      await at(home, ['keys', 'export', 'runner', '-o', key]);
      return key;
    },
    give: (): void => {
      const owner = ordinaryUser();
      for (const runner of runners) {
        const theirs = existsSync(awayFrom(runner.home)) ? awayFrom(runner.home) : keyPath({ HOME: runner.home });
        for (const file of readdirSync(keyPath({ HOME: home }))) {
          const path = join(theirs, file);
          copyFileSync(join(keyPath({ HOME: home }), file), path);
          if (owner !== undefined) chownSync(path, owner.uid, owner.gid);
        }
      }
    },
  };
}

const homes = new Set<string>();

function homeOf(folder: string, name: Name): string {
  const home = join(folder, `home of ${name}`);
  if (!homes.has(home)) {
    mkdirSync(home, { mode: 0o700 });
    giveKey(home, name);
    homes.add(home);
  }
  return home;
}

/**
 * What a job set off a moment ago has its own run by then. A forge that was away may forget to begin a run until the next one
 * comes; the schedule would come by every five minutes, and does so here sooner. A forge that went down in the moment in which
 * it made a run never begins that one, and leaves it there for a day: whoever sees it at its page cancels it.
 */
async function quiet(
  ask: Api,
  { schedule, agents, cancel }: Pick<Town, 'schedule' | 'agents'> & { readonly cancel: (id: number) => Promise<void> },
): Promise<void> {
  const deadline = Date.now() + QUIET_WITHIN_MS;
  let stuckSince = Date.now();
  let before = new Set<number>();
  for (let calm = 0; calm * POLL_MS < UNNOTICED_MS;) {
    const { workflow_runs: runs } = await asked(() => ask('GET', `${AT}/actions/runs?limit=50`));
    const going: readonly Run[] = runs.filter((run: Run) => run.status !== 'completed');
    calm = going.length <= agents.busy() ? calm + 1 : 0;
    const working = going.filter(({ status }) => status === 'in_progress').length;
    // Where an agent is at work on every machine the others wait for that.
    if (calm > 0 || working > agents.busy() || agents.busy() >= MACHINES) stuckSince = Date.now();
    if (Date.now() > deadline) throw new Error(`runs hang: ${going.map(({ id, status }) => `${id} ${status}`).join()}`);
    if (Date.now() > stuckSince + STUCK_MS) {
      const stuck = going.filter(({ status }) => status !== 'in_progress').map(({ id }) => id);
      for (const id of stuck) if (before.has(id)) await cancel(id);
      before = new Set(stuck);
      await asked(schedule);
      stuckSince = Date.now();
    }
    await pause(POLL_MS);
  }
}

type Run = { readonly id: number; readonly status: string };
