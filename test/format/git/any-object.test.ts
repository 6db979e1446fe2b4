// Trees and commits of anybody's making, as a branch of people has them: read as git reads them, or refused by name.
import { describe, expect, it } from 'vitest';
import { entriesOf, parentsOf, treeOf } from '../../../src/format/git/any-object.ts';
import { createMemoryRepository } from '../../../src/adapters/memory/memory-repository.ts';
import { concat, utf8 } from '../../../src/format/bytes.ts';
import { gitObject, type GitObject } from '../../../src/format/git/object.ts';
import { hashes } from '../../support/objects.ts';

const OID = 'ab'.repeat(20);
const NAME = Uint8Array.from({ length: 20 }, () => 0xab);
const tree = (...parts: readonly (string | Uint8Array)[]): GitObject =>
  gitObject(hashes, 'tree', concat(parts.map((part) => (typeof part === 'string' ? utf8(part) : part))));
const commit = (body: string | Uint8Array): GitObject =>
  gitObject(hashes, 'commit', typeof body === 'string' ? utf8(body) : body);

describe('a tree of anybody', () => {
  it('may hold programs, links and other repositories', () => {
    const object = tree('100755 run\0', NAME, '120000 link\0', NAME, '160000 sub\0', NAME, '040000 folder\0', NAME);
    expect([...entriesOf(object)].map(({ is, name }) => `${is} ${name}`)).toEqual([
      'file run',
      'file link',
      'submodule sub',
      'folder folder',
    ]);
  });

  it.each([
    ['that ends inside a name', tree('100644 a\0', NAME.subarray(1))],
    ['without a mode', tree('a\0', NAME)],
    ['without an end', tree('100644 a')],
    ['with a name that is no text', tree('100644 ', Uint8Array.of(0xff), '\0', NAME)],
    ['that is a commit', commit('tree')],
  ])('%s is refused', (_, object) => {
    expect(() => [...entriesOf(object)]).toThrow(expect.objectContaining({ code: 'object_corrupt' }));
  });

  it('is gone into only where it leads to what is asked for', async () => {
    const file = gitObject(hashes, 'blob', utf8('x'));
    const inner = tree('100755 run\0', Uint8Array.from(Buffer.from(file.oid, 'hex')));
    const top = tree('40000 absent\0', NAME, '40000 in\0', Uint8Array.from(Buffer.from(inner.oid, 'hex')));
    const repository = createMemoryRepository();
    await repository.commit({ objects: [file, inner, top], updates: [] });
    const found = [];
    for await (const one of repository.files(top.oid, 'in/run')) found.push(one);
    expect(found).toEqual([{ path: 'in/run', oid: file.oid }]);
    const all = async (): Promise<void> => {
      for await (const one of repository.files(top.oid)) found.push(one);
    };
    await expect(all()).rejects.toMatchObject({ code: 'object_missing', facts: { oid: OID } });
  });
});

describe('a commit of anybody', () => {
  it('may speak any encoding, and has the parents that stand behind its tree', () => {
    const text = `tree ${OID}\nparent ${OID}\nparent ${'cd'.repeat(20)}\nauthor a\n\nparent ${'ef'.repeat(20)}\n`;
    const object = commit(concat([utf8(text), Uint8Array.of(0xe9, 0xff)]));
    expect(treeOf(object)).toBe(OID);
    expect(parentsOf(object)).toEqual([OID, 'cd'.repeat(20)]);
  });

  it.each(['', 'tree', `tree ${'x'.repeat(40)}\n`, `tree ${OID}`])('without a tree is refused: %j', (body) => {
    expect(() => treeOf(commit(body))).toThrow(expect.objectContaining({ code: 'object_corrupt' }));
  });
});
