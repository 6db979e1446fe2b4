// Why something failed, as far as whoever explains the attempt may be told: never a message that quotes what a cell wrote.
import { failureIn } from '../../failure.ts';
import { mayTryAgain } from '../../kernel/attempt/blame.ts';
import type { ReasonCode } from '../../reasons.ts';

export type Trouble = { readonly code: string; readonly why: string };

/** A refusal's facts say more than its code; any other message may be a stranger's. */
export function troubleOf(error: unknown): Trouble {
  const failure = failureIn(error);
  if (failure !== undefined)
    return { code: failure.code, why: String(failure.facts['why'] ?? failure.facts['says'] ?? '') };
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return { code: typeof code === 'string' ? code : 'internal', why: error instanceof Error ? error.name : '' };
}

/** The reason an attempt ends by: a refusal's own, or that whoever supervised it fell. */
export function codeOf(error: unknown): ReasonCode {
  return failureIn(error)?.code ?? 'supervision_failed';
}

/**
 * Of what broke once the agent had run: one that makes it look like the machine's fault gets no other attempt for it. The
 * code then says that none of the work was taken, which is no word against the agent, and the trouble says why.
 */
export function broken(error: unknown): { readonly failure: ReasonCode; readonly trouble: Trouble } {
  const code = codeOf(error);
  return { failure: mayTryAgain(code) ? 'supervision_failed' : code, trouble: troubleOf(error) };
}
