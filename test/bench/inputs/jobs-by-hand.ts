// Jobs of a team's forge, started one by one as a runner starts them: the built action with the environment of its job,
// with the token of a job, through a proxy that tells the forge's time apart from ours. The only runner is busy with that job.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { FormInput } from '../../support/form-body.ts';
import { startTeam, TEAM_REPOSITORY, type Team } from '../../support/gitea/missions.ts';
import type { Bench } from '../bench.ts';
import { ACTION_MAIN } from '../cli-main.ts';
import { median, timedMs } from '../measure.ts';
import { STAYING, tokenOfJob } from './job-token.ts';
import { timedProxy, type TimedProxy } from './timed-proxy.ts';

export type Timed = {
  readonly ms: number;
  readonly pushes: number;
  readonly pushMs: number;
  readonly requests: number;
  /** With a question to the forge open: its own time and the network's, though the process may be at work as well. */
  readonly askedMs: number;
  /** What the job printed. */
  readonly said: string;
};

export type JobsByHand = {
  readonly team: Team;
  /** Ben files the form; the job that answers it. */
  readonly form: (changes: Partial<FormInput>) => Promise<Timed & { readonly issue: number }>;
  /** Ben asks in an issue. */
  readonly status: (issue: number) => Promise<Timed>;
  /** The schedule's job. */
  readonly schedule: () => Promise<Timed>;
};

const AT = `/repos/${TEAM_REPOSITORY}`;
const execute = promisify(execFile);
const known = new WeakMap<Bench, Promise<JobsByHand>>();

/** One team for all rows that only file more in it. */
export function jobsByHand(bench: Bench): Promise<JobsByHand> {
  let found = known.get(bench);
  if (found === undefined) known.set(bench, (found = newJobsByHand(bench, 'by-hand')));
  return found;
}

export async function newJobsByHand(bench: Bench, name: string): Promise<JobsByHand> {
  bench.say('starting a Gitea and its team');
  const team = await startTeam(STAYING, { capacity: 1 });
  bench.atEnd(() => team.stop());
  const token = await tokenOfJob(bench, team);
  const proxy = await timedProxy(team.gitea.url);
  bench.atEnd(() => proxy.close());
  const folder = bench.path(name);
  mkdirSync(folder);
  const job = startedIn({ folder, team, token }, proxy);
  const hears = (event: string, payload: object): Promise<Timed> => job({ job: 'gate', event }, payload);
  const read = (path: string): Promise<any> => team.ana.api('GET', AT + path);
  return {
    team,
    form: async (changes) => {
      const issue = await team.file(team.ben, changes);
      const filed = await read(`/issues/${issue}`);
      return { issue, ...(await hears('issues', { action: 'opened', issue: filed, sender: filed.user })) };
    },
    status: async (number) => {
      const issue = await read(`/issues/${number}`);
      const comment = await team.ben.api('POST', `${AT}/issues/${number}/comments`, { body: '/status' });
      const payload = { action: 'created', issue, comment, sender: comment.user, is_pull: false };
      return hears('issue_comment', payload);
    },
    schedule: () => job({ job: 'reconcile', event: 'schedule' }, {}),
  };
}

type Job = { readonly job: string; readonly event: string };

type At = { readonly folder: string; readonly team: Team; readonly token: string };

function startedIn({ folder, team, token }: At, proxy: TimedProxy) {
  return async ({ job, event }: Job, payload: object): Promise<Timed> => {
    const path = `${folder}/payload.json`;
    writeFileSync(path, JSON.stringify({ ...payload, repository: { id: 1 } }));
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      INPUT_JOB: job,
      'INPUT_EVENT-NAME': event,
      INPUT_GENESIS: team.genesis,
      GITHUB_SERVER_URL: proxy.origin,
      GITHUB_REPOSITORY: TEAM_REPOSITORY,
      GITHUB_EVENT_PATH: path,
      RUNNER_TEMP: folder,
      LAZARUS_TOKEN: token,
      LAZARUS_GATE_KEY: team.gateKey,
    };
    proxy.pushed();
    proxy.askedMs();
    const before = proxy.requests();
    let said = '';
    const ms = await timedMs(async () => {
      said = (await execute(process.execPath, [ACTION_MAIN], { env })).stdout;
    });
    const { count, ms: pushMs } = proxy.pushed();
    return { ms, pushes: count, pushMs, requests: proxy.requests() - before, askedMs: proxy.askedMs(), said };
  };
}

/** Where the time of such jobs went, as the middle of them. */
export function whereItWent(all: readonly Timed[]): string {
  const of = (take: (one: Timed) => number): string => median(all.map(take)).toFixed(0);
  return `the whole process ${of(({ ms }) => ms)} ms, of which ${of(({ pushes }) => pushes)} pushes take ${of(({ pushMs }) => pushMs)} ms; ${of(({ requests }) => requests)} requests; of the rest ${of(({ askedMs }) => askedMs)} ms with one at the forge, ${of(({ ms, pushMs, askedMs }) => ms - pushMs - askedMs)} ms without`;
}
