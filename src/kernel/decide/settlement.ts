// A person settles what became of an effect that nobody can observe: the decision, with what it rests on. Its receipt
// comes afterwards, from whoever writes receipts of effects.
import { EFFECT_KINDS } from '../course/classes.ts';
import type { EventOf } from '../event.ts';
import { riskBand } from '../policy/risk.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, type Drafts, type Names } from './about.ts';

export type Settlement = Pick<EventOf<'decision.recorded'>['payload'], 'outcome' | 'rationale' | 'evidence_refs'> & {
  readonly effect: string;
};

export function decideSettlement(
  state: MissionState | undefined,
  { effect, ...said }: Settlement,
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  const open = course.effects[effect];
  if (open === undefined) return refuse('effect_unknown', { effect });
  return accept([
    inAttempt('decision.recorded', names('decision'), at.value, {
      ...said,
      decision_type: 'uncertainty_resolution',
      // A known outcome is final, and so is one that is believed.
      reversible: false,
      risk_level: riskBand(EFFECT_KINDS[open.kind].actionClass, 'irreversible', course.plan!.tier),
      subject_ref: effect,
      summary: SUMMARY[said.outcome],
    }),
  ]);
}

const SUMMARY = { applied: 'seen_applied', not_applied: 'seen_not_applied' } as const;
