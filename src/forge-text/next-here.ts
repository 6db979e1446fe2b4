// The next step of a reason in the words of an issue: whoever reads a comment answers with a comment. Knows no state.

const DIGEST_CHARACTERS = 12;

/** What a reason says to type at a terminal, as people type it in an issue. */
const IN_A_COMMENT: Readonly<Record<string, string>> = {
  'lazarus status <mission>': '/status',
  'lazarus explain <mission>': '/status',
  'lazarus watch <mission>': '/status',
  'lazarus plan <mission>': '/plan',
  'lazarus propose <mission.yaml>': '/plan',
  'lazarus approve <mission> <digest>': '/approve <digest>',
};

/** `current`: the digest that counts now, where one was told. */
export function nextHere(next: string, mission: string | null, current: unknown): string {
  const here = IN_A_COMMENT[next] ?? (mission === null ? next : next.replaceAll('<mission>', mission));
  // Only what can be nothing but a digest: facts may quote what somebody else wrote.
  const isDigest = typeof current === 'string' && /^[0-9a-f]{64}$/.test(current);
  return isDigest ? here.replaceAll('<digest>', current.slice(0, DIGEST_CHARACTERS)) : here;
}
