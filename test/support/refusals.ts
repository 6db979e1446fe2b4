// A refusal with everything that it tells: its code and its facts, no more and no fewer.
import type { Facts, ReasonCode } from '../../src/reasons.ts';
import type { Refused } from '../../src/kernel/verdict.ts';

export function refusal(code: ReasonCode, facts: Facts): Refused {
  return { is: 'refused', code, facts };
}
