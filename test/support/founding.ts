// A repository of a person who has not heard of lazarus yet, and `init` in it as a program would call it.
import { openWorkTree } from '../../src/adapters/git/work-tree.ts';
import { utf8 } from '../../src/format/bytes.ts';
import { identityOf, type Identity } from '../../src/app/init/identity.ts';
import { initHere, type InitHere } from '../../src/app/init/init-here.ts';
import type { FileWorld } from '../../src/app/init/policy-files.ts';
import type { Course, ItemResult } from '../../src/app/init/items.ts';
import { desk, type Desk } from './desk.ts';
import { testKey, type TestKey } from './people.ts';
import { git, scratchRepository } from './repos.ts';
import { RULES } from './templates.ts';

export const UMA = testKey('uma');
const MACHINE = testKey('uma-machine');

export const TEMPLATES = { policy: utf8(RULES.policy), sacred: utf8(RULES.sacred) };

export type Founded = Desk & {
  readonly world: FileWorld;
  readonly init: (wanted?: Partial<InitHere>, course?: Partial<Course>) => Promise<readonly ItemResult[]>;
};

/** With one commit and one file of the person's own. */
export function projectFolder(): string {
  const folder = scratchRepository();
  git(folder, ['commit', '-q', '--allow-empty', '-m', 'begin']);
  return folder;
}

export async function founding(folder = projectFolder()): Promise<Founded> {
  const made = await desk({ folder });
  const world = { bench: made.bench, workTree: await openWorkTree(folder) };
  return {
    ...made,
    world,
    init: (wanted = {}, course = {}) =>
      initHere(
        world,
        {
          person: as(UMA),
          machine: as(MACHINE),
          keyItems: [],
          forgeUserId: null,
          templates: TEMPLATES,
          commits: false,
          agree: () => Promise.reject(new Error('nobody should have been asked')),
          ...wanted,
        },
        { isDryRun: false, ...course },
      ),
  };
}

export function as(key: TestKey): Identity {
  return identityOf(key.principalId, key);
}

/** The results as `item: is`. */
export function told(results: readonly ItemResult[]): Record<string, string> {
  return Object.fromEntries(results.map(({ item, is }) => [item, is]));
}
