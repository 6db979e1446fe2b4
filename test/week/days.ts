// The working days of a week: stories begin and go on in an order that is drawn, and things go wrong in between, each at the
// moment that was drawn for it or as soon as there is something for it to hit.
import { file, orOdd, struck, type Week } from './acts.ts';
import type { Chance } from './chance.ts';
import type { Wanted } from './draw.ts';
import { FAULTS, lifted, underWay, type Fault, type FaultName } from './faults.ts';
import type { MissionLog } from './log.ts';
import { STORIES, TROUBLED, type Cast, type Step, type Story } from './stories.ts';
import { MEMBERS, type Name } from './town.ts';

/** Missions that are talked about at the same time. */
const OPEN_MAX = 4;
/** Of three acts after one everybody waits until the forge is quiet. */
const RESTS = 3;
/** The part of the acts in which things go wrong: after it too little is left to be hit. */
const EARLY = 0.75;
/** A step that cannot be yet is tried again so often. */
const WAITS_MAX = 25;

type Scene = { readonly mission: MissionLog; readonly cast: Cast; readonly steps: Step[]; waited: number };

export async function workingDays(week: Week, chance: Chance, { stories, faults }: Wanted): Promise<void> {
  const { town } = week;
  const unfiled = stories.map((name, i) => ({ no: i + 1, name }));
  let last = stories.length;
  const open: Scene[] = [];
  const acts = stories.reduce((sum, name) => sum + 1 + STORIES[name].steps.length, 0);
  const due: Due[] = faults
    .map((name) => ({ name, at: 1 + chance.below(Math.ceil(acts * EARLY)), missed: 0 }))
    .sort((a, b) => a.at - b.at);
  let liftAt = Infinity;
  let lastNote = 'n0';
  for (let act = 1; unfiled.length > 0 || open.length > 0; act++) {
    const isNew = unfiled.length > 0 && (open.length === 0 || (open.length < OPEN_MAX && chance.below(2) === 0));
    if (isNew) {
      const { no, name } = unfiled.shift()!;
      const story: Story = STORIES[name];
      const [by, a, b] = chance.shuffled(MEMBERS) as [Name, Name, Name];
      const note = story.isTwin === true ? lastNote : `n${no}`;
      // What happens to a machine must not find its mission waiting for its twin.
      if (!TROUBLED.some((one) => one === name)) lastNote = note;
      const { manner, ends, minutes } = story;
      const filer = story.isByStranger === true ? 'carol' : by;
      const mission = await file(week, { no, story: name, note, manner, ends, minutes, by: filer });
      if (story.isByStranger === true) mission.proposers.push(by);
      open.push({ mission, cast: { by, a, b }, steps: [...story.steps], waited: 0 });
    } else {
      const scene = chance.oneOf(open);
      const step = scene.steps.shift();
      if (step !== undefined) await taken(week, scene, step);
      else {
        open.splice(open.indexOf(scene), 1);
        // Ended by something else before anything could happen to its agent.
        const coming = [...unfiled.map(({ name }) => name), ...open.map(({ mission }) => mission.story)];
        if (week.strikes.length > coming.filter((name) => name === 'struck').length && last < stories.length + MORE_MAX)
          unfiled.push({ no: ++last, name: 'struck' });
      }
    }
    if (act >= liftAt) {
      await orOdd(week, 'unstop', () => lifted(week));
      liftAt = Infinity;
    }
    for (const one of due.filter(({ name, at }) => at <= act && (!AT_WORK.has(name) || underWay(week).length > 0))) {
      due.splice(due.indexOf(one), 1);
      if (!(await happens(week, chance, one.name)) && one.missed < MISSES_MAX)
        due.push({ ...one, at: act + 2, missed: one.missed + 1 });
      if (week.trouble === 'stopped' && liftAt === Infinity) liftAt = act + STOPPED_ACTS;
    }
    if (chance.below(RESTS) === 0) await orOdd(week, 'the forge', () => town.quiet());
  }
  for (const { name } of due) await happens(week, chance, name);
  if (week.trouble === 'stopped') await orOdd(week, 'unstop', () => lifted(week));
}

type Due = { readonly name: FaultName; readonly at: number; readonly missed: number };

/** They are for what is being worked on. */
const AT_WORK: ReadonlySet<FaultName> = new Set<FaultName>([
  'run_cancelled',
  'forge_restarted',
  'door_shut',
  'door_slammed',
]);
/** What met nothing happens again, a little later. */
const MISSES_MAX = 6;
const STOPPED_ACTS = 4;
/** Missions beyond those that were wanted. */
const MORE_MAX = 2;

async function taken(week: Week, scene: Scene, step: Step): Promise<void> {
  const { mission } = scene;
  const isLater =
    (await orOdd(week, `mission ${mission.no} (${mission.story})`, async () => step({ week, ...scene }))) === 'later';
  if (!isLater) return;
  // Whatever keeps it from happening, the others go on.
  if (++scene.waited <= WAITS_MAX) scene.steps.unshift(step);
  else week.log.odd.push(`mission ${mission.no} (${mission.story}): what was to happen could not for too long`);
}

/** False where it met nothing. */
async function happens(week: Week, chance: Chance, name: FaultName): Promise<boolean> {
  const fault: Fault = FAULTS[name];
  const found = await orOdd(week, name, () => fault(week, chance));
  const { how = 'it could not be', hit = [] } = found ?? {};
  if (hit.length > 0) struck(week, name, how, hit);
  else week.say(`fault ${name}: ${how}`);
  return hit.length > 0 || name === 'event_lost';
}
