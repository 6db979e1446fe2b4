// What verifying a ledger comes to. Integrity (are the bytes what was signed, by whom it says, in legal order?) and
// trust (may I rely on those signers?) are separate verdicts: a ledger can be whole and disowned.
import type { Facts, ReasonCode } from '../../reasons.ts';
import type { LedgerKind } from '../../kernel/roles.ts';
import type { State } from '../../kernel/state.ts';
import type { TreeHead } from '../../kernel/values.ts';

export type Mode = 'full' | 'since-pin' | 'head';

export type Integrity =
  | { readonly is: 'ok' }
  | {
      readonly is: 'refused';
      readonly index: number;
      readonly oid: string;
      readonly ledger: LedgerKind;
      readonly code: ReasonCode;
      readonly facts: Facts;
    };

export type TrustWord =
  /** The project's first event is the pinned one, and nothing newer contradicts it. */
  | 'confirmed'
  /** Nobody told us which project genesis to expect: compare the fingerprint with one you got elsewhere. */
  | 'unpinned'
  /** The mission cites a project head that we have not seen: cut-offs made since are unknown. */
  | 'project_unconfirmed'
  /** Some events were signed by a key that is cut off, and no threshold has judged them yet. */
  | 'disowned';

export type Disowned = { readonly fingerprint: string; readonly from: number; readonly until: number };

export type Trust = { readonly is: TrustWord; readonly project_genesis: string; readonly disowned: readonly Disowned[] };

export type Report = {
  readonly mode: Mode;
  readonly name: string;
  readonly head: TreeHead | undefined;
  readonly state: State | undefined;
  readonly transactions: number;
  readonly events: number;
  readonly integrity: Integrity;
  readonly trust: Trust;
};
