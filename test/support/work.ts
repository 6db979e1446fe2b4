// What a mission's world is told of repositories, at a clone of a test.
import { dirname } from 'node:path';
import { workRepositories } from '../../src/adapters/git/work.ts';
import type { MissionWorld } from '../../src/app/mission/world.ts';
import type { Workbench } from '../../src/app/workbench.ts';

export function workAt({ parts }: Workbench): MissionWorld['work'] {
  return { repositories: workRepositories, source: dirname(parts.repository.stateDir) };
}
