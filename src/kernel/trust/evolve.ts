// How a ledger ends, and how its roots judge what a cut-off key signed.
import type { EventOf, EventType } from '../event.ts';
import { ANNOTATIONS_MAX } from '../limits.ts';
import { enforced } from '../enforced.ts';
import { isBarred } from '../roster/barred.ts';
import { rosterDigest } from '../roster/roster.ts';
import { checkThreshold, type Purpose, type RootSignature } from '../roster/threshold.ts';
import type { State } from '../state.ts';
import type { Circumstances } from '../transition.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { overLedger, type Rules } from '../rule.ts';

type Statement = { readonly ledger_id: string; readonly roster: string };
type Stated = {
  readonly purpose: Purpose;
  readonly document: Statement;
  readonly signatures: readonly RootSignature[];
};

/** One root below the threshold could otherwise end a mission, or the project itself, for good. */
function seal(
  state: State,
  { seal: document, signatures }: EventOf<'ledger.sealed'>['payload'],
  at: Circumstances,
): Verdict<State> {
  const stated = { purpose: 'seal', document, signatures } as const;
  const current = checkCurrent(state, stated, at);
  if (current.is === 'refused') return current;
  const signed = checkSigned(state, stated, at);
  if (enforced('seal_by_threshold') && signed.is === 'refused') return signed;
  return accept({ ...state, sealed: true });
}

function annotate(
  state: State,
  { annotation, signatures }: EventOf<'trust.annotated'>['payload'],
  at: Circumstances,
): Verdict<State> {
  const stated = { purpose: 'annotation', document: annotation, signatures } as const;
  const current = checkCurrent(state, stated, at);
  if (current.is === 'refused') return current;
  if (annotation.until <= annotation.from || annotation.until > at.index)
    return refuse('annotation_range_wrong', { from: annotation.from, until: annotation.until, index: at.index });
  if (state.annotations.length >= ANNOTATIONS_MAX) return refuse('limit_reached', { annotations_max: ANNOTATIONS_MAX });
  const signed = checkSigned(state, stated, at);
  return signed.is === 'refused' ? signed : accept({ ...state, annotations: [...state.annotations, annotation] });
}

/** The threshold's word on a repair. That the commits are as it says is checked against history, not here. */
function repair(
  state: State,
  { repair: document, signatures }: EventOf<'ledger.repaired'>['payload'],
  at: Circumstances,
): Verdict<State> {
  const stated = { purpose: 'repair', document, signatures } as const;
  const current = checkCurrent(state, stated, at);
  if (current.is === 'refused') return current;
  const signed = checkSigned(state, stated, at);
  return signed.is === 'refused' ? signed : accept(state);
}

/** About this ledger, under the roster in force: a statement cannot be made again elsewhere or later. */
function checkCurrent(state: State, { purpose, document }: Stated, { crypto }: Circumstances): Verdict<undefined> {
  const isCurrent = document.ledger_id === state.ledger_id && document.roster === rosterDigest(crypto, state.roster);
  return isCurrent ? accept(undefined) : refuse('statement_stale', { purpose });
}

function checkSigned(state: State, stated: Stated, { crypto, basis, since }: Circumstances): Verdict<number> {
  return checkThreshold(crypto, state.roster, isBarred(state), { ...stated, basis, since });
}

export const trustRules = {
  'ledger.repaired': overLedger((state, event, at) => repair(state, event.payload, at)),
  'ledger.sealed': overLedger((state, event, at) => seal(state, event.payload, at)),
  'trust.annotated': overLedger((state, event, at) => annotate(state, event.payload, at)),
} satisfies Partial<Rules<EventType>>;
