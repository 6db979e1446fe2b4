// Runs an approved mission as a laptop does, with real cells, and reads back what was handed over.
import { join } from 'node:path';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { seedKeys } from '../../../src/adapters/keys/memory-keys.ts';
import { openpgpMessages } from '../../../src/adapters/keys/messages.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { advance, type Advanced, type Means, type DueKind } from '../../../src/app/mission/advance.ts';
import { readDocument } from '../../../src/app/mission/documents.ts';
import { branchExecutors } from '../../../src/app/mission/executors.ts';
import type { Running } from '../../../src/app/mission/run.ts';
import type { Acting } from '../../../src/app/mission/world.ts';
import { readEvents } from '../../../src/app/read-events.ts';
import { fromUtf8 } from '../../../src/format/bytes.ts';
import type { ReadEvent } from '../../../src/kernel/read.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import type { CellLimits } from '../../../src/ports/cells.ts';
import { passableScratch } from '../../support/cells.ts';
import { LAPTOP, LAPTOP_SETTING, type Site } from './setting.ts';
import { taken } from '../../support/taken.ts';

const EVERYTHING: ReadonlySet<DueKind> = new Set<DueKind>([
  'plan',
  'grant',
  'ask',
  'recover',
  'end',
  'cell',
  'deliver',
  'observe',
]);

export async function running(at: Site, limits: Partial<CellLimits> = {}): Promise<Running> {
  const folder = passableScratch();
  const cells = await openCells({ folder, repositories: workRepositories });
  return {
    cells: { ...cells, spawn: (spec) => cells.spawn({ ...spec, limits: { ...spec.limits, ...limits } }) },
    repositories: workRepositories,
    seedKeys: seedKeys(nodeCrypto),
    messages: openpgpMessages,
    source: at.folder,
    mirror: join(folder, 'mirror.git'),
    canaries: [],
    environments: NO_ENVIRONMENTS,
    secrets: NO_SECRETS,
    exposedTo: null,
    untilNextLook: never,
    untilNextBeacon: never,
  };
}

/** Of missions that need neither: whoever asks all the same fails the test. */
export const NO_ENVIRONMENTS: Running['environments'] = { find: unasked, prepare: unasked, mount: unasked };
export const NO_SECRETS: Running['secrets'] = { resolve: unasked };

function unasked(): never {
  throw new Error('nobody was to ask for this');
}

/** Nobody cancels. */
export function never(over: AbortSignal): Promise<void> {
  return new Promise((resolve) => over.addEventListener('abort', () => resolve(), { once: true }));
}

export async function run(at: Site, mission: string, limits?: Partial<CellLimits>): Promise<Advanced> {
  return taken(await tryToRun(at, mission, limits));
}

export async function tryToRun(
  at: Site,
  mission: string,
  limits?: Partial<CellLimits>,
  { acting, ...means }: Partial<Means> & { readonly acting?: Acting } = {},
) {
  return advance(acting ?? at.as(LAPTOP, mission), {
    may: EVERYTHING,
    setting: LAPTOP_SETTING,
    executors: branchExecutors(at.bench),
    running: await running(at, limits),
    isAlone: true,
    ...means,
  });
}

export async function eventsOf<Type extends ReadEvent['event_type']>(
  at: Site,
  mission: string,
  type: Type,
): Promise<readonly Extract<ReadEvent, { event_type: Type }>[]> {
  const found: Extract<ReadEvent, { event_type: Type }>[] = [];
  await readEvents(at.bench, missionRef(mission), (event) => {
    if (event.event_type === type) found.push(event as Extract<ReadEvent, { event_type: Type }>);
  });
  return found;
}

export async function documentOf(at: Site, mission: string, digest: string | null): Promise<any> {
  return JSON.parse(await documentText(at, mission, digest!));
}

export async function documentText(at: Site, mission: string, digest: string): Promise<string> {
  return fromUtf8(await readDocument(at.bench, missionRef(mission), digest));
}
