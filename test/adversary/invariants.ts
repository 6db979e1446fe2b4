// What must be true of every history that verifies, whoever lied in it: written from the promises, apart from the rules, and
// read off the log alone. Nothing here asks the kernel anything.
import { AGREEMENT } from './promises/agreement.ts';
import { EFFECTS } from './promises/effects.ts';
import type { Promised } from './promises/promise.ts';
import { RECEIPTS } from './promises/receipts.ts';
import { RECORD } from './promises/record.ts';
import { WORK } from './promises/work.ts';

export const INVARIANTS: readonly Promised[] = [...AGREEMENT, ...WORK, ...EFFECTS, ...RECEIPTS, ...RECORD];
