// Cells, whatever they are made of: lays one out, starts its participant, takes its work, removes it. What isolates is
// the backend's; what is allowed is the caller's.
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Failure } from '../../failure.ts';
import { TreePath } from '../../kernel/policy/environment.ts';
import type { Cell, CellFacts, CellLimits, Cells, CellSpec, CheckRun, CheckSpec, Residue } from '../../ports/cells.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { noteControlGroups, ownName, sweepAbandoned } from './abandoned.ts';
import type { Backend } from './backend.ts';
import { readClaim } from './claim.ts';
import { CERTIFICATES, cellEnvironment } from './environment.ts';
import { makeFolders, type Folders, type User } from './folders.ts';
import type { Running } from './launch.ts';
import { DEFAULT_LIMITS, HOLDS, isHeld, limitsHeld } from './limits.ts';
import { stockPipes } from './pipes.ts';
import { openPort, type Port } from './port.ts';
import { makePlace } from './places.ts';
import { takePrepared } from './prepared/mounting.ts';
import { layOut, takeUp, takeWork, type Site } from './project.ts';
import { redactText } from '../system/redact.ts';
import { beginReach, certificatesWith, type OpenDoor, type Reaching } from './reach.ts';
import { removeTree } from './remove-tree.ts';
import { leftBehind, lookAround } from './residue.ts';
import { startParticipant } from './running-cell.ts';
import { runCell } from './run-cell.ts';
import { refuseUnusable } from './spec.ts';
import { processesIn } from './process/namespaces.ts';
import type { Networks } from './process/network.ts';

export type Parts = {
  /** A folder of ours that nobody else can write; made when absent. */
  readonly folder: string;
  readonly repositories: WorkRepositories;
  readonly backend: Backend;
  /** Whoever answers on the listeners of cells; without one no cell has a listener. */
  readonly listen?: OpenDoor;
};

export function makeCells(parts: Parts): Cells {
  return {
    async probe(cellId = '') {
      const here = await parts.backend.probe();
      return here.is === 'fit' ? { ...here, uid: uidOf(parts.backend, cellId) } : here;
    },
    probeListener: () => parts.backend.probeListener(),
    async spawn(spec) {
      refuseUnusable(spec);
      const { manifest } = spec.manifest;
      if (manifest.runtime_context.namespace !== spec.cellId)
        throw new Failure('manifest_elsewhere', { field: 'cell' });
      const seconds = Math.min(manifest.resource_limits.max_wallclock_seconds, secondsLeft(manifest.ttl.expires_at));
      const wallMs = Math.min(spec.limits?.wallMs ?? DEFAULT_LIMITS.wallMs, seconds * 1000);
      if (wallMs <= 0) throw new Failure('manifest_expired', { expires_at: manifest.ttl.expires_at });
      return openCell(parts, { ...spec, limits: { ...spec.limits, wallMs } }, { port: true });
    },
    runCheck: (spec) => runCheck(parts, spec),
    takeUp: async (laid) =>
      takeUp(parts.repositories, {
        ...laid,
        // A name of this process: killed, it leaves nothing that nobody sweeps up.
        into: join(parts.folder, 'work', await ownName({ cellId: laid.cellId, epoch: 1 })),
      }),
    discard: ({ repository }) => removeTree(repository),
    sweep: () => sweepAbandoned(parts.folder),
  };
}

export type Request = Omit<CellSpec, 'manifest'>;

type Way = {
  /** Whether the participant is a supervised one, with a port. */
  readonly port: boolean;
  /** Left out: its role says what it may write. Given: the project is read-only but for these folders. */
  readonly writable?: readonly string[];
  /** In place of a project out of a repository. */
  readonly furnish?: (folders: Folders, user: User | undefined) => void;
};

export async function openCell(parts: Parts, spec: Request, way: Way): Promise<Cell> {
  const { backend } = parts;
  await refuseLevel(backend, spec.requiredLevel);
  if ((spec.prepared ?? []).length > 0 && backend.level === 0)
    throw new Failure('level_unmet', { level: 0, required: 2, why: 'without namespaces nothing can be mounted' });
  const hearing = openPort(spec);
  const reaching = beginReach(parts, spec.reach, way.port ? hearing : undefined);
  try {
    return await openWith(parts, spec, way, { hearing, reaching });
  } catch (cause) {
    await reaching?.close();
    throw cause;
  }
}

