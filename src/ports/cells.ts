// What lazarus asks of a cell: run one command apart from everything else, hand out what it did, leave nothing behind.
// One interface for every backend. Says nothing of namespaces' mechanics, nor of who may run what.
import type { Oid } from '../format/git/object.ts';
import type { EffectKind } from '../kernel/course/classes.ts';
import type { Answer, Request } from '../kernel/port/said.ts';
import type { CellRole } from '../kernel/values.ts';
import type { VerifiedManifest } from '../kernel/seed/verify-manifest.ts';
import type { NetworkUse, Reach } from './network.ts';

/** 0 nothing · 1 (not offered) · 2 namespaces, filter, limits · 3 container · 4 a kernel of its own. Probed, never inferred. */
export type CellLevel = 0 | 1 | 2 | 3 | 4;

/** Where the project comes from: a repository that the host owns and no cell ever wrote. */
export type ProjectBase = { readonly repository: string; readonly commit: Oid };

export type CellLimits = {
  readonly wallMs: number;
  /** Standard output and error together. */
  readonly outputBytes: number;
  readonly memoryBytes: number;
  readonly pids: number;
  readonly cpus: number;
  readonly fileBytes: number;
  readonly openFiles: number;
  readonly temporaryBytes: number;
  /** How much the folders of the cell may take of the host's disk. */
  readonly diskBytes: number;
};

/** An argument vector, or a text that `/bin/sh -c` reads inside the cell and nowhere else. */
export type CellCommand = { readonly argv: readonly string[] } | { readonly shellText: string };

export type CellSpec = {
  readonly cellId: string;
  readonly participant: string;
  readonly role: CellRole;
  readonly epoch: number;
  readonly manifest: VerifiedManifest;
  readonly project: ProjectBase | null;
  readonly command: CellCommand;
  /** Added to an environment that is built from nothing. A name that could smuggle something in is refused. */
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Partial<CellLimits>;
  /** Files placed read-only under `/cell/.lazarus`, by name. */
  readonly brief?: Readonly<Record<string, Uint8Array>>;
  readonly requiredLevel: CellLevel;
  /** What was written down about the cell before it is made; one that is held less firmly is not started. */
  readonly requiredLimits?: CellHolds;
  /** Secrets of the host, searched for in everything that the cell says and in the work it leaves. */
  readonly canaries?: readonly string[];
  /** Folders of the host with toolchains, readable at the same place inside. `/usr` always is. */
  readonly tools?: readonly string[];
  /** What was prepared before, mounted read-only. */
  readonly prepared?: readonly PreparedMount[];
  /** In front of the search path, as they stand inside. */
  readonly path?: readonly string[];
  /** What the participant's one listener lets through. Left out: no listener, and no network at all. */
  readonly reach?: Reach;
  /** What happens to its work once that is verified, for a participant that asks. */
  readonly effects?: readonly EffectKind[];
  /** On the participant's standard input, which ends with it. */
  readonly input?: Uint8Array;
  /** Files of its home, by path below it. */
  readonly home?: Readonly<Record<string, string>>;
  /**
   * Globs, in whatever case, of the project's files that are not there when it starts, though they are part of the tree: no
   * tool reads its instructions from them by itself. They are no secret: its git has their history.
   */
  readonly masked?: readonly string[];
};

/** One thing that was prepared, where it lies on the host and where cells find it. */
export type PreparedMount = {
  readonly from: string;
  /** Absolute, as it stands inside. */
  readonly at: string;
  /** Folders below `at`, empty and thrown away with the cell. */
  readonly writable: readonly string[];
};

/** `hard`: by the kernel, for all processes together. `soft`: watched, and by each process alone. `none`: not at all. */
export type CellHolds = Readonly<Record<'cpu' | 'memory' | 'processes', 'hard' | 'soft' | 'none'>>;

/** What was really got, read from outside, not asked for. */
export type CellFacts = {
  readonly backend: 'process' | 'none';
  readonly level: CellLevel;
  /** The kinds of namespace in which the cell is not where the host is. */
  readonly namespaces: readonly string[];
  readonly seccomp: boolean;
  readonly limits: CellHolds;
  readonly uid: number;
  readonly bubblewrap: string | null;
  /** Without those that nothing holds the cell to. */
  readonly limitsSet: Partial<CellLimits>;
};

export type Probe =
  | {
      readonly is: 'fit';
      readonly backend: 'process' | 'none';
      readonly level: CellLevel;
      readonly limits: CellHolds;
      /** Whom the cell that was asked about is going to run as. */
      readonly uid: number;
      readonly facts: ProbeFacts;
    }
  | { readonly is: 'unfit'; readonly backend: 'process'; readonly code: UnfitCode; readonly why: string };
type UnfitCode = 'sandbox_missing' | 'sandbox_unfit';

export type ProbedListener = { readonly is: 'fit' } | { readonly is: 'unfit'; readonly why: string };
type ProbeFacts = Readonly<Record<string, string | number | boolean>>;

/** What the participant says through the kernel port. `body` is a stranger's: JSON of any shape, bounded. */
export type PortMessage = { readonly kind: 'heartbeat' | 'done' | 'blocked'; readonly body: unknown };

/** What it said that nobody acts on, without secrets; the first of each, as they came. */
export type PortRecord = {
  readonly notes: readonly string[];
  readonly requests: readonly (Request & { readonly answer: Extract<Answer, { is: 'granted' | 'refused' }> })[];
};

