// A person's word on an effect that nobody can observe: found by what was typed, recorded with what it rests on. Causes
// nothing, and looks at nothing but the ledger.
import { decideSettlement, type Settlement } from '../../kernel/decide/settlement.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { drawDocuments, type NewDocument } from '../artifacts/documents.ts';
import { isUnknown } from './told.ts';
import { missionState, namesFrom, type Acting } from './world.ts';

export type Word = {
  /** The effect's id, or the beginning of it. */
  readonly effect: string;
  readonly outcome: Settlement['outcome'];
  readonly reason: Uint8Array;
  readonly evidence: readonly NewDocument[];
};

const TYPED_DIGITS_MIN = 4;

export async function settle(
  acting: Acting,
  { effect, outcome, reason, evidence }: Word,
): Promise<Verdict<MissionState>> {
  const { world, desk } = acting;
  const { bench, kit } = world;
  const found = await findEffect(acting, effect);
  if (found.is === 'refused') return found;
  const [rationale, ...shown] = await drawDocuments(bench, kit, [
    { content: reason, mediaType: 'text/plain' },
    ...evidence,
  ]);
  const names = namesFrom(bench.parts.ids);
  const said = {
    effect: found.value,
    outcome,
    rationale: rationale!.digest,
    evidence_refs: shown.map((one) => one.digest),
  };
  const written = await desk.transact({
    documents: [rationale!, ...shown],
    decide: (state) => decideSettlement(state, said, names),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

/** Among all that the mission ever intended: what is known already is to be called that, and not unknown. */
async function findEffect(acting: Acting, typed: string): Promise<Verdict<string>> {
  await missionState(acting);
  const { intended } = await acting.desk.told();
  const found = Object.entries(intended).filter(([id]) => id.startsWith(typed) && typed.length >= TYPED_DIGITS_MIN);
  const [only] = found;
  if (only === undefined || found.length > 1)
    return refuse('effect_unknown', { effect: typed, known: Object.keys(intended).slice(0, SHOWN_MAX) });
  const [id, effect] = only;
  return isUnknown(effect) ? accept(id) : refuse('effect_settled', { effect: id, outcome: effect.outcome });
}

const SHOWN_MAX = 16;
