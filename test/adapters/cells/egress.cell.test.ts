// What a cell reaches through its listener, and what it does not, with real servers on loopback, which only a range that policy
// names opens.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { passableScratch, runIn, testCells } from '../../support/cells.ts';

const LOOPBACK = '127.0.0.0/8';
const web = createServer((request, response) => response.end(`asked ${request.headers.host} for ${request.url}`));
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  ({ port } = web.address() as AddressInfo);
});
afterAll(() => web.close());

const cellsHere = () => testCells(passableScratch(), { resolve: () => Promise.resolve(['127.0.0.1']) });

test('a host that policy names with its range answers, and is recorded without the page that was asked for', async () => {
  const cells = await cellsHere();
  const reach = { hosts: [{ host: 'web.test', port, range: LOOPBACK }], routes: [] };
  const { cell, out } = await runIn(cells, `curl -sS http://web.test:${port}/page?secret=1`, { reach });
  expect(out).toBe(`asked web.test:${port} for /page?secret=1`);
  const residue = await cell.close();
  expect(Object.values(residue).every((left) => left === 0)).toBe(true);
  expect(cell.network().reached).toEqual([
    {
      host: 'web.test',
      port,
      decision: 'allowed',
      because: 'listed',
      times: 1,
      bytesIn: expect.any(Number),
      bytesOut: expect.any(Number),
    },
  ]);
  expect(JSON.stringify(cell.network())).not.toContain('page');
});
