// `npm run week`: the long form. Draws a seed where none is given and says it first, lives the week, and says what the judge
// found. For people: CI lives a short week of the same kind.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { setup } from '../support/build.ts';
import { drawn } from './draw.ts';
import { evidenceOf } from './evidence.ts';
import { hitsOf } from './hits.ts';
import { judge } from './judge.ts';
import { openTown } from './town.ts';
import { live } from './week.ts';

const HELP = `npm run week -- [--seed <number>] [--missions <number>]

  --seed      the week to live again: who does what and what goes wrong; one is drawn and printed when left out
  --missions  20 when left out; with fewer not every fault hits one

Needs what the tests with a real Gitea and with cells need. Ends with 1 where something was found, or where of 20 missions
a fault of the runbook hit none.
`;

const ALL_FAULTS_FROM = 20;

const { values: given } = parseArgs({
  options: { seed: { type: 'string' }, missions: { type: 'string', default: '20' }, help: { type: 'boolean' } },
});
process.exitCode = given.help === true ? help() : await main();

function help(): number {
  process.stdout.write(HELP);
  return 0;
}

async function main(): Promise<number> {
  const seed = Number(given.seed ?? randomInt(1_000_000));
  const missions = Number(given.missions);
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(missions) || missions < 1) {
    process.stderr.write(HELP);
    return 2;
  }
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  say(`npm run week -- --seed ${seed} --missions ${missions}`);
  setup();
  const town = await openTown();
  try {
    const before = town.team.pushes();
    const began = performance.now();
    const log = await live(town, drawn(seed, missions), say);
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    const pushes = town.team.pushes() - before;
    const { flaws, ends, worn, comments, commands, jobs, transactions } = await judge(town, log);
    say('');
    for (const flaw of flaws) say(`flaw: ${flaw}`);
    if (flaws.length > 0) say(`what to explain them with: ${await evidenceOf(town, log)}`);
    const told = Object.entries(ends).map(([end, count]) => `${count} ${end}`);
    say(`${log.missions.length} missions in ${minutes} minutes: ${told.join(', ')}; ${log.faults.length} faults`);
    const { lines, missed } = hitsOf(log);
    lines.forEach(say);
    if (worn.length > 0) say(`ended by faults in each of their attempts: ${worn.join(', ')}`);
    if (town.forgotten.length > 0)
      say(`runs that the forge never began, and that somebody cancelled: ${town.forgotten.join(', ')}`);
    say(`${commands} commands, ${comments} comments, ${jobs} jobs, ${transactions} transactions, ${pushes} pushes`);
    say(flaws.length === 0 ? `seed ${seed}: every issue tells the truth` : `seed ${seed}: ${flaws.length} flaws`);
    if (missions >= ALL_FAULTS_FROM && missed.length > 0) say(`hit none: ${missed.join(', ')}`);
    return flaws.length === 0 && (missions < ALL_FAULTS_FROM || missed.length === 0) ? 0 : 1;
  } finally {
    await town.close();
  }
}
