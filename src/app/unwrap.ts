// From a refusal to an exception, for those who cannot go on after one.
import { Failure } from '../failure.ts';
import type { Verdict } from '../kernel/verdict.ts';

/** The value of a verdict; a refusal is thrown with its reason code. */
export function unwrap<T>(verdict: Verdict<T>): T {
  if (verdict.is === 'refused') throw new Failure(verdict.code, verdict.facts);
  return verdict.value;
}
