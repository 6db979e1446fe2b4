// How a cell ended, for the ledger and for people: also where a runner writes down an end that nobody here knows.
import { describe, expect, it } from 'vitest';
import { agentEndWords } from '../../../src/app/mission/cell-end-words.ts';
import { agentFailure, isEnd, outcomeOf } from '../../../src/app/mission/cell-end.ts';

const MEGABYTE = 1 << 20;
const EXIT = { code: null, signal: null, usage: { memoryPeakBytes: 300 * MEGABYTE } };

describe('the end of a cell', () => {
  it.each([
    [{ reason: 'exited', code: 0 }, 'completed', undefined],
    [{ reason: 'exited', code: 1 }, 'failed', 'cell_failed'],
    [{ reason: 'exited', code: 127 }, 'failed', 'agent_missing'],
    // Its time was up when it had just ended well.
    [{ reason: 'timeout', code: 0 }, 'expired', 'cell_timeout'],
    [{ reason: 'killed', code: 127 }, 'failed', 'interrupted'],
    [{ reason: 'route_limit', code: 0 }, 'failed', 'route_exhausted'],
    [{ reason: 'memory_limit', code: null }, 'failed', 'cell_memory_limit'],
    [{ reason: 'disk_limit', code: null }, 'failed', 'cell_disk_limit'],
  ] as const)('of %j is %s in the ledger, and its agent’s attempt %s', (end, outcome, failure) => {
    expect([outcomeOf(end), agentFailure(end)]).toEqual([outcome, failure]);
  });

  it('names what the agent took of its memory', () => {
    expect(agentEndWords({ ...EXIT, reason: 'memory_limit' })).toBe(
      'the agent used more memory than its cell has, with up to 300 MB, and was killed',
    );
  });

  it.each(['frozen', 'constructor', '__proto__'])(
    'of a reason that nobody knows, such as %s, is told by that',
    (reason) => {
      expect(isEnd(reason)).toBe(false);
      expect(agentEndWords({ ...EXIT, reason })).toBe(`the agent’s cell ended: ${reason}`);
    },
  );
});
