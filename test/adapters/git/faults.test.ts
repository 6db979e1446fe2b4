// What stands in the way of an append: other writers, locks, full disks, closed folders, sudden death. Each time
// either nothing happened or all of it, and the next append works.
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { collect } from '../../contract/repository.ts';
import { chain } from '../../support/objects.ts';
import { git, scratchRepository } from '../../support/repos.ts';
import { append, startingLine } from './appending.ts';

const MAIN = 'refs/heads/lazarus/main';
const NOBODY = 65_534;

function started(): { path: string; from: string } {
  const path = scratchRepository();
  const tree = git(path, ['mktree']);
  const from = git(path, ['commit-tree', tree, '-m', 'start']);
  git(path, ['update-ref', MAIN, from]);
  return { path, from };
}

/** The next process finds a sound repository, whatever happened, and can append to it. */
async function expectSound(path: string): Promise<void> {
  expect(git(path, ['fsck', '--full', '--strict', '--no-dangling'])).toBe('');
  const repository = await openRepository(path);
  const head = await repository.resolve(MAIN);
  await collect(repository.history(head!));
  const [next] = chain(1, 'next', head);
  await repository.commit({ objects: next!.objects, updates: [{ ref: MAIN, old: head, next: next!.commit.oid }] });
  expect(await repository.resolve(MAIN)).toBe(next!.commit.oid);
  await repository.close();
}

describe('two processes', () => {
  it('that race for one reference: exactly one wins, and the other is told', async () => {
    const { path, from } = started();
    const start = startingLine(4);
    const outcomes = await Promise.all(
      ['a', 'b', 'c', 'd'].map((label) => append(path, { ref: MAIN, label, from, commits: 1, waits: true }, { start })),
    );
    const won = outcomes.flatMap((outcome) => outcome.committed);
    expect(won).toEqual([git(path, ['rev-parse', MAIN])]);
    for (const { refused } of outcomes.filter((outcome) => outcome.committed.length === 0)) {
      expect(refused[0]).toMatch(/^(head_moved|lock_held) /);
    }
    await expectSound(path);
  });

  it('that append to ledgers of their own do not disturb each other, though both fold packs', async () => {
    const { path } = started();
    const outcomes = await Promise.all(
      ['a', 'b'].map((label) => append(path, { ref: `refs/heads/lazarus/${label}`, label, commits: 150 })),
    );
    for (const [i, label] of ['a', 'b'].entries()) {
      expect(outcomes[i]!.committed).toHaveLength(150);
      expect(git(path, ['rev-list', '--count', `refs/heads/lazarus/${label}`])).toBe('150');
    }
    await expectSound(path);
  });
});

describe('a lock', () => {
  it('that a dead process left is named with its age, and not broken', async () => {
    const { path, from } = started();
    const lock = join(path, '.git', `${MAIN}.lock`);
    writeFileSync(lock, '');
    const anHourAgo = new Date(Date.now() - 3600_000);
    utimesSync(lock, anHourAgo, anHourAgo);
    const repository = await openRepository(path);
    const [link] = chain(1, 'x', from);
    const change = { objects: link!.objects, updates: [{ ref: MAIN, old: from, next: link!.commit.oid }] };
    const refusal = await repository.commit(change).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'lock_held', retry: 'later', facts: { lock } });
    expect((refusal as { facts: { ageSeconds: number } }).facts.ageSeconds).toBeGreaterThanOrEqual(3600);
    expect(existsSync(lock)).toBe(true);
    expect(await repository.resolve(MAIN)).toBe(from);
    rmSync(lock);
    await repository.commit(change);
    expect(await repository.resolve(MAIN)).toBe(link!.commit.oid);
    await repository.close();
  });
});