async function openWith(
  parts: Parts,
  spec: Request,
  { port, writable, furnish }: Way,
  { hearing, reaching }: { readonly hearing: Port; readonly reaching: Reaching | undefined },
): Promise<Cell> {
  const { backend } = parts;
  const limits: CellLimits = { ...DEFAULT_LIMITS, ...spec.limits };
  const user = backend.userOf(spec.cellId);
  const cellsFolder = join(parts.folder, 'cells');
  // Passable, not readable: a cell's own user has to get to its own folder and to no other's.
  await mkdir(cellsFolder, { recursive: true, mode: 0o711 });
  const looking = lookAround();
  const name = await ownName(spec);
  const root = join(cellsFolder, name);
  const certificates = await certificatesWith(spec.reach?.caFile);
  const view = {
    ...spec.brief,
    'cell.json': describe(spec),
    ...(certificates === undefined ? {} : { [CERTIFICATES]: certificates }),
  };
  const folders = makeFolders(root, spec.participant, { view, home: spec.home ?? {} }, user);
  const prepared = takePrepared(parts.folder, spec.prepared ?? []);
  try {
    const places = backend.places(folders, spec.participant);
    const env = cellEnvironment(spec, places, { port, isReadOnly: writable !== undefined }, spec.env, spec.reach);
    const site: Site = {
      backend,
      folders,
      places,
      setting: {
        hostname: `cell-${spec.cellId.slice(0, 8)}`,
        temporaryBytes: limits.temporaryBytes,
        tools: spec.tools ?? [],
        user,
      },
    };
    if (spec.project !== null) await layOut(site, parts.repositories, spec.project, spec.masked ?? []);
    furnish?.(folders, user);
    const open = (writable ?? []).map((path) => openPlace(folders.project, path, user));
    const environment = await prepared.mounts(folders, user);
    const fencing = backend.fence(name, limits).then(async (fence) => {
      noteControlGroups(root, fence.folders);
      const asked = spec.requiredLimits;
      if (asked === undefined || isHeld(HOLDS[fence.kind], asked)) return fence;
      await fence.remove();
      throw new Failure('level_unmet', { limits: fence.kind, memory: asked.memory });
    });
    // Waited for further below, by whoever starts the participant.
    fencing.catch(() => undefined);
    const before = await looking;
    const bubblewrap = await backend.version();
    const mayWrite = spec.role !== 'observer' && spec.role !== 'director';
    const participant = await startParticipant(backend, fencing, {
      ...site.setting,
      network: reaching?.network(),
      env,
      limits,
      port,
      hearing,
      command: spec.command,
      input: spec.input,
      canaries: spec.canaries ?? [],
      folder: root,
      workingDirectory: places.project,
      mounts: [
        { path: folders.etc, at: '/etc', writable: false },
        { path: folders.project, at: places.project, writable: mayWrite && writable === undefined },
        { path: folders.shared, at: '/cell/shared', writable: mayWrite },
        { path: folders.home, at: places.home, writable: true },
        { path: folders.view, at: places.view, writable: false },
        ...open.map((path) => ({ path: join(folders.project, path), at: `${places.project}/${path}`, writable: true })),
        ...environment,
      ],
    }).catch(async (cause: unknown) => {
      await fencing.then(
        (fence) => fence.remove(),
        () => undefined,
      );
      throw cause;
    });
    const fence = await fencing;
    const { running, exit } = participant;
    reaching?.started(participant.end);
    let ended = false;
    const end = (): void => {
      ended = true;
      void reaching?.close();
    };
    void exit.then(end, end);
    const facts: CellFacts = {
      backend: backend.name,
      level: backend.level,
      limits: HOLDS[fence.kind],
      limitsSet: limitsHeld(limits, HOLDS[fence.kind]),
      namespaces: running.namespaces,
      seccomp: running.seccomp,
      uid: uidOf(backend, spec.cellId),
      bubblewrap,
    };
    let closing: Promise<Residue> | undefined;
    const kill = async (): Promise<void> => {
      participant.end('killed');
      // However its supervision ended: whoever closes has the rest still to remove.
      await exit.catch(() => undefined);
    };
    const left = async (path: string): Promise<string | undefined> => {
      if (!ended) throw new Failure('cell_running', { cell: spec.cellId });
      const text = await readClaim(folders.home, path);
      return text === undefined ? undefined : redactText(text, spec.canaries ?? []);
    };
    return {
      id: spec.cellId,
      level: backend.level,
      facts,
      network: () => reaching?.use() ?? { reached: [], spent: [] },
      port: hearing.record,
      events: hearing.events,
      output: participant.output,
      exit,
      kill,
      async takeWork(identity) {
        if (!ended) throw new Failure('cell_running', { cell: spec.cellId });
        if (spec.project === null) throw new Failure('work_refused', { why: 'the cell has no project' });
        const into = join(parts.folder, 'work', name);
        const canaries = spec.canaries ?? [];
        const base = spec.project;
        return takeWork(site, parts.repositories, { base, into, identity, limits, fence, canaries });
      },
      async claim() {
        return left('done.json');
      },
      async question() {
        return (await left('blocked.json')) ?? left(`Agentik_Runtime/state/blocked-${spec.participant}.json`);
      },
      close() {
        closing ??= kill().then(async () => {
          await reaching?.close();
          const processes = remaining(running);
          const cgroups = await fence.remove();
          const looked = await Promise.allSettled([leftBehind({ root, uid: user?.uid, cellId: spec.cellId }, before)]);
          prepared.letGo();
          await replenished(cellsFolder, reaching === undefined ? undefined : backend.networks);
          const left = { processes, cgroups, folders: await removed(folders) };
          if (looked[0].status === 'rejected') throw looked[0].reason;
          return { ...left, ...looked[0].value };
        });
        return closing;
      },
    };
  } catch (cause) {
    prepared.letGo();
    await removed(folders);
    throw cause;
  }
}

