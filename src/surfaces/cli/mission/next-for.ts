// The line to type after a refusal, with the mission and the digest filled in: a person copies it as it stands.
import type { Failure } from '../../../failure.ts';
import { digestIn, filledIn } from '../../../forge-text/next-here.ts';
import { REASONS, type Reason } from '../../../reasons.ts';

/** Undefined where the reason has nothing to fill in. */
export function nextFor({ code, facts }: Pick<Failure, 'code' | 'facts'>, mission: string): string | undefined {
  const { next }: Reason = REASONS[code];
  const current = digestIn(facts['current']) ?? digestIn(facts['digest']);
  // What was typed is out of date: the same command with the digest that counts is the way on.
  if ((code === 'approval_stale' || code === 'digest_required') && digestIn(facts['current']) !== undefined)
    return `lazarus approve ${mission} ${current}`;
  if (next === undefined || !next.includes('<mission>')) return undefined;
  return filledIn(next, mission, current);
}
