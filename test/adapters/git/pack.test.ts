// Packs against git: every one passes index-pack --strict and verify-pack, unpacks to the same bytes, and its index
// equals the one that git makes.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePackIndex, indexedNames } from '../../../src/adapters/git/pack-index.ts';
import { encodePack, layOutPack } from '../../../src/adapters/git/pack.ts';
import { gitObject, type GitObject } from '../../../src/format/git/object.ts';
import { blob, chain, hashes } from '../../support/objects.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

/** Has git check and index a pack; returns the index and what verify-pack lists per object. */
function checked(pack: Uint8Array, strict = true): { index: Buffer; listing: Map<string, string[]> } {
  const file = join(scratch('pack'), 'test.pack');
  writeFileSync(file, pack);
  const repo = scratchRepository();
  git(repo, ['index-pack', ...(strict ? ['--strict'] : []), file]);
  const lines = git(repo, ['verify-pack', '-v', file])
    .split('\n')
    .filter((line) => /^[0-9a-f]{40} /.test(line));
  const listing = new Map(lines.map((line) => [line.slice(0, 40), line.slice(41).split(/ +/)]));
  return { index: readFileSync(file.replace(/pack$/, 'idx')), listing };
}

function bodyIn(repo: string, object: GitObject): Buffer {
  return execFileSync('git', ['cat-file', object.type, object.oid], { cwd: repo, maxBuffer: 64 << 20 });
}

describe('a pack', () => {
  it('of transactions is what git would accept from anybody, index included, and stores growth as differences', () => {
    const objects = chain(200).flatMap((link) => link.objects);
    const pack = layOutPack(objects, { thin: false });
    const { index, listing } = checked(pack.bytes);
    expect(Buffer.compare(index, Buffer.from(encodePackIndex(pack)))).toBe(0);
    expect([...listing.keys()].toSorted()).toEqual(objects.map((object) => object.oid).toSorted());
    expect(indexedNames(index)!.map((name) => Buffer.from(name, 'latin1').toString('hex'))).toEqual(
      [...listing.keys()].toSorted(),
    );
    const folders = chain(200).map((link) => link.objects[1]!);
    const stored = folders.map((folder) => Number(listing.get(folder.oid)![2]));
    const depths = folders.map((folder) => Number(listing.get(folder.oid)![4] ?? 0));
    expect(Math.max(...depths)).toBe(50);
    // All but the few that begin a chain: one entry and a few instructions, however large the folder has grown.
    expect(stored.filter((bytes) => bytes > 120).length).toBeLessThanOrEqual(4);
  });

  it.each([0, 1, 2])('of %i objects is complete', (count) => {
    const pack = layOutPack(chain(1)[0]!.objects.slice(0, count), { thin: false });
    const { index } = checked(pack.bytes);
    expect(Buffer.compare(index, Buffer.from(encodePackIndex(pack)))).toBe(0);
  });

  it('holds an object once that was handed in twice', () => {
    const one = blob('x');
    expect(checked(encodePack([one, blob('y'), one], { thin: false })).listing.size).toBe(2);
  });

  it('refers to bases outside only when it may be thin', () => {
    const [older, newer] = chain(100)
      .map((link) => link.objects[1]!)
      .slice(98) as [GitObject, GitObject];
    // Not strict: git would miss the blobs that this folder names.
    expect(checked(encodePack([newer], { thin: false }), false).listing.size).toBe(1);

    const receiver = scratchRepository();
    git(receiver, ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], older.body);
    const thin = encodePack([newer], { thin: true });
    expect(thin.length).toBeLessThan(200);
    git(receiver, ['index-pack', '--fix-thin', '--stdin'], thin);
    expect(Buffer.compare(bodyIn(receiver, newer), Buffer.from(newer.body))).toBe(0);
  });

  it('gives a body of nothing back, and one of a single byte', () => {
    const repo = scratchRepository();
    const base = gitObject(hashes, 'blob', bytesOf(300, 1));
    const bodies = [bytesOf(0, 0), bytesOf(1, 1)].map((body) => gitObject(hashes, 'blob', body, base));
    git(repo, ['index-pack', '--stdin', '--strict'], encodePack([base, ...bodies], { thin: false }));
    for (const { oid, body } of bodies) expect(git(repo, ['cat-file', '-s', oid])).toBe(String(body.length));
  });

  it('stores the largest body that it does not compress with the right checksum, whatever its bytes', () => {
    const repo = scratchRepository();
    const largest = gitObject(hashes, 'blob', Buffer.alloc(2048, 0xff));
    const pack = encodePack([largest], { thin: false });
    expect(pack.length).toBeGreaterThan(2048);
    git(repo, ['index-pack', '--stdin', '--strict'], pack);
    expect(Buffer.compare(bodyIn(repo, largest), Buffer.from(largest.body))).toBe(0);
  });

  it('compresses an event that is sent', () => {
    const event = gitObject(hashes, 'blob', Buffer.from('{"event_type":"note"}'.repeat(40)));
    expect(encodePack([event], { thin: true }).length).toBeLessThan(event.body.length / 2);
  });

  it('gives every body back, however it resembles its base', () => {
    const repo = scratchRepository();
    // Sizes around the limits of the encoding: stored blocks, single copies and inserts, zlib windows.
    const small = [0, 1, 95, 96, 97, 127, 128, 255, 256, 399, 400, 401, 2047, 2048, 2049];
    const size = fc.constantFrom(...small, 4096, 4097, 65_535, 65_536, 65_537, 140_000);
    const piece = fc.record({ size, seed: fc.nat(255) }).map(({ size, seed }) => bytesOf(size, seed));
    const pair = fc.record({ prefix: piece, before: piece, after: piece, suffix: piece });
    for (const thin of [false, true]) {
      const objects = fc.sample(pair, 150).flatMap(({ prefix, before, after, suffix }) => {
        const base = gitObject(hashes, 'blob', Buffer.concat([prefix, before, suffix]));
        return [base, gitObject(hashes, 'blob', Buffer.concat([prefix, after, suffix]), base)];
      });
      git(repo, ['index-pack', '--stdin', '--strict', '--fix-thin'], encodePack(objects, { thin }));
      for (const object of objects.filter((_, i) => i % 10 === 1)) {
        expect(Buffer.compare(bodyIn(repo, object), Buffer.from(object.body))).toBe(0);
      }
      expect(git(repo, ['fsck', '--full', '--strict', '--no-dangling'])).not.toContain('error');
    }
  });
});

function bytesOf(length: number, seed: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, i) => (i * (seed | 1) + (i >>> 8)) & 0xff));
}
