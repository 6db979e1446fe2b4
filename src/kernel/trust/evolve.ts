// How a ledger ends, and how its roots judge what a cut-off key signed.
import { acceptWithinBounds } from '../bounds.ts';
import { ANNOTATIONS_MAX } from '../limits.ts';
import { isBarred } from '../roster/barred.ts';
import { rosterDigest } from '../roster/roster.ts';
import { checkThreshold, type RootSignature } from '../roster/threshold.ts';
import type { State } from '../state.ts';
import type { Circumstances } from '../transition.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { AnnotationDocument, RepairDocument } from './events.ts';

export function seal(state: State): Verdict<State> {
  return accept({ ...state, sealed: true });
}

export function annotate(
  state: State,
  payload: { annotation: AnnotationDocument; signatures: readonly RootSignature[] },
  at: Circumstances,
): Verdict<State> {
  const { annotation, signatures } = payload;
  if (annotation.ledger_id !== state.ledger_id || annotation.roster !== rosterDigest(at.crypto, state.roster))
    return refuse('statement_stale', { purpose: 'annotation' });
  if (annotation.until <= annotation.from || annotation.until > at.index)
    return refuse('annotation_range_wrong', { from: annotation.from, until: annotation.until, index: at.index });
  if (state.annotations.length >= ANNOTATIONS_MAX) return refuse('limit_reached', { annotations_max: ANNOTATIONS_MAX });
  const signed = checkThreshold(at.crypto, state.roster, isBarred(state), {
    purpose: 'annotation',
    document: annotation,
    signatures,
    basis: at.basis,
    since: at.since,
  });
  return signed.is === 'refused'
    ? signed
    : acceptWithinBounds({ ...state, annotations: [...state.annotations, annotation] });
}

/** The threshold's word on a repair. That the commits are as it says is checked against history, not here. */
export function repair(
  state: State,
  payload: { repair: RepairDocument; signatures: readonly RootSignature[] },
  at: Circumstances,
): Verdict<State> {
  const { repair: document, signatures } = payload;
  if (document.ledger_id !== state.ledger_id || document.roster !== rosterDigest(at.crypto, state.roster))
    return refuse('statement_stale', { purpose: 'repair' });
  const signed = checkThreshold(at.crypto, state.roster, isBarred(state), {
    purpose: 'repair',
    document,
    signatures,
    basis: at.basis,
    since: at.since,
  });
  return signed.is === 'refused' ? signed : accept(state);
}