/** For the next cell, which is in more of a hurry than this one; if it fails, that one is told why. */
async function replenished(folder: string, networks: Networks | undefined): Promise<void> {
  await Promise.all([stockPipes(folder).catch(() => undefined), networks?.stock()]);
}

function remaining(running: Running): number {
  const count = running.pidNamespace === undefined ? 0 : processesIn(running.pidNamespace).length;
  running.letGo();
  return count;
}

/** Whom the cell with this id runs as. */
function uidOf(backend: Backend, cellId: string): number {
  return backend.userOf(cellId)?.uid ?? process.getuid?.() ?? 0;
}

async function refuseLevel(backend: Backend, required: number): Promise<void> {
  const probe = await backend.probe();
  if (probe.is === 'unfit') throw new Failure(probe.code, { why: probe.why });
  if (probe.level < required) throw new Failure('level_unmet', { level: probe.level, required });
}

/** The project's own folder over itself: what the revision has there is there, and goes with the cell. */
function openPlace(project: string, path: string, user: User | undefined): string {
  if (!TreePath.safeParse(path).success) throw new Failure('cell_spec_invalid', { what: 'folder to write' });
  const place = makePlace(project, path, user);
  if (place.is === 'taken')
    throw new Failure('check_place_taken', { path: place.path, why: 'a file or a link is there' });
  return path;
}

/** How many folders of the cell are still there. */
async function removed({ root }: Folders): Promise<number> {
  await removeTree(root);
  const name = root.slice(root.lastIndexOf('/') + 1);
  return (await readdir(join(root, '..'))).filter((entry) => entry.startsWith(name)).length;
}

async function runCheck(
  parts: Parts,
  { project, shellText, writable = [], signal, ...spec }: CheckSpec,
): Promise<CheckRun> {
  const cell = await openCell(
    parts,
    {
      ...spec,
      project,
      cellId: spec.cellId ?? randomUUID(),
      participant: 'check',
      role: 'executor',
      epoch: 0,
      command: { shellText },
    },
    { port: false, writable },
  );
  return runCell(cell, { signal });
}

/** What the participant may read of its own cell; the record of it is the ledger's. */
function describe({ cellId, participant, role, epoch, project }: Request): string {
  return `${JSON.stringify({ cell_id: cellId, participant, role, epoch, base: project?.commit ?? null }, null, 2)}\n`;
}

function secondsLeft(until: string): number {
  return Math.floor((Date.parse(until) - Date.now()) / 1000);
}
