// What may happen while an artifact is added: rivals, a sudden end at any step, and more bytes than there may be.
import { describe, expect, it } from 'vitest';
import type { OpenOptions } from '../../src/adapters/git/repository.ts';
import { auditArtifacts } from '../../src/app/artifacts/audit.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { arrange, readShelf } from '../../src/app/artifacts/shelf.ts';
import { ARTIFACT_BYTES_MAX } from '../../src/kernel/limits.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { begun, desk } from '../support/desk.ts';
import { git } from '../support/repos.ts';
import { ANA, BEN } from '../support/people.ts';

const GIB = 1024 ** 3;

type Step = Parameters<NonNullable<OpenOptions['onPoint']>>[0];

/** A repository with another answer in one place. */
function instead<Name extends keyof Repository>(
  changed: Name,
  answer: (target: Repository) => Repository[Name],
): (repository: Repository) => Repository {
  return (repository) =>
    new Proxy(repository, {
      get: (target, name) => {
        if (name === changed) return answer(target);
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
}

describe('two writers at once', () => {
  it('land both their events and both their bytes', async () => {
    const ana = await begun();
    const ben = await desk({ folder: ana.folder });
    const texts = ['a', 'b', 'c', 'd', 'e', 'f'];
    const added = await Promise.all(
      texts.map((text, i) =>
        i % 2 === 0 ? ana.add(ana.ref, text, { key: ANA }) : ben.add(ana.ref, text, { key: BEN }),
      ),
    );
    expect((await auditArtifacts(ana.bench, ana.ref)).findings.map(({ is }) => is)).toEqual(texts.map(() => 'sound'));
    for (const [i, { digest }] of added.entries()) expect(await ana.show(ana.ref, digest)).toBe(texts[i]);
  });

  it('one erasing while the other adds: the erased one stays away, the added one is there', async () => {
    const ana = await begun();
    const old = await ana.add(ana.ref, 'old');
    const ben = await desk({ folder: ana.folder });
    const [, added] = await Promise.all([ana.erase(ana.ref, old.digest), ben.add(ana.ref, 'new', { key: BEN })]);
    expect(await ben.show(ana.ref, added.digest)).toBe('new');
    expect((await auditArtifacts(ana.bench, ana.ref)).findings.map(({ is }) => is)).toEqual(['erased', 'sound']);
  });
});

describe('one more artifact', () => {
  it('asks nothing about those that lie there, and makes the shelf that a fresh look makes', async () => {
    let asked = 0;
    const wrap = instead('sizes', (target) => (oids) => {
      asked += 1;
      return target.sizes(oids);
    });
    const { folder, ref, shelf, add } = await begun({ wrap });
    const texts = ['first', 'second', 'third', 'fourth'];
    await add(ref, texts[0]!);
    asked = 0;
    for (const text of texts.slice(1)) await add(ref, text);
    expect(asked).toBe(0);
    const fresh = await desk({ folder });
    expect((await auditArtifacts(fresh.bench, ref)).findings.map(({ is }) => is)).toEqual(texts.map(() => 'sound'));
    // Built anew from its files, it is the very same commit: whoever comes next goes on from ours.
    const { blobs, head } = await readShelf(fresh.bench.parts.repository, git(folder, ['rev-parse', shelf]));
    expect(arrange(nodeCrypto, { head: undefined, blobs: new Map() }, blobs).oid).toBe(head);
  });

  it('notices that somebody else has moved the shelf', async () => {
    const ana = await begun();
    const ben = await desk({ folder: ana.folder });
    const added = [];
    for (const [i, text] of ['a', 'b', 'c', 'd'].entries())
      added.push(await (i % 2 === 0 ? ana : ben).add(ana.ref, text));
    for (const [i, { digest }] of added.entries()) expect(await ana.show(ana.ref, digest)).toBe('abcd'[i]);
    expect(git(ana.folder, ['fsck', '--full', '--no-dangling'])).toBe('');
  });
});

describe('a crash', () => {
  const STEPS: readonly Step[] = [
    'loose_stored',
    'pack_written',
    'pack_named',
    'index_named',
    'objects_durable',
    'references_sent',
    'references_moved',
  ];

  it.each(STEPS)('at %s leaves no event without its bytes, and the next one works', async (at) => {
    const { folder, ref, add } = await begun();
    await add(ref, 'before');
    const dying = await desk({
      folder,
      onPoint: (step) => {
        if (step === at) throw new Error('killed');
      },
    });
    await expect(dying.add(ref, 'during')).rejects.toThrow('killed');
    await dying.bench.close();
    const next = await desk({ folder });
    const { digest } = await next.add(ref, 'after');
    expect(await next.show(ref, digest)).toBe('after');
    const { findings } = await auditArtifacts(next.bench, ref);
    expect(new Set(findings.map(({ is }) => is))).toEqual(new Set(['sound']));
    expect(git(folder, ['fsck', '--full', '--no-dangling'])).toBe('');
  });

  it('between the bytes and the event leaves neither reference moved', async () => {
    const { folder, ref, shelf, add } = await begun();
    const { digest } = await add(ref, 'before');
    const heads = (): string => git(folder, ['for-each-ref', '--format=%(refname) %(objectname)']);
    const before = heads();
    const wrap = instead('commit', (target) => async (change) => {
      await target.commit({ objects: change.objects, updates: [] });
      throw new Error('killed');
    });
    await expect((await desk({ folder, wrap })).add(ref, 'during')).rejects.toThrow('killed');
    expect(heads()).toBe(before);
    expect(git(folder, ['ls-tree', '-r', '--name-only', shelf])).toBe(`${digest.slice(7, 9)}/${digest.slice(7)}`);
  });
});

describe('too much', () => {
  it('is refused: one artifact above its limit, encrypted ones with what encryption adds', async () => {
    const { ref, add } = await begun();
    const most = new Uint8Array(ARTIFACT_BYTES_MAX);
    await expect(add(ref, new Uint8Array(ARTIFACT_BYTES_MAX + 1))).rejects.toMatchObject({
      code: 'artifact_too_large',
    });
    await expect(add(ref, most, { isEncrypted: true })).rejects.toMatchObject({ code: 'artifact_too_large' });
    expect((await add(ref, most)).bytes).toBe(ARTIFACT_BYTES_MAX);
  });

  it('is refused: a ledger that keeps as much as it may', async () => {
    // Making a gigabyte would prove nothing more than saying it is there.
    const wrap = instead('sizes', () => async (oids) => oids.map(() => GIB - 20));
    const { ref, folder, add } = await begun();
    await add(ref, 'first');
    await expect((await desk({ folder, wrap })).add(ref, 'second')).rejects.toMatchObject({ code: 'artifacts_full' });
  });
});
