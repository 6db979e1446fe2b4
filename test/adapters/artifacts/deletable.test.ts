// Objects that can be deleted: how they lie in a real repository, and what git makes of them.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { blob, commitOf, hashes } from '../../support/objects.ts';
import { gitObject } from '../../../src/format/git/object.ts';
import { encodeTree } from '../../../src/format/git/tree.ts';
import { git, scratchRepository } from '../../support/repos.ts';

const REF = 'refs/lazarus/artifacts/m-000000000000';

async function shelved(text = 'to be erased\n') {
  const folder = scratchRepository();
  const repository = await openRepository(folder);
  onTestFinished(() => repository.close());
  const file = { ...blob(text), deletable: true } as const;
  const tree = gitObject(hashes, 'tree', encodeTree([{ mode: '100644', name: 'a', oid: file.oid }]));
  const commit = commitOf(tree.oid, [], 'shelf');
  const updates = [{ ref: REF, old: undefined, next: commit.oid }];
  await repository.commit({ objects: [file, tree, commit], updates });
  const path = join(folder, '.git', 'objects', file.oid.slice(0, 2), file.oid.slice(2));
  return { folder, repository, file, commit, path };
}

describe('a deletable object', () => {
  it('is a file of its own that git reads and finds sound; everything else is packed', async () => {
    const { folder, file, path } = await shelved();
    expect(existsSync(path)).toBe(true);
    expect(git(folder, ['cat-file', 'blob', file.oid])).toBe('to be erased');
    expect(git(folder, ['fsck', '--strict', '--full'])).toBe('');
    expect(git(folder, ['count-objects', '-v'])).toMatch(/^count: 1\n[^]*in-pack: 2\n/);
  });

  it('is gone at once when it is erased', async () => {
    const { folder, repository, file, path } = await shelved();
    expect(await repository.erase([file.oid])).toEqual([]);
    expect(existsSync(path)).toBe(false);
    expect(() => git(folder, ['cat-file', '-e', file.oid])).toThrow();
  });

  it('is named as still here when git has packed it meanwhile, and pruning removes it', async () => {
    const { folder, repository, file, commit } = await shelved();
    git(folder, ['gc', '--quiet']);
    expect(await repository.erase([file.oid])).toEqual([file.oid]);
    await repository.commit({ objects: [], updates: [{ ref: REF, old: commit.oid, next: undefined }] });
    git(folder, ['reflog', 'expire', '--expire=now', '--all']);
    git(folder, ['gc', '--quiet', '--prune=now']);
    expect(await repository.erase([file.oid])).toEqual([]);
  });

  it('survives the folding of the packs around it', async () => {
    const { folder, repository, file } = await shelved();
    for (let i = 0; i < 70; i++) {
      const one = blob(`more ${i}\n`);
      await repository.commit({ objects: [one], updates: [] });
    }
    await repository.close();
    expect(readdirSync(join(folder, '.git/objects/pack')).filter((name) => name.endsWith('.pack')).length).toBeLessThan(
      20,
    );
    expect(await openRepository(folder).then((again) => again.erase([file.oid]))).toEqual([]);
    expect(() => git(folder, ['cat-file', '-e', file.oid])).toThrow();
  });
});
