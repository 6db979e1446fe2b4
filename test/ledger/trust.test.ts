// What a cut-off leaves of a ledger once the roots have judged: nothing that they rejected reads as if it had never been.
import { describe, expect, it } from 'vitest';
import { judgedEvents, SignerRuns, trustOf } from '../../src/ledger/trust.ts';
import type { AnnotationDocument } from '../../src/kernel/trust/events.ts';
import { CAST, MISSION, openedMission, PROJECT } from '../support/given.ts';

const { fingerprint } = CAST.runner;
const KNOWN = { genesisConfirmed: true, projectSeen: true };

/** The key signed events 2 to 9; a cut-off trusts none of them. */
function trustAfter(...judgements: readonly [AnnotationDocument['judgement'], from: number, until: number][]) {
  const runs = new SignerRuns();
  runs.add(fingerprint, 2, 10);
  const annotations = judgements.map(([judgement, from, until]) => ({
    fingerprint,
    from,
    judgement,
    ledger_id: MISSION,
    roster: 'ab'.repeat(32),
    until,
  }));
  const state = { ...openedMission(), annotations };
  const cutOff = { fingerprint, heads: [], project_id: PROJECT, roster: 'ab'.repeat(32) };
  const { is, disowned, rejected } = trustOf(state, judgedEvents(state, [cutOff], runs), KNOWN);
  const ranges = (found: readonly { from: number; until: number }[]) => found.map(({ from, until }) => [from, until]);
  return { is, disowned: ranges(disowned), rejected: ranges(rejected) };
}

describe('the verdict on what a cut-off key signed', () => {
  it('is disowned until it is judged', () => {
    expect(trustAfter()).toEqual({ is: 'disowned', disowned: [[2, 10]], rejected: [] });
  });

  it('is confirmed without a trace only where all of it was accepted', () => {
    expect(trustAfter(['accepted', 0, 20])).toEqual({ is: 'confirmed', disowned: [], rejected: [] });
  });

  it('keeps what was rejected, and never reads confirmed for it', () => {
    expect(trustAfter(['rejected', 2, 10])).toEqual({ is: 'rejected', disowned: [], rejected: [[2, 10]] });
    const both = trustAfter(['accepted', 2, 5], ['rejected', 5, 10]);
    expect(both).toEqual({ is: 'rejected', disowned: [], rejected: [[5, 10]] });
  });

  it('is disowned while any of it waits, whatever was rejected', () => {
    expect(trustAfter(['rejected', 4, 6])).toEqual({
      is: 'disowned',
      disowned: [
        [2, 4],
        [6, 10],
      ],
      rejected: [[4, 6]],
    });
  });

  it('follows the later judgement where two overlap, either way round', () => {
    expect(trustAfter(['accepted', 2, 10], ['rejected', 4, 6]).rejected).toEqual([[4, 6]]);
    expect(trustAfter(['rejected', 2, 10], ['accepted', 4, 6]).rejected).toEqual([
      [2, 4],
      [6, 10],
    ]);
    expect(trustAfter(['rejected', 2, 10], ['accepted', 2, 10]).is).toBe('confirmed');
  });
});
