// A model's key is used from inside a cell and is not in it: whatever the cell looks through, asks for or is told. What its
// route may cost ends it.
import { expect, onTestFinished, test } from 'vitest';
import { openCells } from '../../../src/adapters/cells/open-cells.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { listening } from '../../../src/compose/listening.ts';
import type { Cells } from '../../../src/ports/cells.ts';
import type { OpenRoute, Reach } from '../../../src/ports/network.ts';
import { passableScratch, runIn } from '../../support/cells.ts';
import { startModel, type Model } from '../../support/models/endpoint.ts';
import type { Script } from '../../support/models/script.ts';
import { routeTo, SECRET } from '../listener/routing.ts';

const ASK = `curl -sS -H 'content-type: application/json' http://127.0.0.1:3128/_route/model/v1/responses -d '{"stream":true,"tools":[{"name":"shell"}]}'`;

const LOOK = [
  'env; cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"',
  'grep -rsa "sk-cana[r]y" /cell /tmp /run /etc /dev/shm; true',
].join('\n');

async function cellsAnd(script: Script): Promise<{ readonly cells: Cells; readonly model: Model }> {
  const model = await startModel({ key: SECRET, script });
  onTestFinished(model.close);
  return {
    model,
    cells: await openCells({ folder: passableScratch(), repositories: workRepositories, listen: listening }),
  };
}

function reachOf(model: Model, limits: Partial<OpenRoute> = {}): Reach {
  return { hosts: [], routes: [{ ...routeTo(model.origin, { usage: 'openai' }), ...limits }] };
}

test('a cell asks its model by the route alone, is counted, and finds the key nowhere', async () => {
  const { cells, model } = await cellsAnd([
    { say: 'hello there', usage: { in: 70, out: 7 } },
    { echo: 'text' },
    { echo: 'header' },
  ]);
  const look = [
    `${ASK}; echo`,
    `${ASK}; ${ASK} -D -; echo`,
    LOOK,
    `curl -sS -m 5 ${model.origin}/v1/models 2>&1; true`,
  ].join('\n');
  // What is printed is searched as well: here the cell tells what it has without that.
  const { cell, out, exit } = await runIn(cells, look, { reach: reachOf(model), canaries: [] });
  expect(exit).toMatchObject({ reason: 'exited', code: 0 });
  expect(out).toContain('hello');
  expect(out).toContain('***REDACTED***');
  expect(out).not.toContain('sk-canary');
  expect(out).not.toContain('Scripted');
  expect(model.asked.map(({ key }) => key)).toEqual(['right', 'right', 'right']);
  expect(cell.network().spent).toEqual([
    { route: 'model', calls: 3, tokensIn: 270, tokensOut: 47, guessed: 0, refused: 0, cut: null },
  ]);
  const residue = await cell.close();
  expect(Object.values(residue).every((left) => left === 0)).toBe(true);
});

test('(the same look finds a key that is in the cell)', async () => {
  const { cells } = await cellsAnd([]);
  const { cell, out } = await runIn(cells, LOOK, { home: { '.config/key': SECRET } });
  expect(out).toContain(SECRET);
  await cell.close();
});

test.each([
  ['max_calls', { max_calls: 2 }],
  ['max_tokens', { max_tokens: 150 }],
] as const)('a cell that goes on asking ends with its route (%s)', async (cut, limits) => {
  const { cells, model } = await cellsAnd(() => ({ say: 'more', usage: { in: 60, out: 20 } }));
  const { cell, exit } = await runIn(cells, `while :; do ${ASK} > /dev/null; done`, { reach: reachOf(model, limits) });
  expect(exit.reason).toBe('route_limit');
  expect(model.asked).toHaveLength(2);
  expect(cell.network().spent).toMatchObject([{ calls: 2, cut }]);
  await cell.close();
});

test('a cell whose neighbour has a route has none', async () => {
  const { cells, model } = await cellsAnd([{ say: 'hello' }]);
  const [without, other] = await Promise.all([
    runIn(cells, `${ASK} 2>&1; true`),
    runIn(cells, `${ASK}; true`, { reach: { hosts: [], routes: [] } }),
  ]);
  expect(without.out).toMatch(/refused|Failed to connect|Couldn't connect/i);
  expect(other.out).toContain('route_unknown');
  expect(model.asked).toEqual([]);
  for (const { cell } of [without, other]) await cell.close();
});