/** Text without secrets and without control characters other than line feed and tab. */
export type OutputChunk = { readonly stream: 'stdout' | 'stderr'; readonly text: string };

export type CellExit = {
  readonly reason:
    | 'exited'
    | 'signalled'
    | 'timeout'
    | 'output_limit'
    | 'memory_limit'
    | 'disk_limit'
    | 'route_limit'
    | 'killed';
  readonly code: number | null;
  readonly signal: string | null;
  readonly usage: CellUsage;
};
type CellUsage = {
  readonly wallMs: number;
  readonly outputBytes: number;
  readonly redactions: number;
  readonly portMessages: number;
  readonly portRefused: number;
  readonly cpuMs: number | null;
  readonly memoryPeakBytes: number | null;
};

/** Who the host's own commit is by; it names no person's address. */
export type WorkIdentity = {
  readonly name: string;
  readonly email: string;
  readonly atSeconds: number;
  readonly message: string;
};

/** The project as the cell left it, as one commit of the host's on the base, in a repository nobody else reads. */
export type Work = {
  readonly repository: string;
  readonly commit: Oid;
  readonly tree: Oid;
  readonly base: Oid;
  /** Left out because the base's own ignore rules say so, or because it is neither a file, a folder nor a link. */
  readonly dropped: { readonly count: number; readonly paths: readonly string[] };
};

/** Work that was taken out of its cell before, and lay on a disk since: a pack, and what it is to come to. */
export type LaidAside = {
  readonly cellId: string;
  readonly base: ProjectBase;
  readonly tree: Oid;
  readonly pack: AsyncIterable<Uint8Array>;
  readonly identity: WorkIdentity;
  readonly dropped: Work['dropped'];
  readonly canaries: readonly string[];
};

/** What is left after closing. Every number is expected to be zero. */
export type Residue = {
  readonly processes: number;
  readonly cgroups: number;
  readonly mounts: number;
  readonly openPlaces: number;
  readonly temporaryFiles: number;
  readonly sharedMemory: number;
  readonly sockets: number;
  readonly folders: number;
};

export interface Cell {
  readonly id: string;
  readonly level: CellLevel;
  readonly facts: CellFacts;
  /** What went through the listener so far; empty without one. */
  network(): NetworkUse;
  /** What the participant noted and asked for so far, and what it was answered. */
  port(): PortRecord;
  /** Ends when the cell has ended. Neither this nor `output` has to be read for the cell to go on. */
  readonly events: AsyncIterable<PortMessage>;
  readonly output: AsyncIterable<OutputChunk>;
  readonly exit: Promise<CellExit>;
  /**
   * Only after `exit`. Throws `work_refused` when what was left cannot become a commit, `work_too_large` and
   * `work_holds_secret` when it must not.
   */
  takeWork(identity: WorkIdentity): Promise<Work>;
  /** The text of `done.json` in the participant's home, when one was left there; only after `exit`. */
  claim(): Promise<string | undefined>;
  /** The same of `blocked.json`, or of `Agentik_Runtime/state/blocked-<participant>.json`. */
  question(): Promise<string | undefined>;
  kill(): Promise<void>;
  /** Kills what runs, proves that nothing does, removes every folder. Work that was taken stays. */
  close(): Promise<Residue>;
}

export type CheckSpec = {
  /** Drawn where it is left out. */
  readonly cellId?: string;
  readonly project: ProjectBase;
  readonly shellText: string;
  /** Folders of the project, which is read-only but for these: as the revision has them, or empty. */
  readonly writable?: readonly string[];
  readonly limits?: Partial<CellLimits>;
  readonly requiredLevel: CellLevel;
  readonly requiredLimits?: CellHolds;
  readonly env?: Readonly<Record<string, string>>;
  readonly canaries?: readonly string[];
  readonly tools?: readonly string[];
  readonly prepared?: readonly PreparedMount[];
  readonly path?: readonly string[];
  /** Ends the check when it is aborted. */
  readonly signal?: AbortSignal;
};
export type CheckRun = {
  readonly exitCode: number | null;
  readonly reason: CellExit['reason'];
  readonly output: string;
  readonly level: CellLevel;
  /** Through its listener; none without one. */
  readonly reached: NetworkUse['reached'];
  readonly residue: Residue;
};

export interface Cells {
  /** By running a cell, not by asking a program for its version. */
  probe(cellId?: string): Promise<Probe>;
  /** Whether a participant can have its one listener: by looking from inside of a cell whether somebody listens there. */
  probeListener(): Promise<ProbedListener>;
  /** Throws `sandbox_missing`, `sandbox_unfit` or `level_unmet` before anything of the participant runs. */
  spawn(spec: CellSpec): Promise<Cell>;
  /**
   * A fresh cell on exactly this revision, thrown away afterwards. Level 0 mounts nothing: there the project is a copy that
   * the check may write.
   */
  runCheck(spec: CheckSpec): Promise<CheckRun>;
  /** As if it had just been taken out: read as strictly, measured and searched for secrets again. Throws what `takeWork` throws. */
  takeUp(laid: LaidAside): Promise<Work>;
  /** Work that is in nobody's hands any more: its repository goes. */
  discard(work: Work): Promise<void>;
  /** Removes what supervisors left that were killed: nobody of theirs runs any more. Living ones keep what they have. */
  sweep(): Promise<void>;
}
