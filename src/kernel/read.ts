// Events as they are read: what was stored, in the specification's spelling, and what follows from where it stands.
// Nothing computed here is ever stored: a writer that lost a race signs the very same event bytes again.
import { hex } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import type { FarCause } from './envelope.ts';
import type { Event } from './event.ts';
import type { RosterEntry } from './roster/keyring.ts';
import type { Member } from './roster/roster.ts';

type Optional = 'attempt_id' | 'cause' | 'step_id' | 'workspace_id';
type Stored<E extends Event> = E extends Event ? Omit<E, Optional> : never;

export type ReadEvent = Stored<Event> & {
  readonly attempt_id: string | null;
  readonly cause: FarCause | null;
  readonly step_id: string | null;
  readonly workspace_id: string | null;
  /** Position among the events of its task in this ledger, from 1. */
  readonly task_seq: number;
  /** SHA-256 of the bytes of the event before it in the same task; null for the first. */
  readonly prev_event_hash: string | null;
  /** What the signer was entitled to when it signed; a gate or a writer may have signed for the actor. */
  readonly principal_scope: Readonly<Pick<Member, 'layer' | 'roles'>>;
  /** The policy revision decided under; null in a ledger without one. */
  readonly policy_profile_version: number | null;
  /** Position in the ledger, from 0. */
  readonly index: number;
  readonly tx: string;
  readonly commit: string;
  readonly signer: { readonly fingerprint: string; readonly principal_id: string };
  /** Number of the roster that the signer was judged by. */
  readonly roster: number;
};

/** A transaction that was verified, as far as reading needs it. */
export type VerifiedTransaction = {
  readonly tip: { readonly oid: string | undefined };
  readonly claims: { readonly tx: string; readonly prevSize: number; readonly roster: { readonly n: number } };
  readonly events: readonly Event[];
  readonly signer: RosterEntry;
};

type TaskEnd = { readonly seq: number; readonly hash: string };

/** Takes the transactions of one ledger in order, from the first: positions in a task are counted, not looked up. */
export class EventReader {
  readonly #crypto: Crypto;
  readonly #tasks = new Map<string, TaskEnd>();

  constructor(crypto: Crypto) {
    this.#crypto = crypto;
  }

  /** `blobs` are the bytes of the transaction's events, in order. */
  take(transaction: VerifiedTransaction, blobs: readonly Uint8Array[]): ReadEvent[] {
    const { events, claims, signer, tip } = transaction;
    if (tip.oid === undefined) throw new TypeError('only a transaction that has its commit can be read');
    const { member, key } = signer;
    const shared = {
      policy_profile_version: null,
      principal_scope: { layer: member.layer, roles: member.roles },
      tx: claims.tx,
      commit: tip.oid,
      signer: { fingerprint: key.fingerprint, principal_id: member.principal_id },
      roster: claims.roster.n,
    };
    return events.map((event, i) => ({
      ...shared,
      ...event,
      attempt_id: event.attempt_id ?? null,
      cause: event.cause ?? null,
      step_id: event.step_id ?? null,
      workspace_id: event.workspace_id ?? null,
      ...this.#placeInTask(event.task_id, blobs[i]!),
      index: claims.prevSize + i,
    }));
  }

  #placeInTask(taskId: string, blob: Uint8Array): Pick<ReadEvent, 'task_seq' | 'prev_event_hash'> {
    const before = this.#tasks.get(taskId);
    const seq = (before?.seq ?? 0) + 1;
    this.#tasks.set(taskId, { seq, hash: `sha256:${hex(this.#crypto.hash('sha256', blob))}` });
    return { task_seq: seq, prev_event_hash: before?.hash ?? null };
  }
}
