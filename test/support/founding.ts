// A repository of a person who has not heard of lazarus yet, and `init` in it as a program would call it.
import { readFileSync } from 'node:fs';
import { openWorkTree } from '../../src/adapters/git/work-tree.ts';
import { identityOf, type Identity } from '../../src/app/init/identity.ts';
import { initHere, type InitHere } from '../../src/app/init/init-here.ts';
import type { FileWorld } from '../../src/app/init/policy-files.ts';
import type { Course, StepResult } from '../../src/app/init/steps.ts';
import { desk, type Desk } from './desk.ts';
import { testKey, type TestKey } from './people.ts';
import { git, scratchRepository } from './repos.ts';

export const UMA = testKey('uma');
const MACHINE = testKey('uma-machine');

const template = (name: string): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../templates/${name}`, import.meta.url)));
export const TEMPLATES = { policy: template('policy.yml'), sacred: template('sacred.yml') };

export type Founded = Desk & {
  readonly world: FileWorld;
  readonly init: (wanted?: Partial<InitHere>, course?: Partial<Course>) => Promise<readonly StepResult[]>;
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
          keySteps: [],
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

/** The results as `step: is`. */
export function told(results: readonly StepResult[]): Record<string, string> {
  return Object.fromEntries(results.map(({ step, is }) => [step, is]));
}
