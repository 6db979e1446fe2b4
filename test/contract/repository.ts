// What every repository promises, asked of each adapter in the same words.
import { describe, expect, it, onTestFinished } from 'vitest';
import { concat } from '../../src/format/bytes.ts';
import type { GitObject } from '../../src/format/git/object.ts';
import { gitObject } from '../../src/format/git/object.ts';
import { encodeTree } from '../../src/format/git/tree.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { repositoryChangesContract } from './repository-changes.ts';
import { blob, chain, commitOf, hashes, type Link } from '../support/objects.ts';

const MAIN = 'refs/heads/lazarus/main';
const ABSENT = 'd'.repeat(40);

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export function repositoryContract(name: string, make: () => Promise<Repository>): void {
  repositoryChangesContract(name, make);

  async function opened(): Promise<Repository> {
    const repository = await make();
    onTestFinished(() => repository.close());
    return repository;
  }

  async function withChain(length: number): Promise<{ repository: Repository; links: Link[] }> {
    const repository = await opened();
    const links = chain(length);
    const objects = links.flatMap((link) => link.objects);
    await repository.commit({ objects, updates: [{ ref: MAIN, old: undefined, next: headOf(links) }] });
    return { repository, links };
  }

  describe(`${name} as a repository`, () => {
    it('knows a reference once it was committed', async () => {
      const repository = await opened();
      expect(await repository.resolve(MAIN)).toBeUndefined();
      const [link] = chain(1);
      await repository.commit({
        objects: link!.objects,
        updates: [{ ref: MAIN, old: undefined, next: link!.commit.oid }],
      });
      expect(await repository.resolve(MAIN)).toBe(link!.commit.oid);
    });

    it('lists references below a folder, sorted, and none of its namesakes', async () => {
      const { repository, links } = await withChain(1);
      const next = headOf(links);
      const refs = ['refs/heads/lazarus/z', 'refs/heads/lazarus/a/b', 'refs/heads/lazarus-x', 'refs/heads/other'];
      await repository.commit({ objects: [], updates: refs.map((ref) => ({ ref, old: undefined, next })) });
      const found = await repository.list('refs/heads/lazarus/');
      expect(found).toEqual(
        ['refs/heads/lazarus/a/b', MAIN, 'refs/heads/lazarus/z'].map((ref) => ({ ref, oid: next })),
      );
    });

    it('walks history newest first, and stops before `until`', async () => {
      const { repository, links } = await withChain(300);
      const all = await collect(repository.history(headOf(links)));
      expect(all.map(plain)).toEqual(links.toReversed().map((link) => plain(link.commit)));
      const some = await collect(repository.history(headOf(links), links[290]!.commit.oid));
      expect(some.map((commit) => commit.oid)).toEqual(
        links
          .slice(291)
          .toReversed()
          .map((link) => link.commit.oid),
      );
      expect(await collect(repository.history(headOf(links), headOf(links)))).toEqual([]);
    });

    it('walks along first parents only, and counts and finds children along all', async () => {
      const { repository, links } = await withChain(2);
      const [first, second] = links.map((link) => link.commit.oid) as [string, string];
      const tree = links[0]!.objects[2]!.oid;
      const side = commitOf(tree, [first], 'side');
      const merge = commitOf(tree, [second, side.oid], 'merge');
      await repository.commit({ objects: [side, merge], updates: [{ ref: MAIN, old: second, next: merge.oid }] });
      expect((await collect(repository.history(merge.oid))).map((commit) => commit.oid)).toEqual([
        merge.oid,
        second,
        first,
      ]);
      expect(await repository.countBetween(first, merge.oid)).toBe(3);
      expect((await repository.commitsBetween(first, merge.oid)).toSorted()).toEqual(
        [second, side.oid, merge.oid].toSorted(),
      );
      expect(await repository.commitsBetween(merge.oid, merge.oid)).toEqual([]);
      expect((await repository.childrenOf(first, merge.oid)).toSorted()).toEqual([second, side.oid].toSorted());
      expect(await repository.childrenOf(merge.oid, merge.oid)).toEqual([]);
      expect(await repository.isAncestor(side.oid, merge.oid)).toBe(true);
      expect(await repository.isAncestor(merge.oid, side.oid)).toBe(false);
      expect(await repository.isAncestor(first, first)).toBe(true);
    });

    it.each([3, 1000])('reads %i objects in the order asked for, as often as asked for', async (count) => {
      const { repository, links } = await withChain(300);
      const objects = links.flatMap((link) => link.objects);
      const asked = Array.from({ length: count }, (_, i) => objects[(i * 7919) % objects.length]!);
      const found = await collect(repository.read(asked.map((object) => object.oid)));
      expect(found.map(plain)).toEqual(asked.map(plain));
    });

    it('reads every body as it was written: empty, large, not text, and stored as a difference', async () => {
      const repository = await opened();
      const noise = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i * 31) >>> 3);
      const base = gitObject(hashes, 'blob', noise);
      const bodies = [new Uint8Array(0), noise, Uint8Array.of(10), noise.toReversed(), Uint8Array.of(0, 255, 10, 0)];
      const objects = [
        ...bodies.map((body) => gitObject(hashes, 'blob', body)),
        gitObject(
          hashes,
          'blob',
          concat([Uint8Array.of(1), noise.subarray(0, 200_000), Uint8Array.of(2), noise.subarray(200_001)]),
          base,
        ),
        gitObject(hashes, 'blob', noise.subarray(0, 70_000), base),
      ];
      await repository.commit({ objects, updates: [] });
      const found = await collect(repository.read(objects.map((object) => object.oid)));
      expect(found.map((object) => object.oid)).toEqual(objects.map((object) => object.oid));
      found.forEach((object, i) => expect(Buffer.compare(object.body, objects[i]!.body)).toBe(0));
    });

    it('gives what stands before an absent object', async () => {
      const { repository, links } = await withChain(2);
      const known = links.map(({ commit }) => commit.oid);
      const found: string[] = [];
      const reading = (async () => {
        for await (const { oid } of repository.read([...known, ABSENT, ...known])) found.push(oid);
      })();
      await expect(reading).rejects.toMatchObject({ code: 'object_missing' });
      expect(found).toEqual(known);
    });

    it('names an absent object, and goes on answering', async () => {
      const { repository, links } = await withChain(300);
      const known = headOf(links);
      const missing = expect.objectContaining({
        code: 'object_missing',
        facts: expect.objectContaining({ oid: ABSENT }),
      });
      await expect(collect(repository.read([known, ABSENT, known]))).rejects.toEqual(missing);
      await expect(collect(repository.read(Array<string>(300).fill(ABSENT)))).rejects.toEqual(missing);
      await expect(collect(repository.history(ABSENT))).rejects.toEqual(missing);
      await expect(collect(repository.read(['--help']))).rejects.toMatchObject({ code: 'object_missing' });
      expect(await collect(repository.read([known]))).toHaveLength(1);
    });

    it('names the absent parent of a history that breaks off', async () => {
      const repository = await opened();
      const links = chain(2, 'broken', ABSENT);
      const objects = links.flatMap((link) => link.objects);
      await repository.commit({ objects, updates: [] });
      await expect(collect(repository.history(headOf(links)))).rejects.toMatchObject({ code: 'object_missing' });
    });

    it('can be left in the middle of anything', async () => {
      const { repository, links } = await withChain(300);
      for await (const _ of repository.history(headOf(links))) break;
      for await (const _ of repository.read(links.map((link) => link.file.oid))) break;
      for await (const _ of repository.read([links[0]!.file.oid, links[1]!.file.oid])) break;
      for await (const _ of repository.files(headOf(links))) break;
      expect((await collect(repository.read([links[2]!.file.oid])))[0]!.oid).toBe(links[2]!.file.oid);
    });

    it('lists the files of a commit or tree with their paths, below a folder when asked', async () => {
      const repository = await opened();
      const file = blob('x\n');
      const entry = (name: string) => ({ mode: '100644' as const, name, oid: file.oid });
      const inner = gitObject(hashes, 'tree', encodeTree([entry('one'), entry('tw ö\t')]));
      const folder = (name: string) => ({ mode: '40000' as const, name, oid: inner.oid });
      const root = gitObject(hashes, 'tree', encodeTree([folder('a'), entry('a.b'), folder('ab'), entry('zz')]));
      const commit = commitOf(root.oid, [], 'files');
      await repository.commit({ objects: [file, inner, root, commit], updates: [] });
      const paths = async (oid: string, prefix?: string) =>
        (await collect(repository.files(oid, prefix))).map((found) => found.path);
      const everything = ['a.b', 'a/one', 'a/tw ö\t', 'ab/one', 'ab/tw ö\t', 'zz'];
      expect(await paths(root.oid)).toEqual(everything);
      expect(await paths(commit.oid)).toEqual(everything);
      expect(await paths(commit.oid, 'a')).toEqual(['a/one', 'a/tw ö\t']);
      expect(await paths(commit.oid, 'ab/')).toEqual(['ab/one', 'ab/tw ö\t']);
      expect(await paths(commit.oid, 'zz')).toEqual(['zz']);
      expect(await paths(commit.oid, 'nothing')).toEqual([]);
    });
  });
}

function headOf(links: readonly Link[]): string {
  return links.at(-1)!.commit.oid;
}

function plain({ oid, type, body }: GitObject): { oid: string; type: string; body: string } {
  return { oid, type, body: Buffer.from(body).toString('latin1') };
}
