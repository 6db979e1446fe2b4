// The course of a mission as its events add up to: what is asked for, who agreed, who works on it, what is still owed.
// Holds open things only, so that the ten-thousandth action costs what the first did; what is over stands in the history.
import type { z } from 'zod';
import type { ActionClass, EffectKind } from './classes.ts';
import type { AttemptStatus } from './attempt-status.ts';
import type { Plan } from './plan.ts';
import type { Proposer as ProposerShape } from '../mission/events.ts';

export type NamedProposer = z.infer<typeof ProposerShape>;
/** As the proposal names it, with the persons behind it under every roster since. */
export type Proposer = NamedProposer & { readonly persons: readonly string[] };

/** What the steps of a mission share. */
type Shared = {
  /** The latest time that a gate or a writer gave. */
  readonly as_of: string;
  readonly revision: number;
  readonly proposal: string;
  readonly proposers: readonly Proposer[];
  /** Whether a person signed the latest revision itself; a relayed one is the gate's word. */
  readonly signed: boolean;
  readonly plan: Plan | null;
  /** The plan before it, until an approval is asked for anew: votes for it may carry over. */
  readonly former_plan: Plan | null;
  /** One for the plan, whatever its steps; one for the effects of each step that has any. */
  readonly approvals: Readonly<Record<string, Approval>>;
  /** Settled approvals without their receipt: empty at the end of every transaction. */
  readonly owed: Readonly<Record<string, EndedApproval>>;
  /** The highest fence ever given out. */
  readonly fence: number;
  readonly receipts: number;
  /** The last ids that were drawn. */
  readonly ids: readonly string[];
  readonly anchor: { readonly comment_id: number; readonly issue: number } | null;
  /** Who holds it, and through which account of the forge; null: signed. */
  readonly held: { readonly by: string; readonly at: string; readonly account: number | null } | null;
  /** Who called it off, and through which account of the forge; null: signed. */
  readonly cancelled: { readonly by: string; readonly at: string; readonly account: number | null } | null;
  readonly end: { readonly outcome: 'done' | 'failed' | 'cancelled' | 'expired'; readonly because: string } | null;
};

/** What a step has of its own. */
type Own = {
  /** The latest one. */
  readonly attempt: Attempt | null;
  readonly requests: Readonly<Record<string, Request>>;
  readonly grants: Readonly<Record<string, Grant>>;
  readonly lease: Lease | null;
  /** Those that are open, by id. */
  readonly cells: Readonly<Record<string, Cell>>;
  /** The cells of the attempt at hand, under what they ran, and what their receipts say. */
  readonly runs: Readonly<Record<string, Run>>;
  readonly effects: Readonly<Record<string, Effect>>;
  /** Effects that the attempt at hand applied, or that a person settled: the last ones, never to be caused again. */
  readonly caused: readonly string[];
};

/** What it is to do stands at its place in the plan: footprint, role, agent, and the steps before it. */
type Identity = {
  readonly id: string;
  readonly task: string;
  readonly place: number;
  readonly max_attempts: number;
};

export type Step = Identity & Own;

/** The course of a mission with all its steps, by id. */
export type MissionCourse = Shared & { readonly steps: Readonly<Record<string, Step>> };

/** The course as one of its steps sees it: what is shared, and what is its own. Before there is a step, nothing is its own. */
export type Course = Shared & Own & { readonly step: Identity | null };

export type Attempt = {
  readonly id: string;
  readonly no: number;
  readonly status: AttemptStatus;
  readonly because: string | null;
  /** Cells that were born for it. */
  readonly births: number;
  /** Cells that prepared something for it. */
  readonly prepares: number;
  readonly work: { readonly commit: string; readonly tree: string; readonly base_commit: string } | null;
  readonly checks: readonly CheckRun[];
  readonly verdict: 'satisfied' | 'unsatisfied' | null;
  readonly planned: {
    readonly digest: string;
    readonly params_ref: string;
    readonly effects: readonly PlannedEffect[];
  } | null;
  /** Kinds of which an effect was applied. */
  readonly applied: readonly EffectKind[];
};

export type PlannedEffect = {
  readonly request: string;
  readonly kind: EffectKind;
  readonly effect: string;
  /** The effect that was intended for it; null until then. There is no second one. */
  readonly intent: string | null;
  /** What its receipt says; null while it has none. */
  readonly outcome: 'applied' | 'refused' | 'failed' | null;
};

