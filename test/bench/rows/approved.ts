// How long it takes from the typed /approve until the status comment says done, less the agent's own time: on a real Gitea, with
// an idle runner of the reference configuration. Gate, cell and writer are three jobs, one after the other.
import type { Job } from '../../support/gitea/missions.ts';
import { giteaPrograms, TO_INCLUDE } from '../../support/gitea/obtain.ts';
import type { Bench } from '../bench.ts';
import { jobTimes } from '../inputs/job-times.ts';
import { agentAtWork, filed, idleTeam, noteForm } from '../inputs/team.ts';
import { median } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const approvedToDone: Row = { name: 'a mission, approved to done', run };

const LIMIT = { unit: 'ms', budget: { atMost: 8_000 } } as const;
const WHOLE = '/approve typed to done, less the agent';
const JOBS = ['gate', 'cell', 'writer'] as const;

type Played = {
  readonly wholeMs: number;
  readonly agentMs: number;
  /** Of everybody, from the form on. */
  readonly pushes: number;
  /** By job: until a runner began it and had started the action, and the action itself. */
  readonly jobs: Readonly<Record<(typeof JOBS)[number], { readonly waitedMs: number; readonly tookMs: number }>>;
};

async function run(bench: Bench): Promise<readonly Line[]> {
  if (giteaPrograms() === undefined) return [{ ...LIMIT, what: WHOLE, values: [], beside: TO_INCLUDE }];
  const team = await idleTeam(bench);
  bench.say('missions, from approval to done');
  const all: Played[] = [];
  for (let round = 0; round < bench.sizes.played; round++) {
    const before = team.pushes();
    const mission = await filed(team, noteForm());
    let [typedAtMs, doneAtMs] = [0, 0];
    const jobs = await team.ran(async () => {
      typedAtMs = Date.now();
      await team.comment(team.ben, mission.issue, mission.line);
      await mission.says(' · done');
      doneAtMs = Date.now();
    });
    const { beganMs, endedMs } = await agentAtWork(team, mission.mission);
    all.push({
      wholeMs: doneAtMs - typedAtMs,
      agentMs: endedMs - beganMs,
      pushes: team.pushes() - before,
      jobs: partsOf(typedAtMs, jobs),
    });
  }
  const of = (take: (one: Played) => number): string => median(all.map(take)).toFixed(0);
  return [
    {
      ...LIMIT,
      what: WHOLE,
      values: all.map(({ wholeMs, agentMs }) => wholeMs - agentMs),
      beside: `the agent takes ${of(({ agentMs }) => agentMs)} ms; ${of(({ pushes }) => pushes)} pushes with the form; the lines below are parts of it, the writer’s last steps are not`,
    },
    ...JOBS.flatMap((name): Line[] => [
      {
        unit: 'ms',
        what: `until the job of the ${name} had begun`,
        values: all.map(({ jobs }) => jobs[name].waitedMs),
        beside: 'a runner noticed it, fetched the action and started it',
      },
      {
        unit: 'ms',
        what: `the job of the ${name} itself`,
        values: all.map(({ jobs }) => jobs[name].tookMs),
        beside: name === 'cell' ? 'with the agent and the check' : 'its pushes included',
      },
    ]),
  ];
}

function partsOf(typedAtMs: number, jobs: readonly Job[]): Played['jobs'] {
  let fromMs = typedAtMs;
  const parts = JOBS.map((name) => {
    const job = jobs.find((one) => one.name === name);
    if (job === undefined) throw new Error(`no job of the ${name} ran`);
    const { endedAtMs, tookMs } = jobTimes(job.log);
    const waitedMs = endedAtMs - tookMs - fromMs;
    fromMs = endedAtMs;
    return [name, { waitedMs, tookMs }] as const;
  });
  return Object.fromEntries(parts) as Played['jobs'];
}
