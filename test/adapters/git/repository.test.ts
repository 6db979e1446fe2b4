// The repository on disk: the contract, and what only a disk has: packed references, work trees, and a `.git` that
// somebody else prepared to run programs or to show another history.
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryRepository } from '../../../src/adapters/memory/memory-repository.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { collect, repositoryContract } from '../../contract/repository.ts';
import { chain } from '../../support/objects.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';
import { append, MAIN, opened } from './opened.ts';
import { isRunning, recordProcesses } from './recorded.ts';

repositoryContract('git on disk', async () => openRepository(scratchRepository()));
repositoryContract('memory', async () => createMemoryRepository());

describe('a repository on disk', () => {
  it('is found from a folder inside it, from a bare clone and from a work tree, with one shared state folder', async () => {
    const path = scratchRepository();
    mkdirSync(join(path, 'inner'));
    const inner = await opened(join(path, 'inner'));
    const links = chain(2);
    await append(inner, links);
    expect(inner.stateDir).toBe(join(path, '.git', 'lazarus'));

    const tree = join(scratch(), 'tree');
    git(path, ['worktree', 'add', '-q', '--detach', tree, links[0]!.commit.oid]);
    const linked = await opened(tree);
    expect(linked.stateDir).toBe(inner.stateDir);
    expect(await linked.resolve('HEAD')).toBe(links[0]!.commit.oid);
    await append(linked, chain(1, 'tree', links[1]!.commit.oid), links[1]!.commit.oid);
    expect(await inner.resolve(MAIN)).toBe(await linked.resolve(MAIN));

    const bare = join(scratch(), 'bare.git');
    git(path, ['clone', '-q', '--bare', path, bare]);
    expect(await (await opened(bare)).resolve(MAIN)).toBe(await inner.resolve(MAIN));
  });

  it('follows HEAD, which may name nothing yet', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    expect(await repository.resolve('HEAD')).toBeUndefined();
    git(path, ['symbolic-ref', 'HEAD', MAIN]);
    await append(repository, chain(1));
    expect(await repository.resolve('HEAD')).toBe(await repository.resolve(MAIN));
  });

  it('leaves what git fsck --strict and git itself accept', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    const links = chain(20);
    await append(repository, links);
    expect(git(path, ['fsck', '--strict', '--full', '--no-dangling'])).toBe('');
    expect(git(path, ['rev-list', MAIN]).split('\n')).toEqual(links.toReversed().map((link) => link.commit.oid));
    expect(git(path, ['show', `${MAIN}:hot/000000019.json`])).toContain('"event":19');
  });

  it('goes on when references are packed and objects repacked between appends', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    const links = chain(6);
    for (const [i, { objects, commit }] of links.entries()) {
      await repository.commit({ objects, updates: [{ ref: MAIN, old: links[i - 1]?.commit.oid, next: commit.oid }] });
      git(path, ['pack-refs', '--all', '--prune']);
      expect(await repository.resolve(MAIN)).toBe(commit.oid);
      if (i === 3) git(path, ['gc', '-q', '--prune=now']);
    }
    expect(await collect(repository.history(links[5]!.commit.oid))).toHaveLength(6);
    expect(await collect(repository.read(links.map((link) => link.file.oid)))).toHaveLength(6);
    await repository.commit({ objects: [], updates: [{ ref: MAIN, old: links[5]!.commit.oid, next: undefined }] });
    expect(await repository.resolve(MAIN)).toBeUndefined();
  });

  it('reads the newest commits, and a few objects, in one process', async () => {
    const path = scratchRepository();
    const links = chain(40);
    await append(await opened(path), links);
    const started = recordProcesses();
    const fresh = await opened(path);
    const before = started().length;
    let left = 16;
    for await (const { oid } of fresh.history(links[39]!.commit.oid)) {
      expect(oid).toBe(links[23 + left]!.commit.oid);
      if (--left === 0) break;
    }
    expect(await collect(fresh.read([links[0]!.file.oid]))).toHaveLength(1);
    expect(started().length - before).toBe(1);
    expect(await collect(fresh.history(links[39]!.commit.oid))).toHaveLength(40);
    expect(started().length - before).toBe(3);
  });

  it('compares with the packed references of now, though git takes a file changed within a second for unchanged', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    const [first, second, third] = chain(3);
    await append(repository, [first!]);
    git(path, ['pack-refs', '--all', '--prune']);
    const other = { ref: 'refs/heads/lazarus/other', old: undefined, next: first!.commit.oid };
    await repository.commit({ objects: second!.objects, updates: [other] });
    // What somebody else's append and pack-refs come to when the new file gets the old one's inode.
    const packed = join(path, '.git', 'packed-refs');
    const text = readFileSync(packed, 'utf8').replace(first!.commit.oid, second!.commit.oid);
    writeFileSync(packed, text, { flag: 'r+' });
    await append(repository, [third!], second!.commit.oid);
    expect(await repository.resolve(MAIN)).toBe(third!.commit.oid);
  });

  it('is not misled by a tag named like a branch that does not exist', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    await append(repository, chain(1));
    git(path, ['update-ref', 'refs/tags/refs/heads/lazarus/ghost', MAIN]);
    git(path, ['update-ref', 'refs/heads/refs/heads/lazarus/ghost', MAIN]);
    expect(await repository.resolve('refs/heads/lazarus/ghost')).toBeUndefined();
  });

  it('names a reference that a power cut left empty, instead of taking it for absent', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    await append(repository, chain(1));
    writeFileSync(join(path, '.git', 'refs', 'heads', 'lazarus', 'empty'), '');
    const broken = { code: 'reference_broken', facts: { ref: 'refs/heads/lazarus/empty' } };
    await expect(repository.resolve('refs/heads/lazarus/empty')).rejects.toMatchObject(broken);
    await expect(repository.list('refs/heads/lazarus/')).rejects.toMatchObject(broken);
  });

  it('starts its git processes again when somebody ended them', async () => {
    const path = scratchRepository();
    const children = recordProcesses();
    const repository = await opened(path);
    const links = chain(2);
    await append(repository, links.slice(0, 1));
    await collect(repository.read([links[0]!.file.oid]));
    const running = children().filter(isRunning);
    expect(running).toHaveLength(2);
    for (const child of running) process.kill(child, 'SIGKILL');
    while (running.some(isRunning)) await new Promise((resolve) => setImmediate(resolve));
    await append(repository, links.slice(1), links[0]!.commit.oid);
    expect(await collect(repository.read([links[1]!.file.oid]))).toHaveLength(1);
  });

  it('stops when it is told to, by name, and closes all the same', async () => {
    const path = scratchRepository();
    const stop = new AbortController();
    const repository = await openRepository(path, { signal: stop.signal });
    const links = chain(300);
    const objects = links.flatMap((link) => link.objects);
    await repository.commit({ objects, updates: [{ ref: MAIN, old: undefined, next: links[299]!.commit.oid }] });
    stop.abort();
    const interrupted = { code: 'interrupted' };
    await expect(collect(repository.history(links[299]!.commit.oid))).rejects.toMatchObject(interrupted);
    await expect(collect(repository.read([links[0]!.file.oid]))).rejects.toMatchObject(interrupted);
    await expect(repository.countBetween(links[0]!.commit.oid, links[1]!.commit.oid)).rejects.toMatchObject(
      interrupted,
    );
    await repository.close();
  });

  it('is left alone by a question that goes on when it is closed: no git stays for an answer that nobody hears', async () => {
    const pids = recordProcesses();
    const repository = await openRepository(scratchRepository());
    const links = chain(2);
    await append(repository, links.slice(0, 1));
    const { commit, file } = links[0]!;
    // As whoever follows a path through trees asks: one thing after the other.
    const first = collect(repository.read([commit.oid])).catch(() => undefined);
    const second = first.then(() => collect(repository.read([file.oid])));
    second.catch(() => undefined);
    await repository.close();
    const interrupted = { code: 'interrupted' };
    await expect(second).rejects.toMatchObject(interrupted);
    await expect(append(repository, links.slice(1), commit.oid)).rejects.toMatchObject(interrupted);
    const running = pids().filter(isRunning);
    while (running.some(isRunning)) await new Promise((resolve) => setImmediate(resolve));
  });

  it('removes what a killed writer left an hour ago, and nothing younger or of anybody else', async () => {
    const path = scratchRepository();
    const folder = join(path, '.git', 'objects', 'pack');
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of ['tmp_lazarus_old', 'tmp_lazarus_new', 'tmp_pack_theirs'])
      writeFileSync(join(folder, name), 'x');
    for (const name of ['tmp_lazarus_old', 'tmp_pack_theirs']) utimesSync(join(folder, name), old, old);
    const repository = await openRepository(path);
    await append(repository, chain(1));
    await repository.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('tmp_'))).toEqual([
      'tmp_lazarus_new',
      'tmp_pack_theirs',
    ]);
  });

  it('writes packs that nobody can change by accident', async () => {
    const path = scratchRepository();
    await append(await opened(path), chain(1));
    const folder = join(path, '.git', 'objects', 'pack');
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o222).toBe(0);
  });
});
