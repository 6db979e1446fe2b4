// The tables of what was played through, against the tests that they name: a row whose test is gone or called otherwise is a
// claim without a proof, and so is one that says "on a real server" of a test that has none.
import { describe, expect, it } from 'vitest';
import { read } from './pages.ts';

type Named = { readonly file: string; readonly name: string };

/** `there`: without a path of its own, a name stands in the file that was named last. */
function namedIn(proofs: readonly string[]): readonly Named[] {
  const named: Named[] = [];
  let file = '';
  for (const proof of proofs)
    for (const [, path, name] of proof.matchAll(/`(test\/[^`]+)`|"([^"]+)"/g))
      if (path !== undefined) file = path;
      else named.push({ file, name: name! });
  return named;
}

const missing = (named: readonly Named[]): readonly Named[] =>
  named.filter(({ file, name }) => !read(file).includes(name));

function rowsOf(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').slice(1, -1));
}

describe('the threat model', () => {
  const section = /^## Played through\n(?<text>[^]*?)^## /m.exec(read('docs/threat-model.md'))!.groups!['text']!;
  const rows = rowsOf(section).filter(([who]) => who !== ' who ');

  it('names a test for every row, and each name stands in that file', () => {
    const named = namedIn(rows.map((row) => row.at(-1)!));
    expect(missing(named)).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(rows.length);
  });
});

describe('the page of attacks', () => {
  const rows = rowsOf(read('docs/attacks.md')).filter(([no]) => /^ \d+ $/.test(no!));

  it.each(rows)('%s %s', (...row) => {
    const [server, elsewhere] = row.slice(-2).map((proof) => namedIn([proof]));
    const named = [...server!, ...elsewhere!];
    expect(named).not.toEqual([]);
    expect(missing(named)).toEqual([]);
    const onServer = /\.gitea\.test\.ts$|^test\/e2e\/attacks\//;
    expect(server!.filter(({ file }) => !onServer.test(file))).toEqual([]);
    expect(elsewhere!.filter(({ file }) => onServer.test(file))).toEqual([]);
  });

  it('numbers them one after the other', () => {
    expect(rows.map(([no]) => Number(no))).toEqual(rows.map((_, i) => i + 1));
  });
});
