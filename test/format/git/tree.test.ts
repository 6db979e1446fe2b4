// Trees against git itself: same bytes, same order, and refusal of everything else.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Failure } from '../../../src/failure.ts';
import { concat, equalBytes, fromHex, utf8 } from '../../../src/format/bytes.ts';
import { objectId, type Oid } from '../../../src/format/git/object.ts';
import { encodeTree, parseTree, TreeBody, type TreeEntry } from '../../../src/format/git/tree.ts';
import { hashes } from '../../support/objects.ts';
import { git, scratchRepository } from '../../support/repos.ts';

const oid = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => bytes.reduce((text, byte) => text + byte.toString(16).padStart(2, '0'), ''));
// Few letters, so that prefixes and `a`, `a.b`, `a/` meet often; plus characters that UTF-16 and UTF-8 order differently.
const name = fc
  .array(fc.constantFrom('a', 'b', '-', '.', '0', '~', 'é', '\u{1f600}', '\uff5e'), { minLength: 1, maxLength: 4 })
  .map((parts) => `x${parts.join('')}`);
const entries = fc.uniqueArray(fc.record({ mode: fc.constantFrom('100644', '40000'), name, oid }), {
  selector: (entry) => entry.name,
  maxLength: 20,
});

const A: Oid = 'a'.repeat(40);
const raw = (...parts: [head: string, oid: Oid][]) =>
  concat(parts.flatMap(([head, oid]) => [utf8(`${head}\0`), fromHex(oid) ?? new Uint8Array(0)]));

describe('encodeTree', () => {
  it('writes the tree that git mktree writes, whatever the order it is given', () => {
    const repo = scratchRepository();
    const trees = fc.sample(entries, 300);
    const listing = trees
      .map((tree) =>
        tree.map((e) => `${e.mode} ${e.mode === '40000' ? 'tree' : 'blob'} ${e.oid}\t${e.name}\0`).join(''),
      )
      .join('\0');
    const theirs = git(repo, ['mktree', '--missing', '--batch', '-z'], `${listing}\0`).split('\n');
    expect(trees.map((tree) => objectId(hashes, 'tree', encodeTree(tree)))).toEqual(theirs);
  });

  it('refuses a file and a directory of one name', () => {
    const file: TreeEntry = { mode: '100644', name: 'a', oid: A };
    expect(() => encodeTree([file, { ...file, name: 'a.b' }, { ...file, mode: '40000' }])).toThrow('duplicate_name');
  });

  it.each(['', '.', '..', '.git', '.GIT', '.git ', 'git~1', 'a/b', 'a\\b', 'a\0b', 'a:b', '.g\u200cit', '\ud800'])(
    'refuses the name %j, with which a checkout could leave its folder',
    (name) => expect(() => encodeTree([{ mode: '100644', name, oid: A }])).toThrow(Failure),
  );
});

describe('parseTree', () => {
  it('reads back what encodeTree wrote, sorted', () => {
    fc.assert(
      fc.property(entries, (tree) => {
        const body = encodeTree(tree);
        const read = parseTree(body);
        expect(read).toHaveLength(tree.length);
        expect(encodeTree(read.toReversed())).toEqual(body);
      }),
    );
  });

  it.each([
    ['truncated name', utf8('100644 a'), 'truncated_entry'],
    ['truncated oid', raw(['100644 a', A]).subarray(0, -1), 'truncated_entry'],
    ['executable', raw(['100755 a', A]), 'mode'],
    ['symbolic link', raw(['120000 a', A]), 'mode'],
    ['submodule', raw(['160000 a', A]), 'mode'],
    ['zero-padded mode', raw(['040000 a', A]), 'mode'],
    ['no mode', raw(['a', A]), 'mode'],
    ['wrong order', raw(['100644 b', A], ['100644 a', A]), 'order'],
    ['directory sorted like a file', raw(['40000 a', A], ['100644 a.b', A]), 'order'],
    ['same entry twice', raw(['100644 a', A], ['100644 a', A]), 'order'],
    ['file and directory of one name', raw(['100644 a', A], ['100644 a.b', A], ['40000 a', A]), 'duplicate_name'],
    ['dot git', raw(['40000 .git', A]), 'name'],
    ['bad UTF-8', concat([utf8('100644 '), Uint8Array.of(0xff, 0), fromHex(A)!]), 'name_not_utf8'],
  ])('refuses %s', (_, body, wrong) => {
    expect(() => parseTree(body)).toThrow(
      expect.objectContaining({ code: 'object_corrupt', facts: { object: 'tree', wrong } }),
    );
  });
});

describe('TreeBody', () => {
  const entry = (index: number): TreeEntry => ({ mode: '100644', name: `${index}.json`.padStart(14, '0'), oid: A });

  it('equals the tree written at once, at every length, and older views stay what they were', () => {
    const tree = new TreeBody();
    const views: Uint8Array[] = [];
    for (let i = 0; i < 256; i++) {
      tree.append(entry(i));
      views.push(tree.bytes());
    }
    const whole = Array.from({ length: 256 }, (_, index) => entry(index));
    views.forEach((view, i) => expect(equalBytes(view, encodeTree(whole.slice(0, i + 1)))).toBe(true));
  });

  it('goes on from bytes that were read', () => {
    const tree = new TreeBody(encodeTree([entry(0), entry(1)]));
    tree.append(entry(2));
    expect(parseTree(tree.bytes())).toEqual([entry(0), entry(1), entry(2)]);
  });

  it('refuses an entry that does not sort last', () => {
    const tree = new TreeBody(encodeTree([entry(5)]));
    expect(() => tree.append(entry(5))).toThrow('order');
    expect(() => tree.append(entry(4))).toThrow('order');
  });
});
