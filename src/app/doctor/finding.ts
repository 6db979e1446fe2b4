// What was found out about one thing that missions need: there, there with a catch, or missing, and then the line to type.
// Knows no thing.
import type { Failure } from '../../failure.ts';
import { nextLine } from '../../next-line.ts';
import { REASONS } from '../../reasons.ts';

export type Finding = {
  /** A word for programs; several findings may share one, as one per agent. */
  readonly item: string;
  /** The same for people. */
  readonly title: string;
  readonly says: string;
} & (
  | { readonly is: 'ok' }
  /** `warn`: missions run all the same. `missing`: some do not. */
  | { readonly is: 'warn' | 'missing'; readonly next: string }
);

type Missing = Extract<Finding, { is: 'warn' | 'missing' }>;
type About = Pick<Finding, 'item' | 'title'>;

export function ok(about: About, says: string): Finding {
  return { ...about, is: 'ok', says };
}

export function warn(about: About, says: string, next: string): Finding {
  return { ...about, is: 'warn', says, next };
}

export function missing(about: About, says: string, next: string): Missing {
  return { ...about, is: 'missing', says, next };
}

export function missingFor(about: About, failure: Failure, next = failure.next): Missing {
  const { code, facts } = failure;
  const told = Object.entries(facts).map(([name, fact]) => `${name} ${String(fact)}`);
  const says = `${code}: ${REASONS[code].says}${told.length === 0 ? '' : ` (${told.join(', ')})`}`;
  return missing(about, says, next ?? nextLine({ code, facts }, 'terminal'));
}

/** Everything that missions need here is there; what a warning says may still be worth a look. */
export function isReady(findings: readonly Finding[]): boolean {
  return findings.every(({ is }) => is !== 'missing');
}
