// One week of a team: missions filed, talked about and decided, with faults in between, all drawn from one seed; then whoever is
// named in an issue pastes what stands there, until nobody is asked for anything; and a weekend, on which time runs out.
import { git } from '../support/repos.ts';
import { follow, orOdd, OVER, say, type Week } from './acts.ts';
import { chanceOf } from './chance.ts';
import { workingDays } from './days.ts';
import type { Wanted } from './draw.ts';
import { asked } from './asked.ts';
import { allPages, readStatus, statusOf } from './forge.ts';
import type { MissionLog, WeekLog } from './log.ts';
import { AT, MEMBERS, type Town } from './town.ts';

const ROUNDS_MAX = 10;
/** Between two rounds: longer than a runner may be silent, so that whoever died is known to be dead. */
const ROUND_MINUTES = 4;
const WEEKEND_MINUTES = 73 * 60;

export async function live(town: Town, wanted: Wanted, tell: (line: string) => void): Promise<WeekLog> {
  const chance = chanceOf(wanted.seed + 1);
  const beganMs = Date.now();
  const log: WeekLog = { seed: wanted.seed, missions: [], faults: [], stops: [], joined: [], odd: [], beganMs };
  const say = (line: string): void => tell(`${((Date.now() - beganMs) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  const week: Week = { town, log, say, losesNext: false, strikes: [...wanted.strikes], trouble: undefined };
  await workingDays(week, chance, wanted);
  // Nobody keeps an agent at work over the weekend.
  const impatient = setInterval(() => town.agents.letGo(), LET_GO_MS);
  try {
    await evenings(week);
  } finally {
    clearInterval(impatient);
  }
  return log;
}

async function evenings(week: Week): Promise<void> {
  await untilNobodyIsAsked(week);
  await weekend(week);
}

const LET_GO_MS = 500;

const DRIFTS: ReadonlySet<string> = new Set(['label_changed', 'status_edited']);

/** The promise of an issue: whatever happened, it says whose turn it is and the line to paste, and pasting it works. */
async function untilNobodyIsAsked(week: Week): Promise<void> {
  const { town, log } = week;
  week.losesNext = false;
  // Of a mission that is over the schedule puts nothing right: whoever sees it types what the runbook says.
  for (const mission of log.missions.filter(({ hits }) => hits.some((hit) => DRIFTS.has(hit))))
    await orOdd(week, `mission ${mission.no}`, () => say(week, mission, MEMBERS[0]!, '/status'));
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    week.say(`looking round, ${round}`);
    await town.quiet();
    town.clock.pass(ROUND_MINUTES);
    await town.schedule();
    await town.quiet();
    const waiting = await waitingFor(week);
    if (waiting.length === 0) return;
    await adoptPolicy(week);
    for (const mission of waiting)
      if ((await orOdd(week, `mission ${mission.no}`, () => follow(week, mission))) === false)
        week.say(`mission ${mission.no}: its issue asks nobody for anything`);
    await town.quiet();
  }
  for (const { no, story } of await waitingFor(week))
    log.odd.push(`mission ${no} (${story}): pasting what its issue says brought it to no end in ${ROUNDS_MAX} rounds`);
}

/** Whoever still waits then waited for too long. */
async function weekend({ town, log, say }: Week): Promise<void> {
  const states = await Promise.all(log.missions.map(({ issue }) => statusOf(town, issue)));
  if (states.every((body) => body !== undefined && OVER.has(readStatus(body).state))) return;
  say('the weekend');
  town.clock.pass(WEEKEND_MINUTES);
  for (let n = 0; n < 2; n++) {
    await town.schedule();
    await town.quiet();
  }
}

async function waitingFor({ town, log }: Week): Promise<readonly MissionLog[]> {
  const waiting: MissionLog[] = [];
  for (const mission of log.missions) {
    const body = await statusOf(town, mission.issue);
    const told = body === undefined ? undefined : readStatus(body);
    if (told?.mission !== undefined) mission.name ??= told.mission;
    const { state = '' } = told ?? {};
    // Of these people want it so.
    const isLeft =
      mission.story === 'forgotten' ? state === 'awaiting approval' : mission.ends.includes(state as never);
    if (!isLeft && !OVER.has(state)) waiting.push(mission);
  }
  return waiting;
}

/** Named on an issue by the schedule, with the line that a root types. */
async function adoptPolicy(week: Week): Promise<void> {
  const { town } = week;
  const issues = await allPages(town, `${AT}/issues?state=open&type=issues`);
  for (const { number, body } of issues as readonly { number: number; body: string }[]) {
    const line = /^lazarus policy adopt \S+ --remote origin$/m.exec(body)?.[0];
    if (line === undefined) continue;
    // Where it is checked out; at a terminal it shows the change and asks.
    git(town.clone, ['pull', '-q', 'origin', 'main']);
    const { code, stderr } = await town.type(...line.split(' ').slice(1), '--yes');
    week.say(`ana types ${line}: ${code}`);
    if (code !== 0) week.log.odd.push(`\`${line}\`, which issue ${number} says, ends with ${code}: ${stderr}`);
    await asked(() => town.ask('PATCH', `${AT}/issues/${number}`, { state: 'closed' }));
  }
}
