// The reason code with which something refuses, so that a test reads as one line.
import { Failure } from '../../../src/failure.ts';
import type { ReasonCode } from '../../../src/reasons.ts';

export function refusal(act: () => unknown): ReasonCode | 'accepted' {
  try {
    act();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return 'accepted';
}
