// How long a mission that waited for a path still waits once it is free: from the moment when the status of the one that had it
// says done until the waiting one's agent is at work. On a real Gitea with one runner; no schedule comes by.
import { giteaPrograms, TO_INCLUDE } from '../../support/gitea/obtain.ts';
import type { Bench } from '../bench.ts';
import { jobTimes } from '../inputs/job-times.ts';
import { agentAtWork, filed, idleTeam, noteForm } from '../inputs/team.ts';
import { median } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const freedPath: Row = { name: 'a path that became free', run };

const LIMIT = { unit: 'ms', budget: { atMost: 5_000 } } as const;
const WHAT = 'done to the agent of who waited';

async function run(bench: Bench): Promise<readonly Line[]> {
  if (giteaPrograms() === undefined) return [{ ...LIMIT, what: WHAT, values: [], beside: TO_INCLUDE }];
  const team = await idleTeam(bench);
  bench.say('missions that wait for each other');
  const [values, wakes, looks]: number[][] = [[], [], []];
  for (let round = 0; round < bench.sizes.played; round++) {
    const first = await filed(team, noteForm({ isSlow: true }));
    const second = await filed(team, noteForm());
    let freedAtMs = 0;
    const jobs = await team.ran(async () => {
      await team.comment(team.ben, first.issue, first.line);
      await first.says('| Approved |');
      await team.comment(team.ben, second.issue, second.line);
      await second.says('| Waits for |');
      await first.says(' · done');
      freedAtMs = Date.now();
      await second.says(' · done');
    });
    const { beganMs } = await agentAtWork(team, second.mission);
    values!.push(beganMs - freedAtMs);
    for (const [name, all] of [
      ['wake', wakes!],
      ['reconcile', looks!],
    ] as const) {
      const job = jobs.find((one) => one.name === name && one.log.includes(second.mission));
      if (job === undefined) throw new Error(`no job called ${name} ran for who waited`);
      all.push(jobTimes(job.log).endedAtMs - freedAtMs);
    }
  }
  return [
    {
      ...LIMIT,
      what: WHAT,
      values: values!,
      beside: `after ${median(wakes!).toFixed(0)} ms the job that wakes others was over, after ${median(looks!).toFixed(0)} ms the one that granted`,
    },
  ];
}
