// What a row of the bench hands over: lines with one value per round, and the budget of each if it has one.
import type { Bench } from './bench.ts';

export type Budget = { readonly atMost: number } | { readonly atLeast: number };

export type Line = {
  readonly what: string;
  /** One value per round. Empty: there is nothing to measure yet, and a budget on it is missed. */
  readonly values: readonly number[];
  readonly unit: '×' | 'ms' | '/s' | 'MB/s' | 'MB' | 'KB' | '%' | 'events';
  readonly budget?: Budget;
  /** A ratio of unlike things: whoever takes a core makes it worse. Times and rates always are. */
  readonly needsQuiet?: boolean;
  /** The absolute numbers behind a ratio, in words. */
  readonly beside: string;
};

export type Row = { readonly name: string; readonly run: (bench: Bench) => Promise<readonly Line[]> };

/** Within noise: the median is no further from the budget than the rounds are from each other. */
export type Verdict = 'met' | 'met within noise' | 'missed within noise' | 'missed' | 'not measured' | '';
