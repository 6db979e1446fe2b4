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
