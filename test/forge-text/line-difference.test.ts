// What people are shown of a file that is not what lazarus writes.
import { expect, it } from 'vitest';
import { lineDifference } from '../../src/forge-text/line-difference.ts';

it('shows the lines that one has and the other has not, with one around each', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\n';
  expect(lineDifference(before, before.replace('d', 'D'))).toEqual([' c', '-d', '+D', ' e']);
  expect(lineDifference(before, 'a\nB\nc\nd\ne\nf\ng\nh\n')).toEqual([' a', '-b', '+B', ' c', ' …', ' g', '+h']);
});

it('says nothing of what is the same', () => {
  expect(lineDifference('a\nb\n', 'a\nb\n')).toEqual([]);
});

it('stays on a screen, whatever somebody put into a file', () => {
  const many = Array.from({ length: 500 }, (_, i) => `line ${i}`).join('\n');
  const shown = lineDifference(many, 'a\n');
  expect(shown).toHaveLength(61);
  expect(shown.at(-1)).toMatch(/^\(and \d+ lines more\)$/);
  expect(lineDifference('x\n'.repeat(100_000), 'a\n')).toEqual(['(too many lines to compare)']);
});
