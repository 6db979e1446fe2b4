// The table of what was played through, against the tests that it names: a row whose test is gone or called otherwise is a claim
// without a proof.
import { expect, it } from 'vitest';
import { read } from './pages.ts';

const SECTION = /^## Played through\n(?<text>[^]*?)^## /m.exec(read('docs/threat-model.md'))!.groups!['text']!;
const ROWS = SECTION.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| who '));

it('names a test for every row, and each name stands in that file', () => {
  const missing: string[] = [];
  let named = 0;
  let file = '';
  for (const row of ROWS) {
    const proof = row.split('|').at(-2)!;
    for (const [, path, name] of proof.matchAll(/`(test\/[^`]+)`|"([^"]+)"/g)) {
      if (path !== undefined) file = path;
      else if (read(file).includes(name!)) named += 1;
      else missing.push(`${file}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
  expect(named).toBeGreaterThanOrEqual(ROWS.length);
});
