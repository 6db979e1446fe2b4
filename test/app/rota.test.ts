// Whose turn it is among writers of one ledger.
import { expect, it } from 'vitest';
import { Rota } from '../../src/app/rota.ts';

it('everybody who landed while we waited goes before us, once', () => {
  const rota = new Rota();
  for (const writer of ['ana', 'bo', 'ana']) rota.saw(writer);
  expect(rota.ahead).toBe(0);
  rota.landed();
  expect(rota.ahead).toBe(2);
  rota.saw('bo');
  rota.saw('bo');
  expect(rota.ahead).toBe(1);
  rota.saw('ana');
  expect(rota.ahead).toBe(0);
});

it('who did not land while we waited has no turn any more', () => {
  const rota = new Rota();
  rota.saw('ana');
  rota.landed();
  rota.clearAhead();
  rota.saw('bo');
  rota.landed();
  expect(rota.ahead).toBe(1);
  rota.saw('bo');
  expect(rota.ahead).toBe(0);
});

it('whoever has a second turn while we wait has passed those that are missing; one longer turn is no second', () => {
  const rota = new Rota();
  for (const writer of ['ana', 'bo', 'cy']) rota.saw(writer);
  rota.landed();
  for (const writer of ['ana', 'ana', 'bo']) rota.saw(writer);
  expect(rota.ahead).toBe(1);
  rota.saw('ana');
  expect(rota.ahead).toBe(0);
});

it('a stranger is one that was not met since we were alone', () => {
  const rota = new Rota();
  expect(['ana', 'bo', 'ana'].map((writer) => rota.saw(writer))).toEqual([true, true, false]);
  rota.landed();
  expect(rota.saw('ana')).toBe(false);
  rota.clear();
  expect(rota.saw('ana')).toBe(true);
});

it('of eight that have met, the quickest lands no oftener than the others', () => {
  const writers = Array.from({ length: 8 }, (_, i) => `w${i}`);
  const rotas = new Map(writers.map((name) => [name, new Rota()]));
  const turns = new Map(writers.map((name) => [name, 0]));
  const land = (next: string): void => {
    for (const [name, rota] of rotas) {
      if (name === next) rota.landed();
      else rota.saw(next);
    }
    turns.set(next, turns.get(next)! + 1);
  };
  for (const name of writers) land(name);
  // Of those whose turn it is, always the same one is quickest.
  for (let landing = 0; landing < 400; landing++) land(writers.find((name) => rotas.get(name)!.ahead === 0)!);
  const had = [...turns.values()];
  expect(Math.max(...had) - Math.min(...had)).toBeLessThanOrEqual(1);
});
