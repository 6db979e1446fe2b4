// Reading through isomorphic-git gives what reading through git gives, wherever Git may have put things.
import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { openReader } from '../../../src/adapters/isomorphic/reader.ts';
import type { Repository, RepositoryReader } from '../../../src/ports/repository.ts';
import { collect, repositoryContract } from '../../contract/repository.ts';
import { chain } from '../../support/objects.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

const MAIN = 'refs/heads/lazarus/main';

/** Reads through isomorphic-git, writes through git. */
repositoryContract('isomorphic-git (reading) over git (writing)', async () => {
  const gitdir = scratchRepository('--bare');
  const [reader, writer] = await Promise.all([openReader({ fs, gitdir }), openRepository(gitdir)]);
  return readingThrough(reader, writer);
});

function readingThrough(reader: RepositoryReader, writer: Repository): Repository {
  const own = (name: string | symbol): object => (name in reader && name !== 'close' ? reader : writer);
  return new Proxy(writer, {
    get: (_, name) => {
      const from = own(name) as Record<string | symbol, unknown>;
      const value = from[name];
      return typeof value === 'function' ? value.bind(from) : value;
    },
  });
}

async function chained(): Promise<{ folder: string; head: string; oids: string[] }> {
  const folder = scratchRepository();
  const links = chain(40);
  const writer = await openRepository(folder);
  const head = links.at(-1)!.commit.oid;
  await writer.commit({
    objects: links.flatMap((link) => link.objects),
    updates: [{ ref: MAIN, old: undefined, next: head }],
  });
  await writer.close();
  return { folder, head, oids: links.flatMap((link) => link.objects.map((object) => object.oid)) };
}

async function expectAll(
  place: { dir?: string; gitdir?: string },
  { head, oids }: { head: string; oids: string[] },
): Promise<void> {
  const reader = await openReader({ fs, ...place });
  await reader.assertComplete();
  expect(await reader.resolve(MAIN)).toBe(head);
  expect(await reader.list('refs/heads/lazarus/')).toEqual([{ ref: MAIN, oid: head }]);
  expect((await collect(reader.read(oids))).map((object) => object.oid)).toEqual(oids);
  expect(await collect(reader.history(head))).toHaveLength(40);
}

describe('a reader without git finds everything', () => {
  it('in loose objects', async () => {
    const all = await chained();
    const packs = join(all.folder, '.git/objects/pack');
    for (const name of fs.readdirSync(packs).filter((one) => one.endsWith('.pack'))) {
      const moved = join(all.folder, name);
      fs.renameSync(join(packs, name), moved);
      fs.rmSync(join(packs, name.replace('.pack', '.idx')));
      git(all.folder, ['unpack-objects', '-q'], fs.readFileSync(moved));
    }
    await expectAll({ dir: all.folder }, all);
  });

  it('in one repacked file of differences, and packed references', async () => {
    const all = await chained();
    git(all.folder, ['repack', '-adfq', '--depth=50', '--window=50']);
    git(all.folder, ['pack-refs', '--all', '--prune']);
    expect(fs.existsSync(join(all.folder, '.git', MAIN))).toBe(false);
    await expectAll({ dir: all.folder }, all);
  });

  it('from a linked work tree, and through objects borrowed from another repository', async () => {
    const all = await chained();
    const work = join(scratch('work'), 'tree');
    git(all.folder, ['worktree', 'add', '-q', '--detach', work, MAIN]);
    await expectAll({ dir: work }, all);
    const borrower = join(scratch('borrower'), 'b.git');
    git(all.folder, ['clone', '-q', '--mirror', '--shared', all.folder, borrower]);
    await expectAll({ gitdir: borrower }, all);
  });
});

describe('a reader without git refuses by name', () => {
  it('a folder that is no repository', async () => {
    await expect(openReader({ fs, dir: scratch('none') })).rejects.toMatchObject({ code: 'not_a_repository' });
  });

  it('a repository of SHA-256 objects', async () => {
    await expect(openReader({ fs, dir: scratchRepository('--object-format=sha256') })).rejects.toMatchObject({
      code: 'sha256_repository',
    });
  });

  it('references kept in a way that only newer programs read', async () => {
    const folder = scratchRepository();
    fs.appendFileSync(join(folder, '.git/config'), '[extensions]\n\trefStorage = reftable\n');
    await expect(openReader({ fs, dir: folder })).rejects.toMatchObject({ code: 'ref_backend_unreadable' });
  });

  it('a shallow or a partial clone', async () => {
    const { folder } = await chained();
    const clone = async (...options: string[]): Promise<RepositoryReader> => {
      const target = join(scratch('clone'), 'c');
      git(folder, [
        '-c',
        'uploadpack.allowFilter=true',
        'clone',
        '-q',
        '--no-checkout',
        '-b',
        'lazarus/main',
        ...options,
        `file://${folder}`,
        target,
      ]);
      return openReader({ fs, dir: target });
    };
    await expect((await clone('--depth=1')).assertComplete()).rejects.toMatchObject({ code: 'shallow_repository' });
    git(folder, ['config', 'uploadpack.allowFilter', 'true']);
    await expect((await clone('--filter=blob:none')).assertComplete()).rejects.toMatchObject({ code: 'partial_clone' });
  });

  it('an object whose bytes rotted', async () => {
    const folder = scratchRepository();
    const oid = git(folder, ['hash-object', '-w', '--stdin'], 'good\n');
    const other = git(folder, ['hash-object', '-w', '--stdin'], 'evil\n');
    const path = (name: string): string => join(folder, '.git/objects', name.slice(0, 2), name.slice(2));
    fs.chmodSync(path(oid), 0o644);
    fs.copyFileSync(path(other), path(oid));
    const reader = await openReader({ fs, dir: folder });
    onTestFinished(() => reader.close());
    await expect(collect(reader.read([oid]))).rejects.toMatchObject({ code: 'object_corrupt' });
  });

  it('a reference that would lead out of the repository', async () => {
    const { folder } = await chained();
    const reader = await openReader({ fs, dir: folder });
    for (const ref of ['refs/../config', 'refs/heads/../../HEAD', 'HEAD', 'main', 'refs/heads/x.lock'])
      await expect(reader.resolve(ref)).rejects.toMatchObject({ code: 'usage' });
    // isomorphic-git on its own would answer for the branch of that name.
    git(folder, ['update-ref', 'refs/heads/refs/heads/odd', MAIN]);
    expect(await reader.resolve('refs/heads/odd')).toBeUndefined();
  });
});
