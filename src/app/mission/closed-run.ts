// How a cell that checks or prepares is closed in the ledger: by what its run came to, or by why there was none.
import type { Ended } from '../../kernel/decide/work.ts';
import type { CheckRun } from '../../ports/cells.ts';
import type { ReasonCode } from '../../reasons.ts';
import { outcomeOf } from './cell-end.ts';

type About = {
  readonly failure: ReasonCode | undefined;
  readonly output: string | null;
  /** What there is to say of the run, or of why there was none. */
  readonly facts: string | null;
};

/** A cell that was born and never made is closed like any other: nothing ran in it. */
export function closedRun(run: CheckRun | undefined, { failure, output, facts }: About): Ended['closed'] {
  if (run === undefined)
    return {
      because: failure ?? 'cell_failed',
      exit_code: null,
      facts,
      output: null,
      outcome: 'failed',
      spent: [],
    };
  const { reason, exitCode: code } = run;
  return { because: reason, exit_code: code, facts, output, outcome: outcomeOf({ reason, code }), spent: [] };
}
