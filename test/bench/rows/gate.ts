// How long people wait for the gate: the built action as its job starts it, against a real Gitea, from the start of the
// process to its end, less the pushes themselves. The runner's polling and checkout are not ours and not in it.
import { giteaPrograms, TO_INCLUDE } from '../../support/gitea/obtain.ts';
import type { Bench } from '../bench.ts';
import { jobsByHand, whereItWent, type Timed } from '../inputs/jobs-by-hand.ts';
import type { Line, Row } from '../row.ts';

export const gate: Row = { name: 'gate', run };

const LIMIT = { unit: 'ms', budget: { atMost: 200 } } as const;
const PROPOSAL = 'a form, less its pushes';
const QUESTION = '/status, less its pushes';

async function run(bench: Bench): Promise<readonly Line[]> {
  if (giteaPrograms() === undefined)
    return [PROPOSAL, QUESTION].map((what) => ({ ...LIMIT, what, values: [], beside: TO_INCLUDE }));
  const jobs = await jobsByHand(bench);
  const [proposals, questions]: [Timed[], Timed[]] = [[], []];
  bench.say('asking the gate');
  for (let round = -1; round < bench.sizes.rounds; round++) {
    const proposed = await jobs.form({ paths: `docs/${round + 1}/**` });
    const asked = await jobs.status(proposed.issue);
    if (round < 0) continue;
    proposals.push(proposed);
    questions.push(asked);
  }
  return [line(PROPOSAL, proposals), line(QUESTION, questions)];
}

function line(what: string, all: readonly Timed[]): Line {
  return { ...LIMIT, what, values: all.map(({ ms, pushMs }) => ms - pushMs), beside: whereItWent(all) };
}
