// What became of mutants, in words: a line per noun, and each one that no test noticed with the code it changed.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';

type Status = MutantResult['status'];

/** Timed out counts as noticed, as StrykerJS counts it. */
const COLUMNS: readonly (readonly [string, (of: readonly MutantResult[]) => string])[] = [
  ['mutants', (all) => String(all.length)],
  ['killed', count('Killed')],
  ['timed out', count('Timeout')],
  ['survived', count('Survived')],
  ['no coverage', count('NoCoverage')],
  ['ignored', count('Ignored')],
  ['errors', count('RuntimeError', 'CompileError')],
  ['static', (all) => String(all.filter((one) => one.static === true).length)],
  ['score', score],
];

export function table(mutants: readonly MutantResult[]): string {
  const nouns = [...new Set(mutants.map(nounOf))].sort();
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const row = (name: string, of: readonly MutantResult[]): string =>
    line([name, ...COLUMNS.map(([, cell]) => cell(of))]);
  return [
    line(['noun', ...COLUMNS.map(([title]) => title)]),
    `|---|${'---:|'.repeat(COLUMNS.length)}\n`,
    ...nouns.map((noun) =>
      row(
        noun,
        mutants.filter((one) => nounOf(one) === noun),
      ),
    ),
    row('together', mutants),
  ].join('');
}

/** Where, what stood there, what stood there instead. */
export function survivors(mutants: readonly MutantResult[]): string {
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(
      (one) =>
        `${placeOf(one)} ${one.status === 'Survived' ? 'survived' : 'is not covered'}: ${one.mutatorName}\n${change(one)}`,
    )
    .join('');
}

function placeOf({ fileName, location: { start } }: MutantResult): string {
  return `${relative('', fileName)}:${start.line}:${start.column}`;
}

function change({ fileName, location: { start, end }, replacement }: MutantResult): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  return `- ${lines.map((line) => line.trim()).join(' ')}\n+ ${(replacement ?? '').replaceAll(/\s+/gu, ' ')}\n`;
}

function count(...statuses: readonly Status[]): (of: readonly MutantResult[]) => string {
  return (of) => String(of.filter(({ status }) => statuses.includes(status)).length);
}

function score(of: readonly MutantResult[]): string {
  const noticed = of.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const missed = of.filter(({ status }) => status === 'Survived' || status === 'NoCoverage').length;
  return noticed + missed === 0 ? 'none' : `${((100 * noticed) / (noticed + missed)).toFixed(1)} %`;
}

function nounOf({ fileName }: MutantResult): string {
  return /src\/kernel\/(?<noun>[^/]+)\//u.exec(fileName)?.groups?.['noun'] ?? 'kernel';
}
