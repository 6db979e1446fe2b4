// Every family of references that the program makes beside the ledgers is told of, and no other.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { families } from './beside.ts';
import { read } from './pages.ts';

const SRC = new URL('../../src', import.meta.url).pathname;

it('tells of every family of references beside the ledgers', () => {
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const made = sources.flatMap((path) =>
    Array.from(read(join('src', path)).matchAll(/refs\/lazarus\/([a-z]+)/g), ([, family]) => family!),
  );
  const told = families().map(({ name }) => /^[a-z]+/.exec(name)![0]);
  expect(told.toSorted()).toEqual([...new Set(made)].toSorted());
});
