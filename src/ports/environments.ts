// What is asked of whoever keeps prepared environments: find one by what it is made of, make it in a cell of its own, mount
// it. Says nothing of where entries lie, nor of who may have one made.
import type { Environment } from '../kernel/policy/environment.ts';
import type { CellHolds, CellLevel, CheckRun, PreparedMount, ProjectBase } from './cells.ts';

export type WantedEnvironment = {
  /** As policy calls it; an agent's own program is called like the agent. */
  readonly name: string;
  readonly environment: Environment;
  readonly project: ProjectBase;
  /** `base`, or the attempt whose work it is prepared from: that one is never shared. */
  readonly origin: string;
  /** A file of this machine whose certificates its commands trust as well, where they reach any host. */
  readonly caFile: string | null;
  /** Where in a cell it stands: the project's tree, or the place of the agent's own program. */
  readonly at: 'project' | 'agent';
};

export type FoundEnvironment = WantedEnvironment & {
  /** `sha256:…` of everything that preparing sees. */
  readonly key: string;
  readonly isReady: boolean;
};

export type PreparingCell = {
  readonly cellId: string;
  readonly requiredLevel: CellLevel;
  readonly requiredLimits: CellHolds;
  readonly canaries: readonly string[];
  readonly signal: AbortSignal;
};

/** What a cell gets of all that is ready: mounts, toolchains, and what stands in front of the search path. */
export type Mounted = {
  readonly prepared: readonly PreparedMount[];
  readonly tools: readonly string[];
  readonly path: readonly string[];
};

export interface Environments {
  find(wanted: WantedEnvironment): Promise<FoundEnvironment>;
  /** The run of its commands; the entry is in its place once that says exit code 0. */
  prepare(found: FoundEnvironment, cell: PreparingCell): Promise<CheckRun>;
  /** Each compared with its seal before. Throws `environment_altered`, `environment_missing`. */
  mount(found: readonly FoundEnvironment[]): Promise<Mounted>;
}

/** One prepared thing, and what stands about it beside it. */
export type Entry = {
  readonly key: string;
  /** As policy called it when it was prepared. */
  readonly environment: string;
  readonly origin: string;
  readonly madeAtSeconds: number;
  readonly files: number;
  readonly bytes: number;
};

export type KeptEntry = Entry & { readonly usedAtSeconds: number; readonly isMounted: boolean };

export type Verified = {
  readonly key: string;
  /** `unreadable`: what stands beside it says nothing any more. */
  readonly verdict: 'as_prepared' | 'altered' | 'unreadable';
};

/** By the beginning of a key, by how long ago it was used, or all of them. */
export type Clearing = { readonly key: string } | { readonly olderThanSeconds: number } | 'all';

/** What this machine keeps of them, for whoever keeps the machine. */
export interface EnvironmentCache {
  /** The one used last first. */
  list(): Promise<readonly KeptEntry[]>;
  /** Reads every byte of every entry, or of those whose key begins so. */
  verify(key?: string): Promise<readonly Verified[]>;
  /** Removes what nobody has mounted; answers with what went and what had to stay. */
  clear(which: Clearing): Promise<{ readonly removed: readonly string[]; readonly mounted: readonly string[] }>;
}
