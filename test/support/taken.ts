// What a verdict holds, for who takes it as given: a refusal is then a mistake in the test, and says which.
import type { Verdict } from '../../src/kernel/verdict.ts';

export function taken<T>(verdict: Verdict<T>): T {
  if (verdict.is === 'refused') throw new Error(`${verdict.code} ${JSON.stringify(verdict.facts)}`);
  return verdict.value;
}

export function refused(verdict: Verdict<unknown>): string {
  return verdict.is === 'refused' ? verdict.code : 'accepted';
}
