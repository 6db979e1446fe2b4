// Every family of references that the program makes beside the ledgers is told of, and no other; and their names stand in one
// place.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { families } from './beside.ts';
import { read } from './pages.ts';

const SRC = new URL('../../src', import.meta.url).pathname;
const NAMES = 'ledger/names.ts';
/** A runner's own, which its adapter alone knows, and a line for people to type. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  'adapters/git/work.ts': ['base'],
  'reasons/missions.ts': ['issues'],
};

const made = new Map(
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => {
      const found = read(join('src', path)).matchAll(/refs\/lazarus\/([a-z]+)/g);
      return [path, [...new Set(Array.from(found, ([, family]) => family!))]] as const;
    })
    .filter(([, named]) => named.length > 0),
);

it('tells of every family of references beside the ledgers', () => {
  const told = families().map(({ name }) => /^[a-z]+/.exec(name)![0]);
  expect(told.toSorted()).toEqual([...new Set([...made.values()].flat())].toSorted());
});

it('has their names from one place', () => {
  const { [NAMES]: _, ...others } = Object.fromEntries(made);
  expect(others).toEqual(BESIDES);
});
