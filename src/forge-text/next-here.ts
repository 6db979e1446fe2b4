// The next step of a reason with what is known filled in, at a terminal or in the words of an issue: whoever reads a comment
// answers with a comment. Knows no state.
import { shortDigest } from './status-words.ts';

/** What a reason says to type at a terminal, as people type it in an issue. */
const IN_A_COMMENT: Readonly<Record<string, string>> = {
  'lazarus status <mission>': '/status',
  'lazarus explain <mission>': '/status',
  'lazarus watch <mission>': '/status',
  'lazarus plan <mission>': '/plan',
  'lazarus propose <mission.yaml>': '/plan',
  'lazarus approve <mission> <digest>': '/approve <digest>',
  'lazarus roster show': '/status',
  // On a forge that runs by itself, every few minutes.
  'lazarus reconcile': '/status',
  'lazarus reconcile <mission>': '/why',
  'git branch --all': 'edit the issue, and name a branch of this repository',
};

/** `current`: the digest that counts now, where one was told. */
export function nextHere(next: string, mission: string | null, current: unknown): string {
  return filledIn(IN_A_COMMENT[next] ?? next, mission, digestIn(current));
}

export function filledIn(next: string, mission: string | null, digest: string | undefined): string {
  const about = mission === null ? next : next.replaceAll('<mission>', mission);
  return digest === undefined ? about : about.replaceAll('<digest>', digest);
}

/** Only what can be nothing but a digest: facts may quote what somebody else wrote. */
export function digestIn(fact: unknown): string | undefined {
  const [text] = Array.isArray(fact) ? (fact as readonly unknown[]) : [fact];
  return typeof text === 'string' && /^[0-9a-f]{64}$/.test(text) ? shortDigest(text) : undefined;
}
