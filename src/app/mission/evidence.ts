// What the history of an attempt has to show for its run: what was printed and claimed, and what the checks said. Receipts
// point at it; the state does not carry it along.
import type { Event } from '../../kernel/event.ts';
import { RECEIPT_REFS_MAX } from '../../kernel/limits.ts';

/** By attempt, as many as a receipt may name. */
export type Shown = Record<string, string[]>;

export function show(shown: Shown, event: Event): void {
  const outputs = shownBy(event).filter((one) => one !== null);
  const attempt = event.attempt_id;
  if (attempt === undefined || outputs.length === 0) return;
  shown[attempt] = [...(shown[attempt] ?? []), ...outputs].slice(0, RECEIPT_REFS_MAX);
}

function shownBy(event: Event): readonly (string | null)[] {
  switch (event.event_type) {
    case 'cell.closed':
      return [event.payload.output];
    case 'done.claimed':
      return [event.payload.claim];
    case 'work.proposed':
      return [event.payload.scope_audit];
    case 'verification.recorded':
      return event.payload.checks.map(({ output }) => output);
    default:
      return [];
  }
}