export type Request = {
  readonly action_class: ActionClass;
  readonly kind: EffectKind | null;
  readonly targets: readonly string[];
  /** The exact effect, where it was known when it was asked for. */
  readonly params_ref: string | null;
  readonly policy: {
    readonly ref: string;
    readonly result: 'allow' | 'require_approval' | 'deny' | 'downgrade';
  } | null;
  /** Over, and said so: denied, or never begun. */
  readonly receipted: boolean;
};

export type Vote = {
  readonly id: string;
  readonly person: string;
  readonly principal: string;
  readonly choice: 'approve' | 'reject';
  readonly signed: boolean;
};

export type Approval = {
  readonly type: 'plan' | 'effects';
  /** The step that asked: effects are a step's own. */
  readonly step: string;
  readonly digest: string;
  readonly request: string;
  readonly granted: boolean;
  readonly expires_at: string;
  readonly votes: readonly Vote[];
};

type Grant = {
  readonly request: string;
  readonly action_class: ActionClass;
  readonly approval: string | null;
  readonly to: string;
  readonly scope: readonly string[];
  readonly uses_left: number;
  readonly expires_at: string;
};

export type Lease = {
  readonly id: string;
  readonly fence: number;
  readonly holder: string;
  readonly mode: 'readonly' | 'mutable' | 'isolated' | 'external_effects_disabled';
  readonly acquired_at: string;
  readonly expires_at: string;
};

type Cell =
  | {
      readonly purpose: 'agent';
      readonly seed: string;
      readonly epoch: number;
      readonly level: number;
      readonly manifest_hash: string;
      readonly reach: readonly string[];
    }
  | { readonly purpose: 'check' | 'prepare'; readonly epoch: number; readonly level: number };

/** A check of the plan, in the place that it has there: the cell it was born in, and what that one ended with. */
type CheckRun = {
  readonly cell: string;
  readonly level: number;
  readonly limits: Readonly<Record<'cpu' | 'memory' | 'processes', 'hard' | 'soft' | 'none'>>;
  readonly exit_code: number | null;
  readonly ended: boolean;
};

export type Run = {
  readonly request: string;
  readonly grant: string;
  readonly approval: string | null;
  /** How its cell was closed; null while it is open. */
  readonly closed: {
    readonly outcome: 'completed' | 'failed' | 'expired' | 'lost';
    readonly facts: string | null;
    readonly output: string | null;
  } | null;
  readonly receipt: 'succeeded' | 'failed' | 'refused' | null;
};

export type EndedApproval = {
  readonly request: string;
  readonly result: 'succeeded' | 'denied' | 'expired' | 'refused';
};

export type Effect = {
  readonly kind: EffectKind;
  readonly effect: string;
  readonly target: string;
  readonly params_ref: string;
  readonly request: string;
  /** What it was intended under. */
  readonly grant: string;
  readonly approval: string | null;
  readonly outcome: 'applied' | 'refused' | 'failed' | 'unknown_outcome' | null;
  /** The decision of the person who settled what nobody could observe, and what it rests on; left out where it was observed. */
  readonly settled_by?: string;
  readonly settled_on?: readonly string[];
};

/** The agent's cell, where it is open. */
export function agentCellOf({ cells }: Course): string | undefined {
  return Object.entries(cells).find(([, { purpose }]) => purpose === 'agent')?.[0];
}

export function without<T>(
  record: Readonly<Record<string, T>>,
  ...gone: readonly string[]
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).filter(([id]) => !gone.includes(id)));
}

/** In the set that was computed from the work, and neither seen nor settled yet. */
export function isPlanned({ attempt }: Course, requestId: string): boolean {
  return attempt?.planned?.effects.some(({ request, outcome }) => request === requestId && outcome === null) === true;
}

/** Intended already, with an outcome that is unknown or has no receipt yet: to begin again could be to do it twice. */
export function isBeingCaused({ effects }: Course, requestId: string): boolean {
  return Object.values(effects).some(({ request }) => request === requestId);
}

/** Without the grants that rest on these approvals. */
export function withoutGrantsOf(course: Course, ...approvals: readonly string[]): Course['grants'] {
  const fallen = Object.entries(course.grants).filter(([, { approval }]) => approvals.some((id) => id === approval));
  return without(course.grants, ...fallen.map(([id]) => id));
}

/** The request to run the agent itself, which every attempt begins with. */
export function runRequest({ requests }: Course): readonly [string, Request] | undefined {
  return Object.entries(requests).find(([, { action_class }]) => action_class === 'execute_command');
}
