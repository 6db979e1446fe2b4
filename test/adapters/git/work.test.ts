// Packs from strangers: what is malformed, too large, incomplete or dangerous leaves no repository behind, and what is
// good becomes one commit of the host's.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import type { HandedOver, WorkLimits } from '../../../src/ports/work.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

const AUTHOR = { name: 'runner', email: 'ff@lazarus.invalid', atSeconds: 1_700_000_000 };

type Ground = { readonly repository: string; readonly commit: string; readonly cell: string };

/** A base of the host's, and a repository in which somebody may have made anything. */
function ground(): Ground {
  const host = scratchRepository();
  writeFileSync(join(host, 'a.txt'), 'one\n');
  git(host, ['add', '-A']);
  git(host, ['commit', '-q', '-m', 'base']);
  const cell = scratch('cell');
  git(cell, ['clone', '-q', '--no-local', host, '.']);
  return { repository: join(host, '.git'), commit: git(host, ['rev-parse', 'HEAD']), cell };
}

/** An object that git itself would refuse to make. */
function write(cell: string, type: string, body: string | Buffer): string {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return git(cell, ['hash-object', '-t', type, '-w', '--stdin', '--literally'], bytes);
}

function entry(mode: string, name: string, oid: string): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(oid, 'hex')]);
}

function packOf(cell: string, oids: readonly string[]): Buffer {
  const packed = spawnSync('git', ['pack-objects', '--stdout', '-q'], {
    cwd: cell,
    input: `${oids.join('\n')}\n`,
    maxBuffer: 1 << 30,
  });
  if (packed.status !== 0) throw new Error(packed.stderr.toString());
  return packed.stdout;
}

async function receive(at: Ground, tree: string, pack: Buffer, limits: Partial<WorkLimits> = {}) {
  const into = join(scratch('into'), 'work');
  async function* pieces() {
    for (let i = 0; i < pack.length; i += 65_536) yield pack.subarray(i, i + 65_536);
  }
  const work: HandedOver = {
    into,
    base: { repository: at.repository, commit: at.commit },
    tree,
    pack: pieces(),
    commit: { author: AUTHOR, message: 'work\n' },
    limits,
  };
  try {
    return { into, commit: await workRepositories.receive(work) };
  } catch (error) {
    expect(existsSync(into)).toBe(false);
    expect(git(at.repository, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/main');
    throw error;
  }
}

test('a good tree becomes one commit on the base, and its objects can be carried on', async () => {
  const at = ground();
  const blob = write(at.cell, 'blob', 'two\n');
  const tree = write(at.cell, 'tree', Buffer.concat([entry('100644', 'a.txt', blob), entry('120000', 'l', blob)]));
  const { into, commit } = await receive(at, tree, packOf(at.cell, [blob, tree]));
  expect(git(into, ['cat-file', 'commit', commit])).toBe(
    `tree ${tree}\nparent ${at.commit}\nauthor runner <ff@lazarus.invalid> 1700000000 +0000\ncommitter runner <ff@lazarus.invalid> 1700000000 +0000\n\nwork`,
  );
  const objects = await workRepositories.objectsOf(into, at.commit, commit);
  expect(objects.map(({ oid }) => oid).sort()).toEqual([blob, commit, tree].sort());
  expect(Buffer.from(await workRepositories.blob(into, blob)).toString()).toBe('two\n');
  await expect(workRepositories.blob(into, tree)).rejects.toMatchObject({ code: 'object_missing' });
  expect(await workRepositories.readDiff(into, at.commit, tree)).toMatchObject([
    { path: 'a.txt', status: 'modified', oldMode: '100644', newMode: '100644', newOid: blob },
    { path: 'l', status: 'added', oldMode: '000000', newMode: '120000' },
  ]);
});

describe('refused, without a trace', () => {
  const cases: Readonly<Record<string, (cell: string, blob: string) => Buffer>> = {
    'a folder .git': (cell, blob) => entry('40000', '.git', write(cell, 'tree', entry('100644', 'config', blob))),
    'a folder .GIT': (cell, blob) => entry('40000', '.GIT', write(cell, 'tree', entry('100644', 'config', blob))),
    'a name that leads upwards': (_, blob) => entry('100644', '..', blob),
    'a name with a slash': (_, blob) => entry('100644', 'a/b', blob),
    'a name that is empty': (_, blob) => entry('100644', '', blob),
    'one name twice': (_, blob) => Buffer.concat([entry('100644', 'a', blob), entry('100644', 'a', blob)]),
    'names out of order': (_, blob) => Buffer.concat([entry('100644', 'b', blob), entry('100644', 'a', blob)]),
    'a linked .gitmodules': (_, blob) => entry('120000', '.gitmodules', blob),
    'a file that is missing': () => entry('100644', 'a', '1'.repeat(40)),
    'a set-uid bit': (_, blob) => entry('104755', 'a', blob),
    'a mode that git shows as another': (_, blob) => entry('100664', 'a', blob),
    'a mode with a zero in front': (_, blob) => entry('0100644', 'a', blob),
    'half an entry': (_, blob) => entry('100644', 'a', blob).subarray(0, 15),
  };
  test.each(Object.entries(cases))('%s', async (_, make) => {
    const at = ground();
    const blob = write(at.cell, 'blob', 'evil\n');
    const tree = write(at.cell, 'tree', make(at.cell, blob));
    const all = git(at.cell, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)'])
      .split('\n')
      .filter((line) => !line.endsWith('commit'))
      .map((line) => line.slice(0, 40));
    await expect(receive(at, tree, packOf(at.cell, all))).rejects.toMatchObject({ code: 'work_refused' });
  });

  test('no pack, half a pack, another pack, a tree that is a file', async () => {
    const at = ground();
    const blob = write(at.cell, 'blob', 'two\n');
    const tree = write(at.cell, 'tree', entry('100644', 'a', blob));
    const pack = packOf(at.cell, [blob, tree]);
    const attempts: readonly [string, Buffer][] = [
      [tree, Buffer.alloc(0)],
      [tree, pack.subarray(0, 40)],
      [tree, Buffer.from('PACK of lies')],
      [tree, packOf(at.cell, [blob])],
      [blob, pack],
      ['1'.repeat(40), pack],
    ];
    for (const [root, bytes] of attempts)
      await expect(receive(at, root, bytes)).rejects.toMatchObject({ code: 'work_refused' });
  });

  test('more than may be: in bytes that arrive, in bytes unpacked, in objects', async () => {
    const at = ground();
    const random = write(at.cell, 'blob', Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 251)));
    const zeros = write(at.cell, 'blob', Buffer.alloc(20 << 20));
    const tree = write(at.cell, 'tree', Buffer.concat([entry('100644', 'a', random), entry('100644', 'b', zeros)]));
    const pack = packOf(at.cell, [random, zeros, tree]);
    // Twenty megabytes of nothing travel as a few kilobytes.
    expect(pack.length).toBeLessThan(1 << 20);
    for (const limits of [{ packBytes: 1000 }, { unpackedBytes: 10 << 20 }, { objects: 2 }])
      await expect(receive(at, tree, pack, limits)).rejects.toMatchObject({ code: 'work_refused' });
    expect((await receive(at, tree, pack)).commit).toMatch(/^[0-9a-f]{40}$/);
  });

  test('a file that stands for far more than it says, by a delta', async () => {
    const at = ground();
    const base = Buffer.alloc(4 << 20, 'x');
    const blobs = [0, 1, 2, 3].map((n) => write(at.cell, 'blob', Buffer.concat([base, Buffer.from(String(n))])));
    const tree = write(at.cell, 'tree', Buffer.concat(blobs.map((blob, n) => entry('100644', `f${n}`, blob))));
    const pack = packOf(at.cell, [...blobs, tree]);
    await expect(receive(at, tree, pack, { unpackedBytes: 8 << 20 })).rejects.toMatchObject({
      code: 'work_refused',
      facts: { why: 'too large' },
    });
  });
});

