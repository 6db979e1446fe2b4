// A machine that is shut down while an agent works: its job is told so, ends the cell, and hands over at once what it came
// to, so that nobody waits until a lease is over.
import { describe, expect, it } from 'vitest';
import { untilInterrupted } from '../../../src/app/mission/interrupted.ts';
import type { Cells } from '../../../src/ports/cells.ts';
import { gateSite } from './gate-site.ts';
import { approved, branches, cell, heal, writer } from './jobs.ts';

const AGENT = 'tools/example-agent.sh';
const PAUSE_SECONDS = 5 * 60;

/** Told to leave before a cell is made, or once its agent works. */
function leavingAt(moment: 'before' | 'at work') {
  const leaving = new AbortController();
  let ended = 0;
  const cells = (real: Cells): Cells => {
    const ending = untilInterrupted(real, leaving.signal, () => ended++);
    return {
      ...ending,
      async spawn(spec) {
        if (moment === 'before') leaving.abort();
        const born = await ending.spawn(spec);
        leaving.abort();
        return born;
      },
    };
  };
  return { cells, ended: () => ended };
}

describe('a job that is told to leave', () => {
  it.each([['before', 0] as const, ['at work', 1] as const])(
    '%s: hands over, and another attempt follows under the same approval',
    async (moment, cellsEnded) => {
      const at = await gateSite();
      at.commitToMain(AGENT, `#!/bin/sh\nsleep 600\n`);
      const { mission, issue } = await approved(at);
      const { cells, ended } = leavingAt(moment);
      const left = await cell(at, mission, { cells });
      expect(ended()).toBe(cellsEnded);
      expect(left.outcome).toMatchObject({ decision: 'failure', reasonCode: 'interrupted' });
      await writer(at, mission);
      expect((await at.ours(issue))[0]).toMatch(/`interrupted`: .* Attempt 1 of 3/);
      expect(branches(at)).toBe('');
      at.clock.aheadSeconds = PAUSE_SECONDS;
      expect((await heal(at)).outcome).toMatchObject({ next: 'cell', mission });
    },
  );
});
