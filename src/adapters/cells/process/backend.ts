// The process backend: bubblewrap, level 2. Started by root, every cell becomes a user of its own first.
import { createHash } from 'node:crypto';
import type { CellLimits } from '../../../ports/cells.ts';
import type { Backend, Fence } from '../backend.ts';
import { controlGroupFence } from './control-groups.ts';
import { underLimits } from '../limits.ts';
import { launcher, SYSTEM_PROGRAMS } from './launch.ts';
import { networks } from './network.ts';
import { makeProbe } from './probe.ts';

/** `programs`: where bwrap is looked for. */
export function processBackend(folder: string, programs = SYSTEM_PROGRAMS): Backend {
  const launch = launcher(programs);
  const nets = networks(programs);
  const { probe, probeListener, version } = makeProbe({ folder, programs, launch, networks: nets, userOf, fence });
  return {
    name: 'process',
    level: 2,
    userOf,
    probe,
    probeListener,
    version,
    launch,
    networks: nets,
    places: (_, participant) => ({
      cell: '/cell',
      project: '/cell/project',
      home: `/cell/home/${participant}`,
      view: '/cell/.lazarus',
      temporary: '/tmp',
    }),
    withLimits: (argv, limits, fence) => underLimits(argv, limits, fence.kind === 'hard'),
    fence,
  };
}

async function fence(name: string, limits: CellLimits): Promise<Fence> {
  return (await controlGroupFence(`lazarus-${name}`, limits)) ?? NO_FENCE;
}

const NO_FENCE: Fence = {
  kind: 'soft',
  folders: [],
  hold: () => Promise.resolve(),
  usage: () => ({ cpuMs: null, memoryPeakBytes: null }),
  ranOut: () => false,
  remove: () => Promise.resolve(0),
};

// A range that no distribution gives to people, services or containers (systemd's table of user ids).
const FIRST_UID = 60_706;
const UIDS = 478;

/** By the cell's id: two cells seldom share one, and where they do, namespaces still keep them apart. */
function userOf(cellId: string): { uid: number; gid: number } | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  const uid = FIRST_UID + (createHash('sha256').update(cellId).digest().readUInt32BE(0) % UIDS);
  return { uid, gid: uid };
}
