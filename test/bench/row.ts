// What a row of the bench hands over: lines with one value per round, and the budget of each if it has one.
import type { Bench } from './bench.ts';

export type Budget = { readonly atMost: number } | { readonly atLeast: number };

export type Line = {
  readonly what: string;
  /** One value per round. Empty: there is nothing to measure yet, and a budget on it is missed. */
  readonly values: readonly number[];
  readonly unit: '×' | 'ms' | '/s' | 'KB' | '%' | 'events';
  readonly budget?: Budget;
  /** The absolute numbers behind a ratio, in words. */
  readonly beside: string;
};

export type Row = { readonly name: string; readonly run: (bench: Bench) => Promise<readonly Line[]> };

export type Verdict = 'met' | 'missed' | 'within noise' | 'not measured' | '';
