// A noun of the kernel can be read without reading all of them: by values, its folders import each other in one direction only.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';

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
