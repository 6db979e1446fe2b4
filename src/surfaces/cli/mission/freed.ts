// Who waited for paths that are free now, and the line with which each goes on. On a forge its jobs start them; here nobody
// does but whoever reads this. Starts nothing.
import { freedFor } from '../../../app/mission/waiting.ts';
import { projectState } from '../../../app/mission/world.ts';
import type { Line } from '../output.ts';
import type { Site } from './site.ts';

export type Freed = { readonly lines: readonly Line[]; readonly missions: readonly string[] };

export const NOBODY_FREED: Freed = { lines: [], missions: [] };

/** Asked before something is done; then what is answered says who can go on because of it. */
export function watchPaths({ world, bench }: Site): () => Promise<Freed> {
  const before = projectState(world).missions;
  return async () => {
    const missions = await freedFor(world, before, async (mission) => {
      const ref = await bench.find(mission);
      return { ref, desk: world.missions.at(ref) };
    });
    return { missions, lines: missions.map(lineFor) };
  };
}

function lineFor(mission: string): Line {
  return `${mission} waited for these paths, and can go on: lazarus run ${mission}`;
}
