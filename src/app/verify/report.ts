// What verifying a ledger comes to. Integrity (are the bytes what was signed, by whom it says, in legal order?) and
// trust (may I rely on those signers?) are separate verdicts: a ledger can be whole and disowned.
import type { Facts, ReasonCode } from '../../reasons.ts';
import type { LedgerKind } from '../../kernel/traits.ts';
import type { State } from '../../kernel/state.ts';
import type { TreeHead } from '../../kernel/values.ts';
import type { Trust } from '../../ledger/trust.ts';

export type { Trust } from '../../ledger/trust.ts';

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