test('a name that is no UTF-8 is refused by its bytes', async () => {
  const at = ground();
  const blob = write(at.cell, 'blob', 'x');
  const tree = write(at.cell, 'tree', entry('100644', 'bad\u00ff', blob));
  const { into } = await receive(at, tree, packOf(at.cell, [blob, tree]));
  await expect(workRepositories.readDiff(into, at.commit, tree)).rejects.toMatchObject({
    code: 'path_undecodable',
    facts: { path_hex: '626164ff' },
  });
});

test('submodules and links are told as they are, for the rule to judge', async () => {
  const at = ground();
  const blob = write(at.cell, 'blob', 'x');
  const tree = write(
    at.cell,
    'tree',
    Buffer.concat([entry('120000', 'link', blob), entry('160000', 'module', at.commit), entry('100755', 'run', blob)]),
  );
  const { into } = await receive(at, tree, packOf(at.cell, [blob, tree]));
  const changes = await workRepositories.readDiff(into, at.commit, tree);
  expect(changes.filter(({ status }) => status === 'added').map(({ path, newMode }) => `${newMode} ${path}`)).toEqual([
    '120000 link',
    '160000 module',
    '100755 run',
  ]);
});

test('a mirror takes what is new from a person’s repository, and runs none of its programs', async () => {
  const at = ground();
  const folder = scratch('mirror');
  const mirror = join(folder, 'm.git');
  const marker = join(folder, 'PWN');
  for (const [name, value] of [
    ['core.fsmonitor', `touch ${marker}`],
    ['uploadpack.packObjectsHook', `touch ${marker}`],
  ] as const)
    git(at.repository, ['config', name, value]);
  await workRepositories.mirror(at.repository, mirror, at.commit);
  await workRepositories.mirror(at.repository, mirror, at.commit);
  const next = git(at.repository, ['commit-tree', '-p', at.commit, '-m', 'next', `${at.commit}^{tree}`]);
  await workRepositories.mirror(at.repository, mirror, next);
  expect(git(mirror, ['rev-list', '--count', next])).toBe('2');
  expect(git(mirror, ['fsck', '--strict'])).toBe('');
  expect(existsSync(marker)).toBe(false);
  await expect(workRepositories.mirror(at.repository, mirror, '1'.repeat(40))).rejects.toMatchObject({
    code: 'object_missing',
  });
});
