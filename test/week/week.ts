// One week of a team: missions filed, talked about and decided, with faults in between, all drawn from one seed; then whoever is
// named in an issue pastes what stands there, until nobody is asked for anything; and a weekend, on which time runs out.
import { git } from '../support/repos.ts';
import { follow, file, OVER, type Week } from './acts.ts';
import { chanceOf, type Chance } from './chance.ts';
import { FAULTS, type Fault, type FaultName } from './faults.ts';
import { asked } from './asked.ts';
import { allPages, readStatus, statusOf } from './forge.ts';
import type { MissionLog, WeekLog } from './log.ts';
import { STORIES, type Cast, type Step, type Story, type StoryName } from './stories.ts';
import { AT, MEMBERS, type Name, type Town } from './town.ts';

export type Wanted = {
  readonly seed: number;
  readonly stories: readonly StoryName[];
  readonly faults: readonly FaultName[];
};

/** Missions that are talked about at the same time. */
const OPEN_MAX = 4;
/** Of three acts after one everybody waits until the forge is quiet. */
const RESTS = 3;
const ROUNDS_MAX = 10;
/** Between two rounds: longer than a runner may be silent, so that whoever died is known to be dead. */
const ROUND_MINUTES = 4;
const WEEKEND_MINUTES = 73 * 60;

/** All stories in an order that the seed draws, over again where more are wanted. */
export function drawn(seed: number, missions: number): Wanted {
  const chance = chanceOf(seed);
  const names = Object.keys(STORIES) as StoryName[];
  const stories: StoryName[] = [];
  while (stories.length < missions) stories.push(...chance.shuffled(names));
  const faults: FaultName[] = [];
  const all = Object.keys(FAULTS) as FaultName[];
  while (faults.length < missions * FAULTS_PER_MISSION) faults.push(...chance.shuffled(all));
  return {
    seed,
    stories: stories.slice(0, missions),
    faults: faults.slice(0, Math.ceil(missions * FAULTS_PER_MISSION)),
  };
}

const FAULTS_PER_MISSION = 0.7;

type Scene = { readonly mission: MissionLog; readonly cast: Cast; readonly steps: Step[] };

export async function live(town: Town, wanted: Wanted, tell: (line: string) => void): Promise<WeekLog> {
  const chance = chanceOf(wanted.seed + 1);
  const beganMs = Date.now();
  const log: WeekLog = { seed: wanted.seed, missions: [], faults: [], odd: [], beganMs };
  const say = (line: string): void => tell(`${((Date.now() - beganMs) / 1000).toFixed(0).padStart(4)} s  ${line}`);
  const week: Week = { town, log, say, losesNext: false };
  await workingDays(week, chance, wanted);
  await untilNobodyIsAsked(week);
  await weekend(week);
  return log;
}

async function workingDays(week: Week, chance: Chance, { stories, faults }: Wanted): Promise<void> {
  const { town } = week;
  const unfiled = stories.map((name, i) => ({ no: i + 1, name }));
  const open: Scene[] = [];
  const acts = stories.reduce((sum, name) => sum + 1 + STORIES[name].steps.length, 0);
  const due = faults.map((name) => ({ name, at: chance.below(Math.max(1, acts - 1)) + 1 })).sort((a, b) => a.at - b.at);
  let lastNote = 'n0';
  for (let act = 1; unfiled.length > 0 || open.length > 0; act++) {
    const isNew = unfiled.length > 0 && (open.length === 0 || (open.length < OPEN_MAX && chance.below(2) === 0));
    if (isNew) {
      const { no, name } = unfiled.shift()!;
      const story: Story = STORIES[name];
      const [by, a, b] = chance.shuffled(MEMBERS) as [Name, Name, Name];
      const note = story.isTwin === true ? lastNote : `n${no}`;
      lastNote = note;
      const { manner, ends } = story;
      const filer = story.isByStranger === true ? 'carol' : by;
      const mission = await file(week, { no, story: name, note, manner, ends, by: filer });
      if (story.isByStranger === true) mission.proposers.push(by);
      open.push({ mission, cast: { by, a, b }, steps: [...story.steps] });
    } else {
      const scene = chance.oneOf(open);
      const step = scene.steps.shift();
      if (step === undefined) open.splice(open.indexOf(scene), 1);
      else await orOdd(week, `mission ${scene.mission.no} (${scene.mission.story})`, () => step({ week, ...scene }));
    }
    const isAtWork = week.log.missions.some(
      ({ said }) => said.at(-1)?.text.startsWith('/approve') && isRecent(said.at(-1)!),
    );
    for (const one of due.filter(({ name, at }) => at <= act && (isAtWork || !AT_WORK.has(name)))) {
      due.splice(due.indexOf(one), 1);
      await happens(week, chance, one.name);
    }
    if (chance.below(RESTS) === 0) await orOdd(week, 'the forge', () => town.quiet());
  }
  for (const { name } of due) await happens(week, chance, name);
}

/** They are looked for where something runs. */
const AT_WORK: ReadonlySet<FaultName> = new Set<FaultName>(['runner_killed', 'run_cancelled', 'forge_restarted']);
const RECENT_MS = 3_000;

function isRecent({ atMs }: { readonly atMs: number }): boolean {
  return Date.now() - atMs < RECENT_MS;
}

async function happens(week: Week, chance: Chance, name: FaultName): Promise<void> {
  const fault: Fault = FAULTS[name];
  const atMs = Date.now();
  await orOdd(week, name, async () => {
    const how = await fault(week, chance);
    week.log.faults.push({ what: `${name}${how === '' ? '' : `: ${how}`}`, atMs });
    week.say(`fault ${name}${how === '' ? '' : `: ${how}`}`);
  });
}

/** What stops one story stops no other; a judge hears of it. */
async function orOdd(week: Week, what: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    week.say(`odd: ${what}: ${(error as Error).message}`);
    week.log.odd.push(`${what}: ${(error as Error).message}`);
  }
}

/** The promise of an issue: whatever happened, it says whose turn it is and the line to paste, and pasting it works. */
async function untilNobodyIsAsked(week: Week): Promise<void> {
  const { town, log } = week;
  week.losesNext = false;
  for (let round = 1; round <= ROUNDS_MAX; round++) {
    week.say(`looking round, ${round}`);
    await town.quiet();
    town.clock.pass(ROUND_MINUTES);
    await town.schedule();
    await town.quiet();
    const waiting = await waitingFor(week);
    if (waiting.length === 0) return;
    await adoptPolicy(week);
    for (const mission of waiting) await orOdd(week, `mission ${mission.no}`, () => follow(week, mission));
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
