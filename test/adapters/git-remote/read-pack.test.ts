// A pack from a stranger: what git itself writes is read to the last byte, and everything else is refused before memory or
// time is spent on it.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPack as readWithin } from '../../../src/adapters/git-remote/read-pack.ts';
import { git, scratchRepository } from '../../support/repos.ts';

type Entry = Uint8Array;
const ROOM = { objectBytesMax: 64 << 20, bytesMax: 256 << 20, objectsMax: 1_000_000 };
const readPack = (bytes: Uint8Array, limits: Partial<typeof ROOM> = {}) => readWithin(bytes, { ...ROOM, ...limits });
const [COMMIT, BLOB, OFS_DELTA, REF_DELTA] = [1, 3, 6, 7] as const;

function entryHeader(code: number, size: number): Buffer {
  const bytes = [(code << 4) | (size & 0x0f)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

const entry = (
  code: number,
  body: Uint8Array,
  { size = body.length, base = new Uint8Array(0) }: { size?: number; base?: Uint8Array } = {},
): Entry => Buffer.concat([entryHeader(code, size), base, deflateSync(body)]);

function pack(entries: readonly Entry[], { count = entries.length, version = 2, after = '' } = {}): Buffer {
  const header = Buffer.alloc(12);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(version, 4);
  header.writeUInt32BE(count, 8);
  const bytes = Buffer.concat([header, ...entries, text(after)]);
  return Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]);
}

const oidOf = (type: string, body: Uint8Array): string =>
  createHash('sha1').update(`${type} ${body.length}\0`).update(body).digest('hex');
const text = (words: string): Buffer => Buffer.from(words);
const size = (value: number): number[] =>
  value < 128 ? [value] : [(value & 127) | 128, ...size(Math.floor(value / 128))];
const insert = (words: string): number[] => [words.length, ...text(words)];
const delta = (base: number, result: number, ...instructions: number[]): Buffer =>
  Buffer.from([...size(base), ...size(result), ...instructions]);

describe('a pack of git', () => {
  it('with deltas upon deltas is read whole, each object under its own name', () => {
    const cwd = scratchRepository();
    const run = (args: string[], input?: string | Buffer): Buffer => execFileSync('git', args, { cwd, input });
    const lines = Array.from({ length: 400 }, (_, i) => `${i} ${randomBytes(8).toString('hex')}`);
    for (let n = 0; n < 12; n++) {
      lines[n * 7] = `changed ${n}`;
      const blob = run(['hash-object', '-w', '--stdin'], lines.join('\n')).toString().trim();
      const tree = run(['mktree'], `100644 blob ${blob}\tfile\n`).toString().trim();
      const parent = n === 0 ? [] : ['-p', 'refs/heads/x'];
      const commit = run(['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit-tree', tree, ...parent, '-m', `${n}`]);
      git(cwd, ['update-ref', 'refs/heads/x', commit.toString().trim()]);
    }
    const packed = run(['pack-objects', '--revs', '--stdout', '--delta-base-offset', '-q'], 'refs/heads/x\n');
    const names = git(cwd, ['rev-list', '--objects', '--no-object-names', 'refs/heads/x']).split('\n');
    const found = readPack(packed);
    expect(found.map(({ oid }) => oid).toSorted()).toEqual(names.toSorted());
    for (const { oid, type, body } of found) expect(Buffer.from(body).equals(run(['cat-file', type, oid]))).toBe(true);
    expect(packed.length).toBeLessThan(found.reduce((sum, { body }) => sum + body.length, 0) / 3);
    // The other way to name a base.
    const byName = run(['pack-objects', '--revs', '--stdout', '-q'], 'refs/heads/x\n');
    expect(readPack(byName).length).toBe(names.length);
  });

  it('may have a base behind what stands upon it, and an empty object', () => {
    const base = text('one\n');
    const name = Buffer.from(oidOf('blob', base), 'hex');
    const chain = entry(REF_DELTA, delta(4, 8, 0x90, 4, ...insert('two\n')), { base: name });
    const found = readPack(pack([chain, entry(BLOB, base), entry(BLOB, text(''))]));
    expect(found.map(({ body }) => Buffer.from(body).toString()).toSorted()).toEqual(['', 'one\n', 'one\ntwo\n']);
  });

  it('may hold a tag, which is nothing to a ledger', () => {
    expect(readPack(pack([entry(4, text('object …')), entry(BLOB, text('a'))])).map(({ type }) => type)).toEqual([
      'blob',
    ]);
  });
});

