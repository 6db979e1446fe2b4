// How a cell ended, in words for whoever looks at a mission. Of the agent's they are read out of a document that its runner wrote,
// so that a reason may be none that is known here.
import { isEnd } from './cell-end.ts';
import type { CellExit } from '../../ports/cells.ts';

/** As a document has it. */
type Exit = Pick<CellExit, 'code' | 'signal'> & {
  readonly reason: string;
  readonly usage: Pick<CellExit['usage'], 'memoryPeakBytes'>;
};

const AGENT: Readonly<Record<CellExit['reason'], (exit: Exit) => string>> = {
  exited: ({ code }) => `the agent ended with exit code ${code ?? 'unknown'}${signalIn(code)}`,
  signalled: ({ signal }) => `the agent was ended by signal ${signal ?? 'unknown'}`,
  timeout: () => 'the agent was still at work when its time was up, and was killed',
  output_limit: () => 'the agent printed more than it may, and was killed',
  memory_limit: ({ usage }) => `the agent used more memory than its cell has${peakIn(usage)}, and was killed`,
  disk_limit: () => 'the agent filled more of the disk than its cell has, and was killed',
  route_limit: () => 'the agent used up the calls or tokens of a route, and was ended',
  killed: () => 'the agent’s cell was killed from outside',
};

export function agentEndWords(exit: Exit): string {
  return isEnd(exit.reason) ? AGENT[exit.reason](exit) : `the agent’s cell ended: ${exit.reason}`;
}

/** Of any command. */
export function endWords(because: string, exitCode: number | null): string {
  return exitCode === null ? because : `exit ${exitCode}`;
}

const MEGABYTE = 1 << 20;

function peakIn({ memoryPeakBytes }: Exit['usage']): string {
  return memoryPeakBytes === null ? '' : `, with up to ${Math.round(memoryPeakBytes / MEGABYTE)} MB`;
}

const SIGNALS_FROM = 128;

/** As a shell says of what it started. */
function signalIn(code: number | null): string {
  return code === null || code <= SIGNALS_FROM ? '' : `: signal ${code - SIGNALS_FROM} ended what it had started`;
}
