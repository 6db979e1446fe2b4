// What goes wrong in a week and lasts until somebody does what the runbook says: a full disk, a key that has ended, keys that are
// gone, people who never approve. Steps of stories; of those that keep machines from working there is one at a time.
import { namesIn } from './forge.ts';
import { digestIn, follow, shown, struck } from './acts.ts';
import type { Step } from './stories.ts';

/** Later, where something else is to be put right first. */
const begins =
  (what: string, begin: Step): Step =>
  async (scene) => {
    if (scene.week.trouble !== undefined) return 'later';
    scene.week.trouble = what;
    await begin(scene);
    return undefined;
  };

const ends =
  (end: Step): Step =>
  async (scene) => {
    await end(scene);
    scene.week.trouble = undefined;
    return undefined;
  };

export const diskFills = begins('disk_full', async ({ week, mission }) => {
  week.town.disk.fill();
  struck(week, 'disk_full', '', [mission]);
});
export const diskCleared = ends(async ({ week }) => week.town.disk.clear());

export const keyEnds = begins('key_ended', async ({ week, mission }) => {
  await week.town.endRunnerKey();
  struck(week, 'key_ended', 'that of both runners', [mission]);
});
export const keyRenewed = ends(async ({ week }) => week.town.renewRunnerKey());

export const keysAway = begins('keys_gone', async ({ week, mission }) => {
  await week.town.quiet();
  week.town.hideKeys();
  struck(week, 'keys_gone', 'those of both runners', [mission]);
});
export const keysBack = ends(async ({ week }) => {
  await week.town.quiet();
  week.town.giveKeysBack();
});

/** Nobody who may approve it comes by, so a root puts somebody new on the roster. */
export const joins: Step = async ({ week, mission }) => {
  const { town, log } = week;
  if ((await shown(week, mission, (told) => digestIn(told) !== undefined)) === undefined) {
    await follow(week, mission);
    return 'later';
  }
  struck(week, 'approval_stuck', '', [mission]);
  if (log.joined.length === 0) {
    await town.enrol('fay');
    log.joined.push({ name: 'fay', atMs: Date.now() });
    week.say('ana puts fay on the roster');
  }
  const asked = await shown(week, mission, ({ rows }) => namesIn(rows['Still needed'] ?? '').includes('fay'));
  if (asked === undefined) log.odd.push(`mission ${mission.no}: fay is on the roster, and its issue does not ask her`);
  return undefined;
};
