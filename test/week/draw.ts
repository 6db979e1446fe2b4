// What a seed plans for a week: which stories, in which order, what goes wrong in between, and what happens to agents at work.
import { chanceOf } from './chance.ts';
import { FAULTS, type FaultName } from './faults.ts';
import { STORIES, TROUBLED, type StoryName } from './stories.ts';
import { STRIKES, type StrikeName } from './strikes.ts';

export type Wanted = {
  readonly seed: number;
  readonly stories: readonly StoryName[];
  readonly faults: readonly FaultName[];
  /** In the order in which stories of agents at work get them. */
  readonly strikes: readonly StrikeName[];
};

const FAULTS_PER_MISSION = 0.6;

/**
 * Those in which something has to go wrong, and of the others as many as are wanted besides; where few are wanted, any of them.
 * Of twenty missions every fault hits one.
 */
export function drawn(seed: number, missions: number): Wanted {
  const chance = chanceOf(seed);
  const strikes = chance.shuffled(Object.keys(STRIKES) as StrikeName[]);
  const troubled: readonly StoryName[] = [...strikes.map(() => 'struck' as const), ...TROUBLED];
  const others = (Object.keys(STORIES) as StoryName[]).filter((name) => !troubled.includes(name));
  const [sure, rest] = missions < 2 * troubled.length ? [[], [...others, ...troubled]] : [troubled, others];
  const stories = [...sure];
  while (stories.length < missions) stories.push(...chance.shuffled(rest));
  const faults: FaultName[] = [];
  while (faults.length < missions * FAULTS_PER_MISSION)
    faults.push(...chance.shuffled(Object.keys(FAULTS) as FaultName[]));
  return {
    seed,
    stories: chance.shuffled(stories.slice(0, missions)),
    faults: faults.slice(0, Math.ceil(missions * FAULTS_PER_MISSION)),
    strikes,
  };
}
