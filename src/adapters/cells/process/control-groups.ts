// Hard limits where the kernel lets us set them: one control group per cell and controller, in version 1 and version 2
// hierarchies and in machines that mix both. Features are found one by one; a version says nothing.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CellLimits } from '../../../ports/cells.ts';
import type { Fence } from '../backend.ts';

const CONTROLLERS = ['memory', 'pids', 'cpu'] as const;
type Controller = (typeof CONTROLLERS)[number];
type Hierarchy = { readonly mount: string; readonly own: string };
type Hierarchies = ReadonlyMap<string, Hierarchy>;

/** Undefined where not all of memory, processes and processor time can be limited: then none of it is claimed. */
export async function controlGroupFence(name: string, limits: CellLimits): Promise<Fence | undefined> {
  const folders: string[] = [];
  try {
    const all = hierarchies();
    const unified = await unifiedGroup(all.get(''), name);
    if (unified !== undefined) {
      folders.push(unified);
      const settings = unifiedSettings(limits);
      for (const [file, value] of Object.entries(settings)) writeFileSync(join(unified, file), value);
      set(unified, 'memory.swap.max', '0');
      set(unified, 'memory.oom.group', '1');
      return fenceOf([unified], all.get('')!.own, {
        kills: () => counter(unified, 'memory.events', 'oom_kill'),
        ...unifiedUsage(unified),
      });
    }
    const groups = await separateGroups(all, name, folders);
    if (groups === undefined) {
      await removeAll(folders);
      return undefined;
    }
    writeFileSync(join(groups.memory, 'memory.limit_in_bytes'), String(limits.memoryBytes));
    set(groups.memory, 'memory.memsw.limit_in_bytes', String(limits.memoryBytes));
    writeFileSync(join(groups.pids, 'pids.max'), String(limits.pids));
    writeFileSync(join(groups.cpu, 'cpu.cfs_period_us'), String(CPU_PERIOD_US));
    writeFileSync(join(groups.cpu, 'cpu.cfs_quota_us'), String(Math.round(limits.cpus * CPU_PERIOD_US)));
    return fenceOf(folders, all.get('pids')!.own, {
      kills: () => counter(groups.memory, 'memory.oom_control', 'oom_kill'),
      memoryPeakBytes: () => number(groups.memory, 'memory.max_usage_in_bytes'),
      cpuMs: () => null,
    });
  } catch {
    // Not ours to write: an ordinary user without delegation, a container. Said in the cell's facts as soft limits.
    await removeAll(folders);
    return undefined;
  }
}

/** The groups of a cell whose supervisor is gone. That one may have stood under another group than we do: it noted where. */
export async function removeControlGroups(name: string, noted: readonly string[]): Promise<void> {
  const parents = new Set<string>();
  for (const { own } of hierarchies().values()) parents.add(own).add(dirname(own));
  const folders = new Set([...parents].map((parent) => join(parent, name)));
  for (const folder of noted) if (basename(folder) === name) folders.add(folder);
  await removeAll([...folders].filter((folder) => statSync(folder, { throwIfNoEntry: false }) !== undefined));
}

const CPU_PERIOD_US = 100_000;

function unifiedSettings(limits: CellLimits): Readonly<Record<string, string>> {
  return {
    'memory.max': String(limits.memoryBytes),
    'pids.max': String(limits.pids),
    'cpu.max': `${Math.round(limits.cpus * CPU_PERIOD_US)} ${CPU_PERIOD_US}`,
  };
}

function unifiedUsage(folder: string) {
  return {
    memoryPeakBytes: () => number(folder, 'memory.peak'),
    cpuMs: () => Math.round((counter(folder, 'cpu.stat', 'usage_usec') ?? 0) / 1000),
  };
}

type Readings = {
  readonly kills: () => number | null;
  readonly memoryPeakBytes: () => number | null;
  readonly cpuMs: () => number | null;
};

function fenceOf(folders: readonly string[], own: string, read: Readings): Fence {
  const way = { isTaken: false };
  void keepOpen(own, way);
  return {
    kind: 'hard',
    folders,
    async hold(pid) {
      way.isTaken = true;
      // Each waits for the kernel to agree on all processors; at once they wait together.
      await Promise.all(folders.map((folder) => writeFile(join(folder, 'cgroup.procs'), String(pid))));
    },
    usage: () => ({ cpuMs: read.cpuMs(), memoryPeakBytes: read.memoryPeakBytes() }),
    ranOut: () => (read.kills() ?? 0) > 0,
    remove: () => removeAll(folders),
  };
}

