// What the history of an attempt has to show for its run: what was printed and claimed, and what the checks said. Receipts
// point at it; the state does not carry it along.
import type { ReadEvent } from '../../kernel/read.ts';
import { RECEIPT_REFS_MAX } from '../../kernel/limits.ts';
import { readEvents } from '../read-events.ts';
import type { Workbench } from '../workbench.ts';

export async function outputsOf(bench: Workbench, ref: string, attempt: string): Promise<readonly string[]> {
  const outputs: string[] = [];
  const take = (event: ReadEvent): void => {
    if (event.attempt_id === attempt) outputs.push(...shownBy(event).filter((one) => one !== null));
  };
  await readEvents(bench, ref, take);
  return outputs.slice(0, RECEIPT_REFS_MAX);
}

function shownBy(event: ReadEvent): readonly (string | null)[] {
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
