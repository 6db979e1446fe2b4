// The workbench over a repository as a command builds it: a test names only what it wants otherwise. And the first
// events that ledgers need before anything can be tested in them: a project with its people and rules, a mission.
import { createHash, randomUUID } from 'node:crypto';
import { filePins } from '../../src/adapters/state/file-pins.ts';
import { backOffUntil, systemClock } from '../../src/adapters/system/clock.ts';
import { systemIds } from '../../src/adapters/system/ids.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { beginMission, beginProject } from '../../src/app/begin.ts';
import { Workbench, type WorkbenchParts } from '../../src/app/workbench.ts';
import { within } from '../../src/kernel/decide/about.ts';
import type { Member, Roster } from '../../src/kernel/roster/roster.ts';
import { accept } from '../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../src/ledger/names.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { ANA, roster, type TestKey } from './people.ts';
import { taken } from './taken.ts';

export function benchOver(repository: Repository, parts: Partial<WorkbenchParts> = {}): Workbench {
  return new Workbench({
    crypto: nodeCrypto,
    repository,
    remote: undefined,
    pins: filePins(repository.stateDir),
    clock: systemClock,
    ids: systemIds,
    backOff: backOffUntil(),
    nowMs: () => performance.now(),
    ...parts,
  });
}

type Founding = Partial<Roster> & { readonly by?: TestKey };

/** Begins a project with these members; its id. */
export async function foundProject(
  bench: Workbench,
  members: readonly Member[],
  { by = ANA, project_id: id = randomUUID(), ...changes }: Founding = {},
): Promise<string> {
  taken(await bench.session(PROJECT_REF, by).submit(beginProject(id, roster(id, members, changes))));
  return id;
}

/** Puts these rules in force: policy and sacred scopes as they lie in the repository. */
export async function reviseRules(
  bench: Workbench,
  project: string,
  rules: { readonly policy: string; readonly sacred: string },
  revision = 1,
): Promise<void> {
  const payload = { policy: digestOf(rules.policy), revision, sacred: digestOf(rules.sacred) };
  const decide = () => accept([within('policy.revised', project, project, payload)]);
  taken(await bench.session(PROJECT_REF, ANA).submit({ decide }));
}

/** Begins a mission in the project as it is; its reference. */
export async function aMission(bench: Workbench, by: TestKey = ANA, id: string = randomUUID()): Promise<string> {
  const view = await bench.project();
  taken(await bench.session(missionRef(id), by, view).submit(beginMission(id, view, null)));
  return missionRef(id);
}

function digestOf(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