/**
 * Whoever is moved into a group waits until every processor has noticed that one is being moved, ten milliseconds and
 * more; who comes soon after need not. So we move ourselves to where we are while the cell is being built.
 */
async function keepOpen(own: string, way: { readonly isTaken: boolean }): Promise<void> {
  for (let i = 0; i < KEPT_OPEN_TIMES && !way.isTaken; i++) {
    await writeFile(join(own, 'cgroup.procs'), String(process.pid), { flag: 'r+' }).catch(() => undefined);
    await wait(KEPT_OPEN_EVERY_MS, undefined, { ref: false });
  }
}

const KEPT_OPEN_TIMES = 10;
const KEPT_OPEN_EVERY_MS = 5;

/** Below our own group, or beside it where ours has processes and so may not have children with controllers. */
async function unifiedGroup(unified: Hierarchy | undefined, name: string): Promise<string | undefined> {
  if (unified === undefined) return undefined;
  for (const parent of new Set([unified.own, dirname(unified.own)])) {
    if (!parent.startsWith(unified.mount)) continue;
    for (const controller of CONTROLLERS) set(parent, 'cgroup.subtree_control', `+${controller}`);
    const enabled = text(parent, 'cgroup.subtree_control').split(/\s+/);
    if (!CONTROLLERS.every((controller) => enabled.includes(controller))) continue;
    return mkdir(join(parent, name), { recursive: true });
  }
  return undefined;
}

async function separateGroups(
  all: Hierarchies,
  name: string,
  made: string[],
): Promise<Record<Controller, string> | undefined> {
  const groups: Partial<Record<Controller, string>> = {};
  for (const controller of CONTROLLERS) {
    const hierarchy = all.get(controller);
    if (hierarchy === undefined) return undefined;
    groups[controller] = join(hierarchy.own, name);
  }
  // Two controllers may share a hierarchy, and with it the folder.
  const folders = new Set(Object.values(groups));
  const making = [...folders].map((folder) => mkdir(folder).then(() => made.push(folder)));
  // What was made is known, and removed, whichever of them fails.
  const failed = (await Promise.allSettled(making)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return groups as Record<Controller, string>;
}

/** By controller; version 2 under the empty name. */
function hierarchies(): Hierarchies {
  const owns = new Map<string, string>();
  for (const line of readFileSync('/proc/self/cgroup', 'latin1').split('\n')) {
    const [, names, path] = line.split(':');
    for (const controller of (names ?? '').split(',')) owns.set(controller, path ?? '/');
  }
  const found = new Map<string, Hierarchy>();
  for (const line of readFileSync('/proc/self/mountinfo', 'latin1').split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root = '/', mount] = before.split(' ');
    const [type, , options = ''] = after.split(' ');
    const controllers = type === 'cgroup2' ? [''] : type === 'cgroup' ? options.split(',') : [];
    for (const controller of controllers) {
      const path = owns.get(controller);
      if (mount === undefined || path === undefined) continue;
      const below = root !== '/' && path.startsWith(root) ? path.slice(root.length) : path;
      found.set(controller, { mount, own: join(mount, below) });
    }
  }
  return found;
}

/** How many are still there. The kernel needs a moment to let go of an emptied group. */
async function removeAll(folders: readonly string[]): Promise<number> {
  let left = 0;
  for (const folder of folders) if (!(await removed(folder))) left += 1;
  return left;
}

const REMOVE_TRIES = 50;
const REMOVE_PAUSE_MS = 10;

async function removed(folder: string): Promise<boolean> {
  for (let i = 0; i < REMOVE_TRIES; i++) {
    await rmdir(folder).catch(() => undefined);
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return true;
    await wait(REMOVE_PAUSE_MS);
  }
  return false;
}

/** A setting that not every kernel has. */
function set(folder: string, file: string, value: string): void {
  try {
    writeFileSync(join(folder, file), value, { flag: 'r+' });
  } catch {
    // Absent or not ours; what must hold is read back.
  }
}

function number(folder: string, file: string): number | null {
  const value = Number(text(folder, file).trim());
  return Number.isFinite(value) && value > 0 ? value : null;
}

function counter(folder: string, file: string, name: string): number | null {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(text(folder, file))?.[1];
  return found === undefined ? null : Number(found);
}

function text(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), 'latin1');
  } catch {
    return '';
  }
}
