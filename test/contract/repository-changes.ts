// What every repository promises about changes: all of it or none, and only from where the writer thought it was.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Repository } from '../../src/ports/repository.ts';
import { gitObject } from '../../src/format/git/object.ts';
import { encodeTree } from '../../src/format/git/tree.ts';
import { blob, chain, commitOf, hashes, type Link } from '../support/objects.ts';

const MAIN = 'refs/heads/lazarus/main';
const ABSENT = 'd'.repeat(40);

export function repositoryChangesContract(name: string, make: () => Promise<Repository>): void {
  async function withChain(length: number): Promise<{ repository: Repository; links: Link[] }> {
    const repository = await make();
    onTestFinished(() => repository.close());
    const links = chain(length);
    const objects = links.flatMap((link) => link.objects);
    await repository.commit({ objects, updates: [{ ref: MAIN, old: undefined, next: headOf(links) }] });
    return { repository, links };
  }

  describe(`${name} as a repository that changes`, () => {
    it('moves several references together', async () => {
      const { repository, links } = await withChain(2);
      const [first, second] = links.map((link) => link.commit.oid) as [string, string];
      const other = 'refs/lazarus/artifacts/main';
      await repository.commit({
        objects: [],
        updates: [
          { ref: MAIN, old: second, next: first },
          { ref: other, old: undefined, next: second },
        ],
      });
      expect([await repository.resolve(MAIN), await repository.resolve(other)]).toEqual([first, second]);
      await repository.commit({ objects: [], updates: [{ ref: other, old: second, next: undefined }] });
      expect(await repository.resolve(other)).toBeUndefined();
    });

    it.each([
      ['is elsewhere', MAIN, ABSENT],
      ['exists already', MAIN, undefined],
      ['does not exist', 'refs/heads/lazarus/none', ABSENT],
    ])('moves nothing when one reference %s', async (_, ref, old) => {
      const { repository, links } = await withChain(1);
      const next = headOf(links);
      const found = (await repository.resolve(ref)) ?? null;
      const updates = [
        { ref: 'refs/heads/lazarus/fresh', old: undefined, next },
        { ref, old, next },
      ];
      await expect(repository.commit({ objects: [], updates })).rejects.toMatchObject({
        code: 'head_moved',
        retry: 'reload',
        facts: { ref, expected: old ?? null, found },
      });
      expect(await repository.resolve('refs/heads/lazarus/fresh')).toBeUndefined();
      // And the next change is not affected.
      await repository.commit({ objects: [], updates: [updates[0]!] });
      expect(await repository.resolve('refs/heads/lazarus/fresh')).toBe(next);
    });

    it('refuses to let a reference name an object that is not there', async () => {
      const { repository, links } = await withChain(1);
      const updates = [{ ref: MAIN, old: headOf(links), next: ABSENT }];
      await expect(repository.commit({ objects: [], updates })).rejects.toMatchObject({ code: 'object_missing' });
      expect(await repository.resolve(MAIN)).toBe(headOf(links));
    });

    it('lets exactly one of two changes win that were made at once', async () => {
      const { repository, links } = await withChain(1);
      const rivals = ['a', 'b', 'c'].map((label) => chain(1, label, headOf(links))[0]!);
      const outcomes = await Promise.allSettled(
        rivals.map((rival) =>
          repository.commit({
            objects: rival.objects,
            updates: [{ ref: MAIN, old: headOf(links), next: rival.commit.oid }],
          }),
        ),
      );
      expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
      const winner = rivals[outcomes.findIndex((outcome) => outcome.status === 'fulfilled')]!;
      expect(await repository.resolve(MAIN)).toBe(winner.commit.oid);
    });

    it('keeps an object until it is erased, and never what was not asked for', async () => {
      const repository = await make();
      onTestFinished(() => repository.close());
      const [erased, kept] = [blob('erased\n'), blob('kept\n')];
      const objects = [erased, kept].map((object) => ({ ...object, deletable: true as const }));
      await repository.commit({ objects, updates: [] });
      expect(await repository.sizes([kept.oid, ABSENT, erased.oid])).toEqual([5, undefined, 7]);
      expect(await repository.sizes([])).toEqual([]);
      // Found though no reference ever led to it.
      expect(await repository.blobsOfSizes(new Set([7, 1000]))).toEqual([erased.oid]);
      expect((await repository.blobsOfSizes(new Set([5, 7]))).toSorted()).toEqual([erased.oid, kept.oid].toSorted());
      expect(await repository.blobsOfSizes(new Set())).toEqual([]);
      expect(await repository.erase([erased.oid, ABSENT])).toEqual([]);
      expect(await repository.sizes([kept.oid, erased.oid])).toEqual([5, undefined]);
      // And it can come back.
      await repository.commit({ objects, updates: [] });
      expect(await repository.sizes([erased.oid])).toEqual([7]);
    });

    it('complains of what a head reaches and is not there, and of nothing else', async () => {
      const repository = await make();
      onTestFinished(() => repository.close());
      const [file, gone] = [blob('here\n'), blob('gone\n')];
      const treeOf = (oid: string) => gitObject(hashes, 'tree', encodeTree([{ mode: '100644', name: 'a', oid }]));
      const [whole, broken] = [treeOf(file.oid), treeOf(gone.oid)];
      const [good, bad] = [commitOf(whole.oid, [], 'good'), commitOf(broken.oid, [], 'bad')];
      await repository.commit({ objects: [file, whole, good, broken, bad], updates: [] });
      expect(await repository.complaints([good.oid])).toEqual([]);
      expect((await repository.complaints([good.oid, bad.oid])).join('\n')).toContain(gone.oid);
    });

    it.each([
      'main',
      'refs/heads/x\ndelete refs/heads/lazarus/main',
      'refs/heads/../../x',
      'refs/heads/a b',
      'refs/heads/x~1',
      '--all',
      '',
    ])('refuses the reference name %j', async (ref) => {
      const { repository, links } = await withChain(1);
      const updates = [{ ref, old: undefined, next: headOf(links) }];
      await expect(repository.commit({ objects: [], updates })).rejects.toMatchObject({ code: 'usage' });
      await expect(repository.resolve(ref)).rejects.toMatchObject({ code: 'usage' });
      expect(await repository.resolve(MAIN)).toBe(headOf(links));
    });
  });
}

function headOf(links: readonly Link[]): string {
  return links.at(-1)!.commit.oid;
}
