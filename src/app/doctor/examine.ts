// Everything that missions need here, looked at side by side. What goes wrong with looking is itself a finding: whoever asks
// what is wrong with a machine is not told that asking failed.
import { Failure } from '../../failure.ts';
import { lookAtAgents, lookAtRoutes } from './agents.ts';
import { askThrough } from './ask.ts';
import { lookAtClock } from './clock.ts';
import { lookAtDisk } from './disk.ts';
import { lookAtCache, lookAtEnvironments } from './environments.ts';
import { missing, missingFor, type Finding } from './finding.ts';
import { lookAtForges } from './forge.ts';
import { hereOf, type DoctorWorld, type Here } from './here.ts';
import { lookAtMachineKey, lookAtPersonKey } from './keys.ts';
import { lookAtLedgers } from './ledgers.ts';
import { lookAtCells, lookAtGit, lookAtListener, lookAtNode } from './machine.ts';
import { lookAtPolicy } from './policy.ts';
import { lookAtPrinted } from './printed.ts';
import { lookAtRepository, lookAtRoster } from './project.ts';
import { lookAtReopened } from './reopened.ts';
import { lookAtRules } from './rules.ts';
import { lookAtRunner } from './runner.ts';
import { lookAtRunners } from './runners.ts';
import { lookAtSecrets } from './secrets.ts';
import { lookAtSetUp } from './set-up.ts';

type Area = readonly [item: string, title: string, look: (here: Here) => Promise<readonly Finding[]>];

/** In the order in which people read them: each needs those above it. */
const AREAS: readonly Area[] = [
  ['node', 'node', lookAtNode],
  ['git', 'git', lookAtGit],
  ['cells', 'cells', lookAtCells],
  ['listener', 'listener of cells', lookAtListener],
  ['repository', 'repository', lookAtRepository],
  ['roster', 'roster', lookAtRoster],
  ['person_key', 'your key', lookAtPersonKey],
  ['machine_key', 'key of this computer', lookAtMachineKey],
  ['policy', 'policy', lookAtPolicy],
  ['printed', 'what cells print', lookAtPrinted],
  ['agent', 'agents', lookAtAgents],
  ['route', 'keys of routes', lookAtRoutes],
  ['environment', 'environments', lookAtEnvironments],
  ['cache', 'prepared environments', lookAtCache],
  ['forge', 'forge', lookAtForges],
  ['runner', 'runner', lookAtRunner],
  ['disk', 'disk', lookAtDisk],
];

/** What is asked of a forge only by whoever wants to know all about it. */
const FORGE_AREAS: readonly Area[] = [
  ['set_up', 'set-up', lookAtSetUp],
  ['clock', 'clock', lookAtClock],
  ['runners', 'runners', lookAtRunners],
  ['rule', 'branch rules', lookAtRules],
  ['secret', 'secrets', lookAtSecrets],
  ['reopened', 'what a reopened pull request runs', lookAtReopened],
  ['ledger', 'ledgers', lookAtLedgers],
];

export type Examination = {
  readonly forge?: boolean;
  /** An agent through whose routes one call is made. */
  readonly ask?: string | undefined;
  readonly onLooked?: (done: number, total: number) => void;
  /** Told of what a look threw that is no reason of ours. */
  readonly onTrouble?: (error: unknown) => void;
};

export async function examine(
  world: DoctorWorld,
  { ask, forge = false, onLooked = () => undefined, onTrouble = () => undefined }: Examination = {},
): Promise<readonly Finding[]> {
  const here = hereOf(world);
  const asked: readonly Area[] = ask === undefined ? [] : [['ask', `call of ${ask}`, () => askThrough(here, ask)]];
  const areas = [...AREAS, ...(forge ? FORGE_AREAS : []), ...asked];
  let done = 0;
  const found = await Promise.all(
    areas.map(async ([item, title, look]) => {
      const findings = await look(here).catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'interrupted') throw error;
        onTrouble(error);
        return [unseen({ item, title }, error)];
      });
      onLooked(++done, areas.length);
      return findings;
    }),
  );
  return found.flat();
}

function unseen(about: Pick<Finding, 'item' | 'title'>, error: unknown): Finding {
  if (error instanceof Failure) return missingFor(about, error);
  const why = error instanceof Error ? error.message : String(error);
  return missing(about, `could not be looked at: ${why}`, 'lazarus doctor --verbose, and report what it prints');
}
