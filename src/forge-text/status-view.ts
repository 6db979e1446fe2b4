// What the status comment shows of a mission, as plain data. Whoever fills it reads the ledger; nobody reads it back.
import type { ExposedTo } from '../kernel/policy/exposure.ts';
import type { Output } from '../kernel/policy/output.ts';
import type { Capability } from '../kernel/proposal/proposal.ts';
import type { ShownState } from './states.ts';

export type StatusView = {
  readonly mission: string;
  /** Events in the mission's ledger, and the commit that carries them. */
  readonly seq: number;
  readonly head: string;
  readonly state: ShownState;
  /** Why it is in this state, where that needs saying. */
  readonly because: {
    readonly code: string;
    readonly says: string;
    /** The step to take, where there is one. */
    readonly next?: string;
    /** It stopped the last attempt that there is. */
    readonly isLast?: boolean;
  } | null;
  /** The project is stopped: by whom, since when, and who may let it go on. */
  readonly stopped: { readonly by: string; readonly since: string; readonly who: readonly string[] } | null;
  /** Who called it off, by name or by the forge's number of the account, and when. */
  readonly cancelled: Said | null;
  /** Who holds it, since when, and who may let it go on; `isSigned`: by their own signature alone. */
  readonly held: (Said & { readonly who: readonly string[]; readonly isSigned: boolean }) | null;
  /** The mission that it goes on from. */
  readonly follows: string | null;
  /** Agreed to, and this mission holds a path that it needs. */
  readonly waitsFor: string | null;
  readonly goal: string;
  readonly tier: number;
  readonly revision: number;
  /** Null: the proposal has no plan yet. */
  readonly plan: PlanView | null;
  /** What people are asked to approve now. */
  readonly asked: AskedView | null;
  /** Who stands behind the latest revision, and whether its signer is one of them. */
  readonly proposed: { readonly by: readonly string[]; readonly how: Via } | null;
  readonly votes: readonly VoteView[];
  readonly effects: readonly EffectView[];
  /** Since the latest other plan that somebody voted on, or that there was: its revision and digest. */
  readonly changed: { readonly since: number; readonly digest: string; readonly items: readonly string[] } | null;
  readonly history: readonly { readonly at: string; readonly what: string }[];
  /** What has moved since the plan was made. */
  readonly drift: readonly Drift[];
  /** What was written differently afterwards. Nothing followed from it. */
  readonly edits: readonly Edit[];
  readonly receipts: readonly { readonly id: string; readonly action: string; readonly outcome: string }[];
  /** The commit that was handed over, and how many files it changes. */
  readonly work: { readonly commit: string; readonly changed: number } | null;
  /** The latest attempt, once something of it began or came to nothing. */
  readonly attempt: AttemptView | null;
  /** Attempts before that one that failed, the first one first. */
  readonly earlier: readonly { readonly no: number; readonly because: string }[];
  /** Work of attempts whose runner was given up, by the word of that runner alone. */
  readonly late: readonly LateView[];
  readonly pullRequest: number | null;
  /** What people did with it, as the forge says now; null where nobody looked. */
  readonly review: ReviewView | null;
  /** Keys of the prepared entries that stood in the agent's latest cell. */
  readonly environment: readonly string[];
  /** By route, over all attempts, by the providers' own answers. */
  readonly spent: readonly SpentView[];
  /** What the cells of the latest attempt asked for outside and were refused. */
  readonly refused: readonly { readonly host: string; readonly port: number; readonly because: string }[];
  /** What failed checks seem to have wanted to write and found read-only. */
  readonly readOnly: readonly ReadOnlyFolder[];
  /** Who could read the keys it is run with, on a forge's runner: as policy leaves it, or as the runner said when it ran. */
  readonly exposed: { readonly to: ExposedTo; readonly by: 'policy' | 'runner' } | null;
  readonly run: { readonly id: number; readonly attempt: number } | null;
  /** Where the repository of this issue is, from our own configuration: `https://forge.example/owner/repo`. */
  readonly home: string;
  /** Where the keys of gate and writer are kept. */
  readonly custody: 'actions' | 'daemon' | 'people';
};

/** `folder`: null where the check did not say which. `environment`: whose `writable` would have it; else it is `checks`. */
export type ReadOnlyFolder = { readonly folder: string | null; readonly environment: string | null };

export type AttemptView = {
  readonly no: number;
  /** How long its parts took, in their order. */
  readonly took: readonly { readonly what: string; readonly seconds: number }[];
  /** Why it came to nothing; null where it did not. */
  readonly failure: FailureView | null;
};

