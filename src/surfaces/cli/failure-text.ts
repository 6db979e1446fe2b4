// How a refusal or a failure reads, for a person and for a program. Decides nothing: the reason code says it all.
import { failureIn } from '../../failure.ts';
import { nextLine } from '../../next-line.ts';
import { REASONS, type Facts, type ReasonCode } from '../../reasons.ts';
import type { Line } from './output.ts';

export type Complaint = { readonly code: ReasonCode; readonly facts: Facts; readonly next?: string | undefined };

/** Anything thrown, as a reason: what is none is a bug of ours. */
export function complaintOf(error: unknown): Complaint {
  const failure = failureIn(error);
  if (failure !== undefined) {
    const { code, facts, next } = failure;
    return { code, facts, ...(next === undefined ? {} : { next }) };
  }
  return {
    code: 'internal',
    facts: { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) },
  };
}

export function failureLines({ code, facts, next = nextLine({ code, facts }, 'terminal') }: Complaint): Line[] {
  const { says } = REASONS[code];
  const parts = Object.entries(facts).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`,
  );
  return [
    [{ text: `${code}:`, style: 'red' }, ` ${says}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`],
    `  next: ${next}`,
  ];
}

export function failureJson({ code, facts, next = nextLine({ code, facts }, 'terminal') }: Complaint): {
  readonly error: Readonly<Record<string, unknown>>;
} {
  const { exit, says } = REASONS[code];
  return { error: { code, says, facts, next, exit } };
}

export function exitOf({ code }: Complaint): number {
  return REASONS[code].exit;
}

/** Where it came from, innermost last; for --verbose only, because causes may quote what strangers wrote. */
export function traceLines(error: unknown): Line[] {
  const lines: Line[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at !== error) lines.push(`caused by ${at.name}: ${at.message}`);
    lines.push(...stackOf(at).map((line) => ({ text: line, style: 'dim' as const })));
  }
  return lines;
}

function stackOf(error: Error): string[] {
  return (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
}