describe('a full disk', () => {
  it('moves nothing and leaves nothing', async () => {
    const { path, from } = started();
    // The limit on the size of a file gives the same error paths as a full disk, for anybody, anywhere.
    const through = ['/bin/sh', '-c', 'ulimit -f 1; exec "$@"', 'sh'];
    const outcome = await append(path, { ref: MAIN, label: 'long'.repeat(9000), from, commits: 1 }, { through });
    expect(outcome.refused[0]).toMatch(/^disk_full /);
    expect(git(path, ['rev-parse', MAIN])).toBe(from);
    expect(readdirSync(join(path, '.git', 'objects', 'pack'))).toEqual([]);
    await expectSound(path);
  });
});

describe('a folder that cannot be written', () => {
  it.each([
    ['objects', 'objects/pack'],
    ['references', 'refs/heads/lazarus'],
  ])('moves nothing: %s', async (_, closed) => {
    const { path, from } = started();
    // Root may write anywhere, so the appender becomes somebody who may not.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) giveAway(path);
    chmodSync(path, 0o755);
    chmodSync(join(path, '.git', closed), 0o555);
    const outcome = await append(path, { ref: MAIN, label: 'x', from, commits: 1, ...(isRoot ? { uid: NOBODY } : {}) });
    chmodSync(join(path, '.git', closed), 0o755);
    if (isRoot) giveAway(path, 0);
    expect(outcome.refused[0]).toMatch(/^not_writable /);
    expect(git(path, ['rev-parse', MAIN])).toBe(from);
    await expectSound(path);
  });

  it('moves nothing where the folder for packs is no folder at all', async () => {
    const { path, from } = started();
    rmSync(join(path, '.git', 'objects', 'pack'), { recursive: true });
    writeFileSync(join(path, '.git', 'objects', 'pack'), '');
    const outcome = await append(path, { ref: MAIN, label: 'x', from, commits: 1 });
    expect(outcome.refused[0]).toMatch(/^not_writable /);
    rmSync(join(path, '.git', 'objects', 'pack'));
    mkdirSync(join(path, '.git', 'objects', 'pack'));
    await expectSound(path);
  });
});

describe('a process killed at', () => {
  it.each(['pack_written', 'pack_named', 'index_named', 'objects_durable', 'references_sent', 'references_moved'])(
    '%s leaves nothing or the whole change, and no lock',
    async (step) => {
      const { path, from } = started();
      const [first, second] = chain(2, 'killed', from).map((link) => link.commit.oid);
      const outcome = await append(path, { ref: MAIN, label: 'killed', from, commits: 2, dieAt: { step, times: 2 } });
      expect(outcome).toMatchObject({ signal: 'SIGKILL', committed: [first] });
      // Those of the git that moves references, too, which ends behind its caller.
      await vi.waitFor(() => expect(existsSync(join(path, '.git', `${MAIN}.lock`))).toBe(false));
      const head = git(path, ['rev-parse', MAIN]);
      if (step === 'references_moved') expect(head).toBe(second);
      else if (step === 'references_sent') expect([first, second]).toContain(head);
      else expect(head).toBe(first);
      await expectSound(path);
    },
  );

  it.each([
    ['fold_packed', 1],
    ['fold_durable', 1],
    ['fold_removed_one', 1],
    ['fold_removed_one', 30],
  ])('%s (%i) while it folds packs loses no object', async (step, times) => {
    const { path, from } = started();
    const outcome = await append(path, { ref: MAIN, label: 'folded', from, commits: 64, dieAt: { step, times } });
    expect(outcome.signal).toBe('SIGKILL');
    expect(git(path, ['rev-parse', MAIN])).toBe(outcome.committed.at(-1));
    await expectSound(path);
    const next = await append(path, { ref: MAIN, label: 'after', from: git(path, ['rev-parse', MAIN]), commits: 64 });
    expect(next.committed).toHaveLength(64);
    await expectSound(path);
  });
});

function giveAway(path: string, uid = NOBODY): void {
  chownSync(path, uid, uid);
  for (const entry of readdirSync(path, { recursive: true })) chownSync(join(path, String(entry)), uid, uid);
}
