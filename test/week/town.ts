// Where a week takes place: a real Gitea behind a door that can be cut, set up as `lazarus init --forge` does it, two runners,
// four people with accounts of their own, and an administrator's clone. Three of them are on the roster.
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { keyPath } from '../../src/adapters/keys/file-keys.ts';
import { lazarus, type Ran } from '../support/cli.ts';
import type { Api } from '../support/gitea/api.ts';
import { signIn } from '../support/gitea/browser.ts';
import { openDoor, type Door } from '../support/gitea/door.ts';
import { startTeam, TEAM_REPOSITORY, type Team } from '../support/gitea/missions.ts';
import { giveKey } from '../support/gitea/person-clone.ts';
import type { Runner } from '../support/gitea/runner.ts';
import { git } from '../support/repos.ts';
import { AGENT, AGENT_PATH } from './agent.ts';
import { asked } from './asked.ts';
import { weekClock, type Clock } from './clock.ts';

export const AT = `/repos/${TEAM_REPOSITORY}`;
export const PEOPLE = ['ana', 'ben', 'dora', 'carol'] as const;
export type Name = (typeof PEOPLE)[number];
/** On the roster, so that they may approve what they did not propose. */
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
  readonly runners: readonly Runner[];
  readonly people: Readonly<Record<Name, Person>>;
  readonly folder: string;
  /** Asks as the administrator, who sees everything. */
  readonly ask: Api;
  /** What the administrator types in a clone. */
  readonly type: (...args: readonly string[]) => Promise<Ran>;
  /** Of the administrator's clone, with the token that may push. */
  readonly clone: string;
  /** Until no run goes on. */
  readonly quiet: () => Promise<void>;
  /** The schedule, now. */
  readonly schedule: () => Promise<void>;
  /** Of both runners: until they are given back, none of them signs anything. */
  hideKeys(): void;
  giveKeysBack(): void;
  /** Nothing of it may be shown anywhere. */
  readonly canary: string;
  close(): Promise<void>;
};

const ADDRESS = '127.0.0.1';
/** So that a week need not wait a quarter of an hour for the job of a runner that is gone. */
const SILENCE_SECONDS = 45;
const POLL_MS = 250;
const QUIET_WITHIN_MS = 6 * 60_000;
const CANARY = 'canary-4f2b9c1e77d04a6e';
/** A run that waits is begun within a second. */
const STUCK_MS = 20_000;
/** As long as a runner of the reference configuration leaves between two looks, and a little more. */
const UNNOTICED_MS = 600;

export async function openTown(): Promise<Town> {
  const door = await openDoor(ADDRESS);
  const clock = weekClock();
  const folder = mkdtempSync(join(tmpdir(), 'lazarus-week-'));
  let team: Team | undefined;
  const close = async (): Promise<void> => {
    door.open();
    await team?.stop();
    await door.close();
    clock.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const env = { ...clock.env, WEEK_TOKEN: CANARY };
    team = await startTeam(
      { [AGENT_PATH]: AGENT, 'notes/README.md': 'Notes of a week.\n' },
      { env },
      { address: ADDRESS, door, silenceSeconds: SILENCE_SECONDS },
    );
    const runners = [team.runner, await team.addRunner({ env })];
    const { gitea, ana, ben, carol, genesis, cloneUrl } = team;
    const dora = await gitea.createUser('dora');
    const people = { ana, ben, carol, dora: { ...dora, api: gitea.as(dora), cookie: await signIn(gitea, dora) } };
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
    const key = join(folder, 'dora.asc');
    const exported = await lazarus(['keys', 'export', 'dora', '-o', key], {
      cwd: folder,
      env: { HOME: homeOf(folder, 'dora') },
    });
    if (exported.code !== 0) throw new Error(exported.stderr);
    const enrol = ['roster', 'add', key, '--roles', 'person', '--forge-user', 'dora', '--forge', gitea.url];
    await said(...enrol, '--remote', 'origin');
    const schedule = (): Promise<void> =>
      ask('POST', `${AT}/actions/workflows/lazarus.yaml/dispatches`, { ref: 'main' });
    return {
      team,
      door,
      clock,
      runners,
      people,
      folder,
      ask,
      type,
      clone,
      canary: CANARY,
      quiet: () => quiet(ask, schedule),
      schedule,
      hideKeys: () => runners.forEach(({ home }) => renameSync(keyPath({ HOME: home }), awayFrom(home))),
      giveKeysBack: () => runners.forEach(({ home }) => renameSync(awayFrom(home), keyPath({ HOME: home }))),
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
 * comes; the schedule would come by every five minutes, and does so here sooner.
 */
async function quiet(ask: Api, schedule: () => Promise<unknown>): Promise<void> {
  const deadline = Date.now() + QUIET_WITHIN_MS;
  let stuckSince = Date.now();
  for (let calm = 0; calm * POLL_MS < UNNOTICED_MS;) {
    const { workflow_runs: runs } = await asked(() => ask('GET', `${AT}/actions/runs?limit=50`));
    const going: readonly Run[] = runs.filter((run: Run) => run.status !== 'completed');
    calm = going.length === 0 ? calm + 1 : 0;
    if (going.length === 0 || going.some(({ status }) => status === 'in_progress')) stuckSince = Date.now();
    if (Date.now() > deadline) throw new Error(`runs hang: ${going.map(({ id, status }) => `${id} ${status}`).join()}`);
    if (Date.now() > stuckSince + STUCK_MS) {
      await asked(schedule);
      stuckSince = Date.now();
    }
    await pause(POLL_MS);
  }
}

type Run = { readonly id: number; readonly status: string };
