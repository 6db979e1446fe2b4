// A noun of the kernel can be read without reading all of them: by values, its folders import each other in one direction only.
// And every type that a noun's folder defines counts. Reads the sources as text.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENTITY_TYPES, EVENT_TYPES, PLACES } from '../../src/kernel/event.ts';
import { RULES } from '../../src/kernel/rules.ts';

const KERNEL = new URL('../../src/kernel/', import.meta.url).pathname;
const FILES = readdirSync(KERNEL, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

it('no folder of the kernel imports, by way of others, itself', () => {
  const edges = new Map<string, Set<string>>();
  for (const file of FILES)
    for (const other of valueImports(file)) {
      const [from, to] = [placeOf(file), placeOf(other)];
      if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  expect([...edges.keys()].filter((place) => reach(edges, place).has(place))).toEqual([]);
});

describe('the folder of a noun', () => {
  const defined = FILES.filter((file) => file.endsWith('/events.ts'))
    .flatMap((file) => [...readFileSync(join(KERNEL, file), 'utf8').matchAll(/defineEvent\(\s*'([^']+)'/gu)])
    .map(([, type]) => type!);

  it('defines no type that the union leaves out, and no type twice', () => {
    expect(defined.toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  it('has a place, an entity and a rule for each', () => {
    for (const table of [PLACES, ENTITY_TYPES, RULES])
      expect(Object.keys(table).toSorted()).toEqual(defined.toSorted());
  });
});

/** A folder; a file beside the folders stands for itself. */
function placeOf(file: string): string {
  return file.split('/')[0]!;
}

function valueImports(file: string): string[] {
  const source = readFileSync(join(KERNEL, file), 'utf8');
  const statements = source.matchAll(/^(?:import|export)\s+(?!type\s)([^;]*?)\s*from '(\.[^']+)';/gmu);
  return [...statements]
    .filter(([, names]) => !/^\{(?:\s*type [^,}]+,?)+\s*\}$/u.test(names!))
    .map(([, , path]) => normalize(join(dirname(file), path!)))
    .filter((path) => !path.startsWith('..'));
}

function reach(edges: ReadonlyMap<string, ReadonlySet<string>>, from: string): ReadonlySet<string> {
  const seen = new Set<string>();
  const look = [...(edges.get(from) ?? [])];
  for (let place = look.pop(); place !== undefined; place = look.pop())
    if (!seen.has(place)) {
      seen.add(place);
      look.push(...(edges.get(place) ?? []));
    }
  return seen;
}
