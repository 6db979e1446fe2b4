// The line to type after a refusal, with the mission and the digest filled in: a person copies it as it stands.
import type { Failure } from '../../../failure.ts';
import { REASONS, type Reason } from '../../../reasons.ts';

const DIGEST_CHARACTERS = 12;

/** Undefined where the reason has nothing to fill in. */
export function nextFor({ code, facts }: Pick<Failure, 'code' | 'facts'>, mission: string): string | undefined {
  const { next }: Reason = REASONS[code];
  const current = digestIn(facts['current']) ?? digestIn(facts['digest']);
  // What was typed is out of date: the same command with the digest that counts is the way on.
  if ((code === 'approval_stale' || code === 'digest_required') && digestIn(facts['current']) !== undefined)
    return `lazarus approve ${mission} ${current}`;
  if (next === undefined || !next.includes('<mission>')) return undefined;
  const filled = next.replaceAll('<mission>', mission);
  return current === undefined ? filled : filled.replaceAll('<digest>', current);
}

/** Only what can be nothing but a digest: facts may quote what somebody else wrote. */
function digestIn(fact: unknown): string | undefined {
  const [text] = Array.isArray(fact) ? (fact as readonly unknown[]) : [fact];
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text) ? text.slice(0, DIGEST_CHARACTERS) : undefined;
}
