// The bench says for certain only what its rounds can tell: a number that is nearer to its budget than the rounds are to
// each other is noise, and so is a time that was taken while others used the machine.
import { expect, it } from 'vitest';
import { doubtText, isMissed, judge, table, type Conditions } from './report.ts';
import type { Line } from './row.ts';

const QUIET: Conditions = { quick: false, factor: 1, isBusy: false };
const AT_MOST_TEN = { atMost: 10 } as const;

function line(values: readonly number[], more: Partial<Line> = {}): Line {
  return { what: 'of raw', unit: '×', values, budget: AT_MOST_TEN, beside: '', ...more };
}

it.each([
  ['met', [7, 8, 9]],
  ['met within noise', [8, 9.5, 11]],
  ['missed within noise', [9, 10.5, 12]],
  ['missed', [11, 12, 13]],
] as const)('is %s at %j of 10', (verdict, values) => {
  const judged = judge('row', line(values), QUIET);
  expect([judged.verdict, isMissed(judged)]).toEqual([verdict, verdict === 'missed']);
  // The same distance on the other side of a budget from below.
  const mirrored = values.map((value) => 20 - value);
  expect(judge('row', line(mirrored, { budget: { atLeast: 10 } }), QUIET).verdict).toBe(verdict);
});

it('marks times, rates and what asks for it as disturbed on a busy machine, and no other ratio', () => {
  const busy = { ...QUIET, isBusy: true };
  const isDisturbed = (one: Line, at: Conditions): boolean => judge('row', one, at).isDisturbed;
  const all = [line([1]), line([1], { unit: 'ms' }), line([1], { unit: '/s' }), line([1], { needsQuiet: true })];
  expect(all.map((one) => isDisturbed(one, busy))).toEqual([false, true, true, true]);
  expect(all.map((one) => isDisturbed(one, QUIET))).toEqual([false, false, false, false]);
});

it('names beneath the table what is noise and what is to be measured again', () => {
  const lines = [
    judge('verify', line([7, 8, 9]), QUIET),
    judge('append', line([9, 10.5, 12]), QUIET),
    judge('status', line([12, 13, 14], { unit: 'ms', what: 'again' }), { ...QUIET, isBusy: true }),
    judge('help', { what: 'p50', unit: 'ms', values: [1], beside: '' }, QUIET),
  ];
  expect(doubtText(lines).split('\n')).toEqual([
    '3 budgets: 1 missed, 1 within their noise, 1 measured on a busy machine',
    'within the noise of its own rounds, so neither met nor missed: append (of raw)',
    'while others used the machine, so to be measured again: status (again)',
  ]);
  expect(table(lines)).toMatch(/status +again .* missed, machine busy/);
});