/** The last day on which it can be had, and the line that shows it. */
export type LateView = {
  readonly attempt: number;
  readonly until: string;
  readonly by: string;
  readonly line: string;
};

/** What is known of a failure. Agents and programs in cells wrote the names of paths and what was printed. */
export type FailureView = {
  /** Paths that the work may not change so, and the reason of each. */
  readonly paths: readonly { readonly path: string; readonly because: string }[];
  /** Checks that did not end with 0. */
  readonly commands: readonly { readonly command: string; readonly how: string }[];
  /** How a cell ended, or what was in its way. */
  readonly known: readonly string[];
  /** The last lines of what failed, where policy lets everybody see them. */
  readonly printed: { readonly by: string; readonly lines: readonly string[] } | null;
  /** The work as a commit, the last day on which it can be had, and the line that shows it. */
  readonly kept: { readonly commit: string; readonly until: string; readonly line: string } | null;
};

export type ReviewView = {
  readonly state: 'open' | 'merged' | 'closed';
  readonly mergedBy: string | null;
  /** Who asks for something else, while it is open. */
  readonly changesBy: readonly string[];
};

export type SpentView = {
  readonly route: string;
  readonly calls: number;
  /** Calls whose tokens are a guess: their answers did not say, or were not read to the end. */
  readonly guessed: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
};

/** Somebody's word about the mission: by name, or by the forge's number of the account. */
export type Said = { readonly by: string; readonly how: Via; readonly at: string };

/** A person's own signature, or what the gate says that the forge heard. */
export type Via = 'forge' | 'signed';

export type PlanView = {
  readonly digest: string;
  readonly policy: number;
  /** The tier that the proposal names: a floor, and often less than what it asks for needs. */
  readonly tierAsked: number;
  readonly baseRef: string;
  readonly baseCommit: string;
  /** By name, with the version that policy names. */
  readonly agent: string;
  readonly capabilities: readonly Capability[];
  /** Hosts and routes that the agent may reach. */
  readonly reach: readonly string[];
  /** What is prepared for agent and checks, by policy's names. */
  readonly environment: readonly string[];
  /** How what is printed in its cells is kept, and for whom. */
  readonly output: OutputView;
  readonly backend: string;
  readonly level: number;
  readonly budgetMinutes: number;
  readonly ttlMinutes: number;
  readonly paths: readonly string[];
  readonly acceptance: readonly string[];
  readonly verifyCommand: string;
  /** What the agent is told besides, under its titles. */
  readonly told: readonly { readonly title: string; readonly text: string }[];
};

/** `readers`: who could open it, by the roster as it is. */
export type OutputView = Output & { readonly readers: readonly string[] };

export type AskedView = {
  readonly scope: 'plan' | 'effects';
  readonly digest: string;
  readonly quorum: number;
  readonly missing: number;
  /** Who can give what is missing, and who cannot and why. */
  readonly from: readonly string[];
  /** How many of them would count: less than `missing` where the roster shrank since. */
  readonly possible: number;
  readonly role: string;
  readonly cannot: readonly { readonly login: string; readonly because: string }[];
  /** Who says no, and may take it back. */
  readonly rejecting: readonly string[];
  readonly expiresAt: string | null;
};

export type VoteView = {
  readonly login: string;
  readonly choice: 'approve' | 'reject';
  readonly scope: 'plan' | 'effects';
  readonly how: Via;
  readonly at: string;
  /** The proposer's own, which only a roster of one person allows. */
  readonly isSelf: boolean;
};

export type EffectView = {
  readonly what: string;
  readonly target: string;
  readonly state: 'proposed' | 'intended' | 'applied' | 'refused' | 'failed' | 'unknown_outcome';
  readonly because: string | null;
};

export type Drift =
  /** `goesOn`: what was planned is still part of it; null where nobody looked. */
  | {
      readonly is: 'base';
      readonly base: string;
      readonly planned: string;
      readonly now: string;
      readonly goesOn: boolean | null;
    }
  | { readonly is: 'policy'; readonly planned: number; readonly now: number }
  /** `lost`: whose votes stand, and no longer count. */
  | { readonly is: 'roster'; readonly planned: number; readonly now: number; readonly lost: readonly string[] };

export type Edit =
  /** The comment of somebody's vote. */
  | {
      readonly is: 'comment';
      readonly comment: number;
      readonly of: string;
      readonly what: 'edited' | 'deleted';
    }
  /** The form that the revision in force was read from. */
  | { readonly is: 'form'; readonly revision: number };
