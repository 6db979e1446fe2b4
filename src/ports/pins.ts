// What this machine remembers of ledgers it verified: the floor below which none of them may fall again.
import type { TreeHead } from '../kernel/values.ts';

export type Pin = {
  readonly ledger_id: string;
  readonly head: TreeHead;
  readonly roster: { readonly n: number; readonly digest: string };
  readonly format: number;
  /** SHA-256 of the project's first event: where trust starts. */
  readonly project_genesis: string;
  /** Whether a person said that this is the right genesis, or it is merely the first one this machine saw. */
  readonly genesis_confirmed: boolean;
  /** Per signing key the events it signed, as [first, last]: so that a later cut-off knows what it touches. */
  readonly signers: Readonly<Record<string, readonly [number, number]>>;
};

export interface Pins {
  read(ledger: string): Promise<Pin | undefined>;
  /** All at once: a pin is never left half-written. Throws `pin_not_written`. */
  write(ledger: string, pin: Pin): Promise<void>;
}
