// How long the schedule takes to look at many missions that are open: its job as a runner starts it, whole process, on a real
// Gitea. They wait for approval, with nothing to put right, as most do whenever the schedule comes by.
import { giteaPrograms, TO_INCLUDE } from '../../support/gitea/obtain.ts';
import { git } from '../../support/repos.ts';
import type { Bench } from '../bench.ts';
import { jobsByHand, whereItWent, type JobsByHand, type Timed } from '../inputs/jobs-by-hand.ts';
import { median } from '../measure.ts';
import type { Line, Row } from '../row.ts';

export const reconciling: Row = { name: 'reconcile', run };

const LIMIT = { unit: 'ms', budget: { atMost: 10_000 } } as const;

async function run(bench: Bench): Promise<readonly Line[]> {
  const { openMissions, rounds } = bench.sizes;
  const what = `${openMissions} open missions, whole process`;
  if (giteaPrograms() === undefined) return [{ ...LIMIT, what, values: [], beside: TO_INCLUDE }];
  const jobs = await jobsByHand(bench);
  bench.say(`opening missions until there are ${openMissions}`);
  for (let open = openOf(jobs); open < openMissions; open++) await jobs.form({ paths: `part-${open}/**` });
  bench.say('reconciling');
  const all: Timed[] = [];
  for (let round = -1; round < rounds; round++) {
    const one = await jobs.schedule();
    if (one.said.includes('left alone')) throw new Error(`the schedule passed over something: ${one.said}`);
    // The first one makes the board.
    if (round >= 0) all.push(one);
  }
  const open = openOf(jobs);
  const each = median(all.map(({ ms }) => ms)) / open;
  return [
    {
      ...LIMIT,
      what,
      values: all.map(({ ms }) => ms),
      beside: `${open} are open, each awaits approval; ${each.toFixed(0)} ms each; ${whereItWent(all)}`,
    },
  ];
}

function openOf({ team }: JobsByHand): number {
  return git('.', ['ls-remote', team.cloneUrl, 'refs/lazarus/open/*']).split('\n').filter(Boolean).length;
}
