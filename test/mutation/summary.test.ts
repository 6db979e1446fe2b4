// What is said of mutants: that every one is counted once, in its noun, and that one that nobody noticed is shown.
import type { MutantResult } from '@stryker-mutator/api/core';
import { describe, expect, it } from 'vitest';
import { survivors, table } from './summary.ts';

const FILE = 'src/kernel/verdict.ts';

function mutant(status: MutantResult['status'], fileName = 'src/kernel/lease/evolve.ts'): MutantResult {
  const location = { start: { line: 1, column: 1 }, end: { line: 1, column: 3 } };
  return { id: '1', mutatorName: 'BlockStatement', fileName, location, replacement: '{}', status };
}

describe('the table', () => {
  it('counts a mutant in the row of its noun, and what timed out as noticed', () => {
    const all = [
      mutant('Killed'),
      mutant('Timeout'),
      mutant('Survived'),
      { ...mutant('NoCoverage'), static: true },
      mutant('Ignored'),
      mutant('RuntimeError'),
      mutant('Killed', FILE),
    ];
    const [head, , ...rows] = table(all)
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const counted = rows.map((row) => Object.fromEntries(row.map((cell, i) => [head![i], cell])));
    const lease = { mutants: '6', killed: '1', 'timed out': '1', survived: '1', 'no coverage': '1' };
    expect(counted).toMatchObject([
      { noun: 'kernel', mutants: '1', killed: '1', score: '100.0 %' },
      { noun: 'lease', ...lease, ignored: '1', errors: '1', static: '1', score: '50.0 %' },
      { noun: 'together', mutants: '7', killed: '2', score: '60.0 %' },
    ]);
  });

  it('has no score where nothing could be noticed', () => {
    expect(table([mutant('Ignored')])).toContain('| none |');
  });
});

describe('a mutant that nobody noticed', () => {
  it('is shown in its place, with what stood there and what stood there instead', () => {
    expect(survivors([mutant('Survived', FILE), mutant('Killed', FILE), mutant('NoCoverage', FILE)])).toBe(
      `${FILE}:1:1 survived: BlockStatement\n- //\n+ {}\n${FILE}:1:1 is not covered: BlockStatement\n- //\n+ {}\n`,
    );
  });
});
