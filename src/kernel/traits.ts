// What each event type says of itself besides its payload: where it may stand and who may sign it, what makes it happen, and
// when it no longer may. Knows the words, not the types: they stand with their nouns, and who asks derives its set from them.
import type { Role } from './principal.ts';

export type LedgerKind = 'project' | 'mission';

/** Always, or as the payload has it. */
export type When<Payload> = true | ((payload: Payload) => boolean);

export type Traits<Payload = never> = {
  readonly in: readonly LedgerKind[];
  /** Whose id stands in `task_id`: the ledger's own, a task's that was created, or that of the task being created. */
  readonly about: 'ledger' | 'task' | 'new_task' | 'task_or_ledger';
  /** Any one of these roles is enough. */
  readonly by: readonly Role[];
  /** Whoever is on no roster may be its actor: a stranger’s words that the gate relays. */
  readonly fromAnybody?: true;
  /** Its authority is the roots' threshold: whoever is leaving by it may still carry it in, and nothing behind it. */
  readonly carried?: true;
  /** Decides who may sign, or what a proof may rely on: a proof carries every one of these that its ledger has. */
  readonly inProofs?: true;
  /** Starts a chain of causes: words that came in, acts of roots, the birth of a ledger, what is laid beside it. */
  readonly starts?: true;
  /** Laid beside: it changes nothing that is open, and is the cause of nothing. */
  readonly beside?: true;
  /** What honest writers look for as its cause; left out, what happened last to the thing it is about. */
  readonly because?: Because<Payload>;
  /** The other ledger whose event may have made it happen. */
  readonly far?: (payload: Payload) => string;
  /** May name the end of another mission, which it goes on from. */
  readonly follows?: true;
  /** Its `entity_id` is a new thing's, drawn for it and for nothing before. */
  readonly draws?: true;
  /** May still be said of a mission that has ended. */
  readonly aftercare?: true;
  /** Stops when the project is halted. */
  readonly untilHalted?: When<Payload>;
  /** Stops when the mission is called off. */
  readonly untilCancelled?: When<Payload>;
  /** Stops while the mission is held. */
  readonly untilHeld?: When<Payload>;
  /** Stands only while the project holds the mission's paths for it. */
  readonly needsPaths?: When<Payload>;
};

export type Because<Payload> = (about: { readonly entity_id: string; readonly payload: Payload }, at: AtHand) => Sought;

/** Ids of what the step at hand has before the event. */
export type AtHand = {
  readonly attempt: string | undefined;
  readonly lease: string | undefined;
  /** The agent's. */
  readonly cell: string | undefined;
  /** Grants to run an agent. */
  readonly runs: readonly string[];
};

/** Ids of things, or event types; the most telling first. */
export type Sought = {
  /** Looked for in the same transaction, then in what the ledger remembers. */
  readonly of: readonly (string | null | undefined)[];
  /** Looked for in the same transaction alone. */
  readonly here?: readonly (string | null | undefined)[];
};

export const PROJECT: Traits['in'] = ['project'];
export const MISSION: Traits['in'] = ['mission'];
export const EITHER: Traits['in'] = ['project', 'mission'];