describe('a pack of a stranger', () => {
  const good = pack([entry(BLOB, text('hello')), entry(COMMIT, text('tree'))]);
  const ofs = (distance: number, body: Uint8Array): Entry => entry(OFS_DELTA, body, { base: Buffer.from([distance]) });
  const first = entry(BLOB, text('hello'));
  const upon = (body: Uint8Array): Buffer => pack([first, ofs(first.length, body)]);

  it.each<[string, Uint8Array]>([
    ['nothing', Buffer.alloc(0)],
    ['a page', text('<html>please log in</html>'.repeat(3))],
    ['one that ends too early', good.subarray(0, -1)],
    ['one with a byte changed', Buffer.concat([good.subarray(0, 20), Buffer.from([good[20]! ^ 1]), good.subarray(21)])],
    ['another version', pack([first], { version: 3 })],
    ['fewer objects than it says', pack([first], { count: 2 })],
    ['four thousand million objects', pack([first], { count: 0xffff_ffff })],
    ['more objects than it says', pack([first, first], { count: 1 })],
    ['something behind its objects', pack([first], { after: 'more' })],
    ['an entry of no kind', pack([entry(5, text('x'))])],
    ['an entry of kind zero', pack([entry(0, text('x'))])],
    ['a body longer than it says', pack([entry(BLOB, text('hello'), { size: 4 })])],
    ['a body shorter than it says', pack([entry(BLOB, text('hello'), { size: 6 })])],
    ['a body that is no zlib', pack([Buffer.concat([entryHeader(BLOB, 5), text('hello')])])],
    [
      'a body that never ends',
      pack([Buffer.concat([entryHeader(BLOB, 500), deflateSync(randomBytes(500)).subarray(0, 99)])]),
    ],
    ['a size without end', pack([Buffer.from(Array.from({ length: 30 }, () => 0xbf))])],
    ['a base that is not there', pack([entry(REF_DELTA, delta(1, 1, ...insert('a')), { base: Buffer.alloc(20, 7) })])],
    ['a delta upon itself', pack([ofs(0, delta(1, 1, ...insert('a')))])],
    ['a base before the pack', pack([ofs(100, delta(1, 1, ...insert('a')))])],
    ['a base inside another object', pack([first, ofs(first.length - 1, delta(5, 1, ...insert('a')))])],
    ['a delta of another base', upon(delta(4, 1, ...insert('a')))],
    ['a delta that copies from behind its base', upon(delta(5, 5, 0x91, 1, 5))],
    ['a delta that copies more than its result', upon(delta(5, 4, 0x90, 5))],
    ['a delta that inserts more than its result', upon(delta(5, 1, ...insert('ab')))],
    ['a delta that makes too little', upon(delta(5, 9, ...insert('a')))],
    ['a delta with the reserved instruction', upon(delta(5, 1, 0, ...insert('a')))],
    ['a delta that ends inside an instruction', upon(delta(5, 5, 0x91))],
    ['a delta of nothing', upon(Buffer.alloc(0))],
    ['a delta whose size has no end', upon(Buffer.alloc(20, 0xff))],
  ])('is refused: %s', (_, bytes) => {
    expect(() => readPack(bytes)).toThrow(expect.objectContaining({ code: 'remote_protocol' }));
  });

  it('is not unpacked beyond what was agreed, however small it is', () => {
    const limits = { objectBytesMax: 1000, bytesMax: 5000 };
    const tooLarge = expect.objectContaining({ code: 'object_too_large' });
    expect(() => readPack(pack([entry(BLOB, Buffer.alloc(1001))]), limits)).toThrow(tooLarge);
    // A size that is only claimed costs nothing either.
    expect(() => readPack(pack([entry(BLOB, text('x'), { size: 2 ** 40 })]), limits)).toThrow(tooLarge);
    expect(() => readPack(pack([first, ofs(first.length, delta(5, 2 ** 34, 0x90, 5))]), limits)).toThrow(tooLarge);
    // Many small ones: each is 900 bytes made of a delta of ten.
    const body = Buffer.alloc(900, 1);
    const again = entry(REF_DELTA, delta(900, 900, 0xb0, 0x84, 3), { base: Buffer.from(oidOf('blob', body), 'hex') });
    expect(() => readPack(pack([entry(BLOB, body), ...Array.from({ length: 10 }, () => again)]), limits)).toThrow(
      tooLarge,
    );
  });

  it('has no more objects than was agreed, however little each of them weighs', () => {
    // The attack: a dozen bytes each in the pack, and hundreds in memory.
    const three = pack(['a', 'b', 'c'].map((word) => entry(BLOB, text(word))));
    expect(readPack(three, { objectsMax: 3 }).length).toBe(3);
    expect(() => readPack(three, { objectsMax: 2 })).toThrow(expect.objectContaining({ code: 'object_too_large' }));
  });

  it('may keep a hundred thousand deltas waiting for one base without making anybody wait', () => {
    // The attack: to look through all that wait for each object that comes would take minutes.
    const base = text('base');
    const name = Buffer.from(oidOf('blob', base), 'hex');
    const waiting = Array.from({ length: 100_000 }, () =>
      entry(REF_DELTA, delta(4, 1, ...insert('x')), { base: name }),
    );
    expect(readPack(pack([...waiting, entry(BLOB, base)])).length).toBe(2);
  });
});
