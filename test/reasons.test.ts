// A reason code means one thing: of two rows with one code, the later would replace the earlier without a word.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { REASONS } from '../src/reasons.ts';

const FOLDER = new URL('../src/reasons/', import.meta.url);

it('every code stands in one table, and every table is among the reasons', async () => {
  const files = readdirSync(FOLDER).filter((name) => name !== 'reason.ts');
  const tables = await Promise.all(
    files.map(async (name) => Object.values((await import(new URL(name, FOLDER).href)) as Record<string, object>)),
  );
  const codes = tables.flat().flatMap((table) => Object.keys(table));
  expect(codes.toSorted()).toEqual(Object.keys(REASONS).toSorted());
});

it('says 8 only of what waits for people: what ran and failed, and what a machine lacks, are told apart from it', () => {
  const waiting = Object.entries(REASONS).flatMap(([code, { exit }]) => (exit === 8 ? [code] : []));
  expect(waiting.toSorted()).toEqual([
    'approval_expired',
    'effects_approval_missing',
    'quorum_missing',
    'rejected',
    'threshold_not_met',
    'threshold_out_of_reach',
  ]);
  const killed = [
    'cell_timeout',
    'cell_memory_limit',
    'cell_disk_limit',
    'cell_output_limit',
    'route_exhausted',
  ] as const;
  expect(killed.map((code) => REASONS[code].exit)).toEqual([1, 1, 1, 1, 1]);
});
