// How long people wait for the gate: the built action as its job starts it, against a real Gitea, from the start of the
// process to its end, less the pushes themselves. The runner's polling and checkout are not ours and not in it.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { startTeam, TEAM_REPOSITORY, type Team } from '../../support/gitea/missions.ts';
import { giteaPrograms, TO_INCLUDE } from '../../support/gitea/obtain.ts';
import type { Bench } from '../bench.ts';
import { ACTION_MAIN } from '../cli-main.ts';
import { timedProxy, type TimedProxy } from '../inputs/timed-proxy.ts';
import { median, timedMs } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const gate: Row = { name: 'gate', run };

const LIMIT = { unit: 'ms', budget: { atMost: 200 } } as const;
const PROPOSAL = 'a form, less its pushes';
const QUESTION = '/status, less its pushes';
const execute = promisify(execFile);

async function run(bench: Bench): Promise<readonly Line[]> {
  if (giteaPrograms() === undefined)
    return [PROPOSAL, QUESTION].map((what) => ({ ...LIMIT, what, values: [], beside: TO_INCLUDE }));
  bench.say('starting a Gitea and its team');
  const team = await startTeam();
  bench.atEnd(() => team.stop());
  // The jobs are started here: nobody else may answer.
  await team.runner.stop();
  const proxy = await timedProxy(team.gitea.url);
  bench.atEnd(() => proxy.close());
  const job = jobs(bench, team, proxy);
  const [proposals, questions]: [Timed[], Timed[]] = [[], []];
  bench.say('asking the gate');
  for (let round = -1; round < bench.sizes.rounds; round++) {
    const number = await team.file(team.ben, { paths: `docs/${round + 1}/**` });
    const issue = await team.ana.api('GET', `/repos/${TEAM_REPOSITORY}/issues/${number}`);
    const proposed = await job('issues', { action: 'opened', issue, sender: issue.user });
    const comment = await team.ben.api('POST', `/repos/${TEAM_REPOSITORY}/issues/${number}/comments`, {
      body: '/status',
    });
    const asked = await job('issue_comment', {
      action: 'created',
      issue,
      comment,
      sender: comment.user,
      is_pull: false,
    });
    if (round < 0) continue;
    proposals.push(proposed);
    questions.push(asked);
  }
  return [line(PROPOSAL, proposals), line(QUESTION, questions)];
}

type Timed = {
  readonly ms: number;
  readonly pushes: number;
  readonly pushMs: number;
  readonly requests: number;
  /** With a question to the forge open: its own time and the network's, though the process may be at work as well. */
  readonly askedMs: number;
};

function jobs(bench: Bench, team: Team, proxy: TimedProxy) {
  const temporary = bench.path('gate');
  mkdirSync(temporary);
  return async (event: string, payload: object): Promise<Timed> => {
    const path = bench.path('payload.json');
    writeFileSync(path, JSON.stringify({ ...payload, repository: { id: 1 } }));
    const env = {
      PATH: process.env['PATH'],
      HOME: temporary,
      INPUT_JOB: 'gate',
      'INPUT_EVENT-NAME': event,
      INPUT_GENESIS: team.genesis,
      GITHUB_SERVER_URL: proxy.origin,
      GITHUB_REPOSITORY: TEAM_REPOSITORY,
      GITHUB_EVENT_PATH: path,
      RUNNER_TEMP: temporary,
      LAZARUS_TOKEN: team.ana.token,
      LAZARUS_GATE_KEY: team.gateKey,
    };
    proxy.pushed();
    proxy.askedMs();
    const before = proxy.requests();
    const ms = await timedMs(() => execute(process.execPath, [ACTION_MAIN], { env }));
    const { count, ms: pushMs } = proxy.pushed();
    return { ms, pushes: count, pushMs, requests: proxy.requests() - before, askedMs: proxy.askedMs() };
  };
}

function line(what: string, all: readonly Timed[]): Line {
  const of = (take: (one: Timed) => number): string => median(all.map(take)).toFixed(0);
  return {
    ...LIMIT,
    what,
    values: all.map(({ ms, pushMs }) => ms - pushMs),
    beside: `the whole process ${of(({ ms }) => ms)} ms, of which ${of(({ pushes }) => pushes)} pushes take ${of(({ pushMs }) => pushMs)} ms; ${of(({ requests }) => requests)} requests; of the rest ${of(({ askedMs }) => askedMs)} ms with one at the forge, ${of(({ ms, pushMs, askedMs }) => ms - pushMs - askedMs)} ms without`,
  };
}
