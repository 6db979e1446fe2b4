// References on disk: what is asked of git and what is not, and what happens between the promise of a move and the move.
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { chain } from '../../support/objects.ts';
import { git, scratchRepository } from '../../support/repos.ts';
import { append, MAIN, opened } from './opened.ts';
import { isRunning, recordProcesses } from './recorded.ts';

const OTHER = 'refs/heads/lazarus/other';

describe('a reference without a file', () => {
  it('is absent without a question to git, however many stand beside it and whatever is wrong with them', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    await append(repository, chain(1));
    git(path, ['update-ref', 'refs/heads/lazarus/packed', MAIN]);
    git(path, ['pack-refs', '--all', '--prune']);
    writeFileSync(join(path, '.git', 'refs', 'heads', 'lazarus-broken'), '');
    const started = recordProcesses();
    expect(await repository.resolve('refs/heads/lazarus/absent')).toBeUndefined();
    // The end of a name, and the beginning of one.
    expect(await repository.resolve('refs/heads/lazarus/pack')).toBeUndefined();
    expect(await repository.resolve('refs/heads/packed')).toBeUndefined();
    expect(started()).toEqual([]);
    expect(await repository.resolve('refs/heads/lazarus/packed')).toBe(await repository.resolve(MAIN));
  });

  it('is not taken for absent where the packed references end in the middle', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    await append(repository, chain(1));
    git(path, ['pack-refs', '--all', '--prune']);
    const packed = join(path, '.git', 'packed-refs');
    truncateSync(packed, readFileSync(packed).length - 3);
    await expect(repository.resolve(MAIN)).rejects.toMatchObject({ name: 'Failure' });
  });
});

describe('the running git that moves references', () => {
  it('is replaced now and then, because it goes on searching every pack it has seen', async () => {
    const path = scratchRepository();
    const started = recordProcesses();
    const repository = await opened(path);
    const links = chain(130);
    await append(repository, links.slice(0, 1));
    const first = started().find(isRunning)!;
    await append(repository, links.slice(1), links[0]!.commit.oid);
    expect(isRunning(first)).toBe(false);
    expect(git(path, ['rev-list', '--count', MAIN])).toBe('130');
  });
});

describe('while a change becomes durable', () => {
  it('its references stay where they were until all of it is', async () => {
    const path = scratchRepository();
    const seen: unknown[] = [];
    const [first, second] = chain(2);
    const repository = await openRepository(path, {
      onPoint: (step) => {
        if (step === 'references_sent') return;
        seen.push(existsSync(join(path, '.git', MAIN)) ? readFileSync(join(path, '.git', MAIN), 'utf8').trim() : step);
      },
    });
    onTestFinished(() => repository.close());
    await append(repository, [first!]);
    expect(seen.slice(0, 4)).toEqual(['pack_written', 'pack_named', 'index_named', 'objects_durable']);
    seen.length = 0;
    await append(repository, [second!], first!.commit.oid);
    expect(seen.slice(0, 4)).toEqual(Array(4).fill(first!.commit.oid));
    expect(await repository.resolve(MAIN)).toBe(second!.commit.oid);
  });

  it('and then does not, none of them moves, no lock is left, and the same repository goes on', async () => {
    const path = scratchRepository();
    let fails = false;
    const repository = await openRepository(path, {
      onPoint: (step) => {
        if (fails && step === 'objects_durable') throw new Error('the disk gave up');
      },
    });
    onTestFinished(() => repository.close());
    const [first, second, third] = chain(3);
    await append(repository, [first!]);
    fails = true;
    const updates = [
      { ref: MAIN, old: first!.commit.oid, next: second!.commit.oid },
      { ref: OTHER, old: undefined, next: second!.commit.oid },
    ];
    await expect(repository.commit({ objects: second!.objects, updates })).rejects.toThrow('the disk gave up');
    fails = false;
    expect(await repository.resolve(MAIN)).toBe(first!.commit.oid);
    expect(await repository.resolve(OTHER)).toBeUndefined();
    expect([MAIN, OTHER].filter((ref) => existsSync(join(path, '.git', `${ref}.lock`)))).toEqual([]);
    await repository.commit({ objects: [...second!.objects, ...third!.objects], updates });
    expect(git(path, ['rev-parse', MAIN, OTHER])).toBe(`${second!.commit.oid}\n${second!.commit.oid}`);
  });
});
