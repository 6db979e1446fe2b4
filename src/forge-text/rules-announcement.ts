// The issue that tells a team of a merged policy which nobody adopted yet: its digests, who may adopt it, and the line to
// type. Text only; whoever writes it found out.
import { block, code } from './shown.ts';
import { names } from './status-words.ts';

const DIGITS = 12;

export type Announced = {
  readonly policy: string;
  readonly sacred: string;
  readonly profile: string;
  readonly branch: string;
  /** Of the policy in force. */
  readonly revision: number;
  readonly roots: readonly string[];
};

/** The same for the same text. */
export function announcementTitle({ policy, sacred }: Pick<Announced, 'policy' | 'sacred'>): string {
  return `lazarus: a merged policy waits to be adopted (${digits(policy)}, ${digits(sacred)})`;
}

export function announcementBody({ policy, sacred, profile, branch, revision, roots }: Announced): string {
  return [
    `The branch ${code(branch)} has another policy, ${code(profile)}, than the one that is in force (revision ${revision}).`,
    `Missions go on under revision ${revision} until a root adopts the new one; then plans that nobody has run yet are asked about again.`,
    `- policy ${code(policy)}\n- sacred scopes ${code(sacred)}`,
    `A root (${names(roots)}) looks at the change and types at a terminal, in a clone where it is checked out:`,
    block([adoptLine(policy)]),
    'To leave it as it is, take the change back, or close this issue.',
  ].join('\n\n');
}

export function adoptLine(policy: string): string {
  return `lazarus policy adopt ${digits(policy)} --remote origin`;
}

export function adoptedComment(revision: number): string {
  return `It is in force now, as revision ${revision}. This issue can be closed.`;
}

function digits(digest: string): string {
  return digest.slice('sha256:'.length, 'sha256:'.length + DIGITS);
}
