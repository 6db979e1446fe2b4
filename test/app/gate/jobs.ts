// The jobs of a forge's CI on the forge in a plain folder: each in a clone of its own, with one key, believing nothing that
// another one said.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { seedKeys } from '../../../src/adapters/keys/memory-keys.ts';
import { openpgpMessages } from '../../../src/adapters/keys/messages.ts';
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { Watch } from '../../../src/app/gate/silence.ts';
import type { Site } from '../../../src/app/gate/site.ts';
import { openMissions } from '../../../src/app/gate/open-missions.ts';
import { readHeard } from '../../../src/app/gate/before.ts';
import type { Turn } from '../../../src/app/gate/going.ts';
import { reconcile, reconcileOne } from '../../../src/app/gate/schedule.ts';
import { hear, workOn } from '../../../src/app/gate/turns.ts';
import { branchExecutors, forgeExecutors } from '../../../src/app/mission/executors.ts';
import type { UntilNextLook } from '../../../src/app/mission/lookout.ts';
import { actOn } from '../../../src/app/mission/world.ts';
import type { ExposedTo } from '../../../src/kernel/policy/exposure.ts';
import type { TeamTold } from '../../../src/app/gate/tell-team.ts';
import type { Cells } from '../../../src/ports/cells.ts';
import type { Stow } from '../../../src/ports/stow.ts';
import type { Messenger } from '../../../src/ports/messenger.ts';
import type { TestKey } from '../../support/people.ts';
import { git, scratch } from '../../support/repos.ts';
import { never, NO_ENVIRONMENTS, NO_SECRETS } from '../mission/running.ts';
import { GATE, lineOf, RUNNER, WRITER, type GateSite } from './gate-site.ts';

export type Machine = {
  readonly onPoint?: (point: string) => Promise<void> | void;
  /** When its supervisor looks whether the mission was called off; never, unless a test says so. */
  readonly untilNextLook?: UntilNextLook;
  /** When it sends a beacon after its first; never, unless a test says so. */
  readonly untilNextBeacon?: UntilNextLook;
  /** Every writer of the repository, unless a test says so. */
  readonly exposedTo?: ExposedTo;
  /** Where its hand-overs wait that cannot leave; nowhere, unless a test says so. */
  readonly stow?: Stow;
  readonly told?: (line: string) => void;
  /** Puts something between the job and its cells. */
  readonly cells?: (cells: Cells) => Cells;
};

export async function jobSite(at: GateSite, key: TestKey, machine: Machine = {}): Promise<Site> {
  const desk = await at.gate(key);
  const { world } = desk;
  const { bench } = world;
  const folder = scratch('cells');
  chmodSync(folder, 0o711);
  const { cells = (one: Cells) => one, exposedTo = 'repository_writers', onPoint } = machine;
  const { untilNextLook = never, untilNextBeacon = never, stow, told = () => undefined } = machine;
  return {
    desk: () => Promise.resolve(desk),
    actOn: async (mission) => actOn(world, await bench.findAnywhere(mission), key),
    executors: () => Promise.resolve({ ...branchExecutors(bench), ...forgeExecutors(at.forge, desk.ownId) }),
    running: async () => ({
      cells: cells(await openCells({ folder, repositories: workRepositories })),
      repositories: workRepositories,
      seedKeys: seedKeys(nodeCrypto),
      messages: openpgpMessages,
      source: at.server,
      mirror: join(folder, 'mirror.git'),
      canaries: [],
      environments: NO_ENVIRONMENTS,
      secrets: NO_SECRETS,
      exposedTo,
      untilNextLook,
      untilNextBeacon,
      ...(onPoint === undefined ? {} : { onPoint }),
      ...(stow === undefined ? {} : { stowing: { stow, giveUp: () => undefined } }),
    }),
    ...(stow === undefined ? {} : { waiting: { stow, told } }),
    openMissions: () => openMissions(world),
  };
}

export async function cell(at: GateSite, mission: string, machine?: Machine): Promise<Turn> {
  return workOn(await jobSite(at, RUNNER, machine), mission, 'cell');
}

export async function writer(at: GateSite, mission: string): Promise<Turn> {
  return workOn(await jobSite(at, WRITER), mission, 'writer');
}

/** The gate's whole turn on a new comment. */
export async function gateTurn(at: GateSite, ...comment: Parameters<GateSite['typed']>): Promise<Turn> {
  const read = readHeard(await at.typed(...comment));
  if (read.is === 'ignored') throw new Error(read.reasonCode);
  return hear(await jobSite(at, GATE), read);
}

/** The job of a run that was started for one mission. */
export async function woken(at: GateSite, mission: string): Promise<Turn> {
  return reconcileOne(await jobSite(at, GATE), mission);
}

/** `messenger`: where people are told outside of the forge. */
export async function heal(
  at: GateSite,
  watch: Watch = () => Promise.resolve(),
  messenger?: Messenger,
): Promise<Turn & { readonly skipped: readonly string[]; readonly told: readonly TeamTold[] }> {
  const skipped: string[] = [];
  const told: TeamTold[] = [];
  const turn = await reconcile(await jobSite(at, GATE), {
    pause: () => Promise.resolve(),
    watch,
    onSkipped: (mission, { code }) => skipped.push(`${mission} ${code}`),
    messenger,
    onTold: (one) => told.push(one),
  });
  return { ...turn, skipped, told };
}

export type Approved = { readonly issue: number; readonly mission: string; readonly line: string };

/** `line`: what ben typed. */
export async function approved(at: GateSite, changes = {}): Promise<Approved> {
  const { issue } = await at.file('ana', changes);
  const [status] = await at.ours(issue);
  const line = lineOf(status!);
  await at.comment('ben', issue, line);
  return { issue, mission: /mission=(m-[0-9a-f]{12})/.exec(status!)![1]!, line };
}

export function branches(at: GateSite): string {
  return git(at.server, ['for-each-ref', 'refs/heads/lazarus-work']);
}
