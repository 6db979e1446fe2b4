// What a rule answers: accepted with a value, or refused with a reason code and facts. A refusal is data, not an exception.
import type { Facts, ReasonCode } from '../reasons.ts';

export type Refused = { readonly is: 'refused'; readonly code: ReasonCode; readonly facts: Facts };
export type Verdict<T> = { readonly is: 'accepted'; readonly value: T } | Refused;

export function accept<T>(value: T): Verdict<T> {
  return { is: 'accepted', value };
}

export function refuse(code: ReasonCode, facts: Facts = {}): Refused {
  return { is: 'refused', code, facts };
}
