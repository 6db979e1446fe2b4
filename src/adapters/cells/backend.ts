// What tells one way of running a cell from another: how a command is started, where things stand for it, what it is
// worth. Everything else is common to all.
import type { CellLevel, CellLimits, Probe, ProbedListener } from '../../ports/cells.ts';
import type { CellPaths } from './environment.ts';
import type { Folders, User } from './folders.ts';
import type { Launch } from './launch.ts';
import type { Launcher } from './errand.ts';
import type { Networks } from './process/network.ts';

/** Holds a cell to its limits from outside, and tells what it used. */
export type Fence = {
  readonly kind: 'hard' | 'soft' | 'none';
  /** The control groups behind it, by path; none where it has none. */
  readonly folders: readonly string[];
  /** While the first process is held back. */
  readonly hold: (pid: number) => Promise<void>;
  readonly usage: () => { readonly cpuMs: number | null; readonly memoryPeakBytes: number | null };
  /** True when it was memory that ended the cell. */
  readonly ranOut: () => boolean;
  /** How much of it could not be removed. */
  readonly remove: () => Promise<number>;
};

/** Of this machine, whatever the cell. */
export type ProbedHere = Exclude<Probe, { is: 'fit' }> | Omit<Extract<Probe, { is: 'fit' }>, 'uid'>;

export type Backend = {
  readonly name: 'process' | 'none';
  readonly level: CellLevel;
  /** Whom cells run as; undefined: as ourselves. */
  readonly userOf: (cellId: string) => User | undefined;
  readonly probe: () => Promise<ProbedHere>;
  readonly probeListener: () => Promise<ProbedListener>;
  readonly launch: Launcher;
  /** Undefined where nothing keeps a cell to its listener. */
  readonly networks: Networks | undefined;
  readonly version: () => Promise<string | null>;
  readonly places: (folders: Folders, participant: string) => CellPaths;
  readonly withLimits: (argv: readonly string[], limits: CellLimits, fence: Fence) => readonly string[];
  readonly fence: (cellId: string, limits: CellLimits) => Promise<Fence>;
};

/** What stays the same for every command of one cell. */
export type Setting = Pick<Launch, 'hostname' | 'temporaryBytes' | 'tools' | 'user'>;
