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
  readonly caFile: string | null;
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
