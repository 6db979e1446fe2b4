// A short week: four people, two runners, and some things that go wrong. The long one is `npm run week`. And what its judge
// says when an issue does not tell the truth.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judge } from './judge.ts';
import type { WeekLog } from './log.ts';
import { commentsOf, isStatus } from './forge.ts';
import { AT, openTown, type Town } from './town.ts';
import { live } from './week.ts';

const SEED = Number(process.env['LAZARUS_WEEK_SEED'] ?? '12');

let town: Town;
let log: WeekLog;
const told: string[] = [];

beforeAll(async () => {
  town = await openTown();
}, 300_000);
afterAll(async () => town?.close());

it(`ends with every issue telling the truth (LAZARUS_WEEK_SEED=${SEED})`, { timeout: 600_000 }, async () => {
  log = await live(
    town,
    {
      seed: SEED,
      stories: ['own_approval', 'straying', 'edited_after', 'struck'],
      faults: ['door_slammed', 'status_edited', 'event_lost'],
      strikes: ['agent_killed'],
    },
    (line) => told.push(line),
  );
  const { flaws, ends } = await judge(town, log);
  expect(flaws, told.join('\n')).toEqual([]);
  expect(ends).toEqual({ done: 2, failed: 2 });
  expect(log.faults.filter(({ hit }) => hit.length > 0).map(({ what }) => what)).toContain('agent_killed');
});

it('is not taken for one whose issues lie', async () => {
  const [own, straying] = log.missions;
  const status = (await commentsOf(town, own!.issue)).find(isStatus)!;
  const lie = status.body.replace(/^(\| Approved \|) .*$/m, '$1 `@carol` (via: forge) |');
  await town.ask('PATCH', `${AT}/issues/comments/${status.id}`, { body: lie });
  await town.ask('POST', `${AT}/issues/${own!.issue}/comments`, { body: `I found ${town.canary} in a log` });
  const all: readonly { id: number; name: string }[] = await town.ask('GET', `${AT}/labels?limit=50`);
  const label = all.find(({ name }) => name === 'mission/done')!;
  await town.ask('POST', `${AT}/issues/${straying!.issue}/labels`, { labels: [label.id] });
  // And what did not come of a fault, or went on although the project was stopped.
  own!.hits.push('runner_killed');
  log.stops.push({ fromMs: log.beganMs, toMs: town.clock.now() });
  const { flaws } = await judge(town, log);
  for (const flaw of [
    /mission 1 .*: it was hit by runner_killed, and that is not what came of it/,
    /mission 1 .*: grant.issued at .*, while the project was stopped/,
    /mission 1 .*: the issue shows as approving \["carol"\]/,
    /mission 2 .*: the issue shows the labels \["mission\/done","tier\/1"\]/,
    /^a secret \(cana…\) is shown$/,
  ])
    expect(flaws).toContainEqual(expect.stringMatching(flaw));
});
