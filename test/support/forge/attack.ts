// What an attack is: who does what to which good ledger, and what each way of verifying must answer.
import type { Oid } from '../../../src/format/git/object.ts';
import type { LedgerKind } from '../../../src/kernel/traits.ts';
import type { Tip } from '../../../src/ledger/tip.ts';
import type { ReasonCode } from '../../../src/reasons.ts';
import type { TestKey } from '../people.ts';
import type { Golden, MissionWord } from './golden.ts';
import type { Lie, Workshop } from './workshop.ts';

/** What the forger has, besides the right to push. */
export type Holds = 'nothing' | 'a member’s key' | 'one root’s key' | 'the roots’ keys' | 'the repository';

export type Forgery = {
  readonly ledger: MissionWord | 'project';
  /** The good head it starts from; it must verify. */
  readonly good: Tip;
  /** Indexes of refusals count from here; left out, from the size of the good head. */
  readonly from?: number;
  /** What a reader remembers: the good head, unless the attack is about the pin itself. */
  readonly pin?: Tip | 'none';
  readonly head: Oid;
  /** Further commits that must lie in the repository. */
  readonly also?: readonly Oid[];
  /** Commits that a maker of proofs would rather not show, and need not. */
  readonly leavesOut?: readonly Oid[];
  /** What is done to the repository around the objects. */
  readonly tamper?: (folder: string) => void;
};

export type Expected =
  | { readonly is: 'refused'; readonly code: ReasonCode; readonly offset: number; readonly ledger?: LedgerKind }
  /** Nothing is verified at all: the repository itself is refused. */
  | { readonly is: 'stopped'; readonly code: ReasonCode }
  | { readonly is: 'not_visible'; readonly why: string }
  /** The signatures hold and the order is legal, but the verdict on trust says so. */
  | { readonly is: 'distrusted'; readonly trust: 'disowned' | 'rejected' | 'project_unconfirmed'; readonly why: string }
  /** The trick has no effect: what is verified and reported is the true ledger. */
  | { readonly is: 'harmless'; readonly why: string };

export type Attack = {
  readonly name: string;
  readonly does: string;
  readonly holds: Holds;
  readonly forge: (golden: Golden) => Forgery;
  readonly full: Expected;
  readonly sincePin: Expected;
  /** Answer to a proof bundle that the forger makes of it, with everything that a bundle must show. */
  readonly bundle: Expected;
  /** Answer of a full verify that also knows the good head from another member's co-signature. */
  readonly cosigned?: Expected;
};

export function refused(code: ReasonCode, offset = 0, ledger?: LedgerKind): Expected {
  return { is: 'refused', code, offset, ...(ledger && { ledger }) };
}

export function everywhere(expected: Expected): Pick<Attack, 'full' | 'sincePin' | 'bundle'> {
  return { full: expected, sincePin: expected, bundle: expected };
}

/** What somebody is shown who is at a good head. */
export function on(ledger: Forgery['ledger'], good: Tip, head: Tip | Oid): Forgery {
  return { ledger, good, head: typeof head === 'string' ? head : head.oid! };
}

/** One transaction with a lie in it on a good head. */
export function forgedOn(bench: Workshop, ledger: Forgery['ledger'], good: Tip, key: TestKey, lie?: Lie): Forgery {
  return on(ledger, good, bench.forged(good, key, lie));
}

/** An honest transaction made again with a lie in it; the reader is at the head before it. */
export function remade(bench: Workshop, ledger: Forgery['ledger'], tip: Tip, lie: Lie): Forgery {
  const { before, key, events, project } = bench.made.get(tip.oid!)!;
  const again = { events, state: tip.state!, ...(project && { project }), ...lie };
  return forgedOn(bench, ledger, before, key, again);
}
