// How long somebody who typed a command waits for its answer, through a real Gitea and a real runner with the settings that
// lazarus recommends: and how much of that is the forge's and the runner's, which no code of ours can shorten.
import { giteaPrograms, TO_INCLUDE } from '../../support/gitea/obtain.ts';
import type { Bench } from '../bench.ts';
import { jobTimes } from '../inputs/job-times.ts';
import { idleTeam } from '../inputs/team.ts';
import type { Line, Row } from '../row.ts';

export const answer: Row = { name: 'a command, typed to answered', run };

const PARTS = {
  whole: 'typed to answered',
  picked: 'until a runner began its job',
  prepared: 'until the runner had fetched the action and started it',
  ours: 'the gate itself, its pushes included',
} as const;
type Parts = Readonly<Record<keyof typeof PARTS, number>>;

async function run(bench: Bench): Promise<readonly Line[]> {
  if (giteaPrograms() === undefined) return [{ what: PARTS.whole, unit: 'ms', values: [], beside: TO_INCLUDE }];
  const team = await idleTeam(bench);
  let issue = 0;
  await team.ran(async () => {
    issue = await team.file(team.ana);
  });
  bench.say('typing commands');
  const all: Parts[] = [];
  for (let round = -1; round < bench.sizes.rounds; round++) {
    let typedAtMs = 0;
    const [gate] = await team.ran(async () => {
      typedAtMs = Date.now();
      await team.comment(team.ben, issue, '/status');
    });
    if (round >= 0) all.push(partsOf(typedAtMs, gate!.log));
  }
  return Object.entries(PARTS).map(([part, what]) => ({
    what,
    unit: 'ms',
    values: all.map((one) => one[part as keyof Parts]),
    beside: part === 'whole' ? 'the three lines below, one after the other' : '',
  }));
}

function partsOf(typedAtMs: number, log: string): Parts {
  const { beganAtMs, endedAtMs, tookMs } = jobTimes(log);
  return {
    whole: endedAtMs - typedAtMs,
    picked: beganAtMs - typedAtMs,
    prepared: endedAtMs - tookMs - beganAtMs,
    ours: tookMs,
  };
}
