// The one thing that is thrown: a reason code with its facts, its cause, and whether trying again can help.
// Rules never throw it; they return a Verdict. It marks a broken world or broken bytes.
import { REASONS, type Facts, type ReasonCode } from './reasons.ts';

export type Retry = 'never' | 'later' | 'reload';

export class Failure extends Error {
  readonly code: ReasonCode;
  readonly facts: Facts;
  readonly retry: Retry;
  /** The line to type, where it is known more exactly than the reason alone knows it. */
  readonly next: string | undefined;

  constructor(
    code: ReasonCode,
    facts: Facts = {},
    options: { readonly cause?: unknown; readonly retry?: Retry; readonly next?: string } = {},
  ) {
    super(`${code}: ${REASONS[code].says}${describe(facts)}`, 'cause' in options ? { cause: options.cause } : {});
    this.name = 'Failure';
    this.code = code;
    this.facts = facts;
    this.retry = options.retry ?? 'never';
    this.next = options.next;
  }
}

/**
 * What was thrown, as a reason: a Failure itself, or what the system says to whoever writes where there is no room. Any write
 * may meet that, so it is known here and not by each writer. Undefined for whatever else it is.
 */
export function failureIn(thrown: unknown): Failure | undefined {
  if (thrown instanceof Failure) return thrown;
  const { code, path } = (thrown ?? {}) as { readonly code?: unknown; readonly path?: unknown };
  if (typeof code !== 'string' || !FULL.has(code)) return undefined;
  const where = typeof path === 'string' ? { path } : {};
  return new Failure('disk_full', { ...where, error: code }, { cause: thrown, retry: 'later' });
}

const FULL: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

function describe(facts: Facts): string {
  const parts = Object.entries(facts).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`,
  );
  return parts.length === 0 ? '' : ` (${parts.join(' ')})`;
}
