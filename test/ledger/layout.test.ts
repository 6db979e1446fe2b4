// The tree of a ledger against one built from scratch: however a ledger grew, its tree follows from what it holds.
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { Oid } from '../../src/format/git/object.ts';
import { parseTree } from '../../src/format/git/tree.ts';
import { EMPTY_LAYOUT, extend, type Extended, type Layout } from '../../src/ledger/layout.ts';

const FILES = {
  frontier: oidOf('frontier'),
  'keys.asc': oidOf('keys'),
  'roster.json': oidOf('roster'),
  'tree-head': oidOf('head'),
};
const ENTRY_BYTES = '100644 000000000.json\0'.length + 20;

function oidOf(word: string | number): Oid {
  return createHash('sha1').update(`synthetic ${word}`).digest('hex');
}

function eventOids(from: number, to: number): Oid[] {
  return Array.from({ length: to - from }, (_, i) => oidOf(from + i));
}

function grow(from: Layout, size: number): Extended {
  return extend(nodeCrypto, from, { events: eventOids(from.size, size), files: FILES });
}

type Folder = Map<string, Oid | Folder>;

/** Every path of a ledger of this size, then hashed bottom up: the definition, with none of the shortcuts. */
function definedTree(size: number): { oid: Oid; trees: Map<Oid, Buffer> } {
  const top: Folder = new Map(Object.entries(FILES));
  for (let index = 0; index < size; index++) {
    const segment = Math.floor(index / 256);
    const name = String(segment).padStart(6, '0');
    const isFull = (segment + 1) * 256 <= size;
    const fan = String(Math.floor(segment / 64)).padStart(5, '0');
    const folder = isFull ? ['seg', fan, name] : [`hot-${name}`];
    put(top, [...folder, `${String(index).padStart(9, '0')}.json`], oidOf(index));
  }
  const trees = new Map<Oid, Buffer>();
  return { oid: hashFolder(top, trees), trees };
}

function put(folder: Folder, [name, ...rest]: string[], oid: Oid): void {
  if (rest.length === 0) folder.set(name!, oid);
  else {
    if (!folder.has(name!)) folder.set(name!, new Map());
    put(folder.get(name!) as Folder, rest, oid);
  }
}

function hashFolder(folder: Folder, trees: Map<Oid, Buffer>): Oid {
  const entries = [...folder].map(([name, inside]) =>
    typeof inside === 'string'
      ? { key: name, head: `100644 ${name}\0`, oid: inside }
      : { key: `${name}/`, head: `40000 ${name}\0`, oid: hashFolder(inside, trees) },
  );
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)));
  const body = Buffer.concat(entries.flatMap(({ head, oid }) => [Buffer.from(head), Buffer.from(oid, 'hex')]));
  const oid = createHash('sha1').update(`tree ${body.length}\0`).update(body).digest('hex');
  trees.set(oid, body);
  return oid;
}

const BOUNDARIES = [1, 2, 255, 256, 257, 511, 512, 513, 64 * 256 - 1, 64 * 256, 64 * 256 + 1, 65 * 256, 128 * 256 + 3];

describe('the tree', () => {
  it.each(BOUNDARIES)('at %i events is the defined one', (size) => {
    expect(grow(EMPTY_LAYOUT, size).tree).toBe(definedTree(size).oid);
  });

  it('does not depend on how many events came at a time', () => {
    const starts = [0, 200, 500, 64 * 256 - 300].map((size) => grow(EMPTY_LAYOUT, size).layout);
    const chunks = fc.array(fc.integer({ min: 1, max: 256 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.constantFrom(...starts), chunks, (start, sizes) => {
        let layout = start;
        let tree = '';
        for (const more of sizes) ({ layout, tree } = grow(layout, layout.size + more));
        expect(tree).toBe(grow(start, layout.size).tree);
      }),
      { numRuns: 60 },
    );
  });

  it('grows by itself twice: what one transaction adds is not in another one on the same tip', () => {
    const { layout } = grow(EMPTY_LAYOUT, 100);
    const lost = extend(nodeCrypto, layout, { events: [oidOf('lost race')], files: FILES });
    const again = extend(nodeCrypto, layout, { events: eventOids(100, 103), files: FILES });
    expect(again.tree).toBe(definedTree(103).oid);
    expect(lost.layout.hot!.body).toHaveLength(101 * ENTRY_BYTES);
    expect(layout.hot!.body).toEqual(new Uint8Array(definedTree(100).trees.get(layout.hot!.oid)!));
  });

  it('brings every directory it needs: none is named that was not written', () => {
    const written = new Set<Oid>();
    let layout = EMPTY_LAYOUT;
    for (const size of [3, 250, 256, 300, 600, 855]) {
      const grown = grow(layout, size);
      for (const { oid, type, body } of grown.objects)
        if (type === 'tree' && parseTree(body).length > 0) written.add(oid);
      layout = grown.layout;
      const { trees } = definedTree(size);
      expect([...trees.keys()].filter((oid) => !written.has(oid))).toEqual([]);
    }
  });

  it('offers the directory before it as a base, so that an append is stored as a small difference', () => {
    const before = grow(EMPTY_LAYOUT, 100);
    const { objects } = grow(before.layout, 101);
    expect(objects.map(({ base }) => base?.oid)).toEqual([before.layout.hot!.oid, before.tree]);
  });
});
