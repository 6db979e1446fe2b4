// A program in parts: what is asked for together lies in one file, on top of another one that has been read by then. What
// both need lies in that one alone; where every lazy import is a file of its own, what any two share is a file as well.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { lazyImport, SOURCES } from './bundle.mjs';

/**
 * `parts`: what each `holds`, and the one that it is `on`, if not on `first`, with which the program begins. What `folders`
 * ask for and no part holds lies in the last one.
 */
export function inParts(parts, { first, folders }) {
  const last = Object.keys(parts).at(-1);
  const partOf = new Map(folders.flatMap(askedIn).map((path) => [path, last]));
  for (const [part, { holds = [] }] of Object.entries(parts)) for (const path of holds) partOf.set(path, part);
  const held = [...partOf.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  const nameOf = (path) => `of${held.indexOf(path)}`;
  const textOf = (part) => {
    const { on } = parts[part];
    const holds = held.filter((path) => partOf.get(path) === part);
    return [
      `import '${on === undefined ? `./${first}` : `part:${on}`}';`,
      ...holds.map((path) => `export * as ${nameOf(path)} from './${path}';`),
    ].join('\n');
  };
  return {
    asks: (asked, { by }) => {
      const path = sourceOf(asked, by);
      return `import('part:${partOf.get(path)}').then((part) => part.${nameOf(path)})`;
    },
    adds: (bundler) => {
      bundler.onResolve({ filter: /^part:/ }, ({ path }) => ({ namespace: 'part', path: path.slice('part:'.length) }));
      bundler.onLoad({ filter: /./, namespace: 'part' }, ({ path }) => ({
        resolveDir: SOURCES,
        contents: textOf(path),
      }));
    },
  };
}

function askedIn(folder) {
  return readdirSync(join(SOURCES, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(SOURCES, folder, name))
    .flatMap((by) => [...readFileSync(by, 'utf8').matchAll(lazyImport)].map(([, asked]) => sourceOf(asked, by)));
}

function sourceOf(asked, by) {
  return relative(SOURCES, join(dirname(by), asked));
}
