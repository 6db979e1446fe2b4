// The cache of entries: altered on disk, prepared twice at once, cleared while somebody uses one, kept within its size.
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { environmentsIn } from '../../../../src/adapters/cells/prepared/environments.ts';
import { workRepositories } from '../../../../src/adapters/git/work.ts';
import { processBackend } from '../../../../src/adapters/cells/process/backend.ts';
import type { PreparedMount } from '../../../../src/ports/cells.ts';
import { project, spawnIn } from '../../../support/cells.ts';
import { made, prepare, workshop, type Wanted, type Workshop } from '../../../support/environments.ts';
import { git } from '../../../support/repos.ts';

const DEPS = 'mkdir -p deps/a; echo one > deps/a/x; echo two > deps/y; ln -s a deps/l';

async function one(shellText = DEPS) {
  const place = await workshop();
  const { name, run, found, mounted } = await prepare(place, made(shellText));
  expect(run.exitCode, run.output).toBe(0);
  const folder = join(place.folder, 'environments', name);
  const { prepared } = await mounted();
  return { ...place, name, key: found.key, folder, deps: join(folder, 'tree/deps'), prepared };
}

function check({ cells }: Workshop, prepared: readonly PreparedMount[], shellText = 'cat deps/a/x') {
  return cells.runCheck({ project: project({ f: 'x' }), shellText, requiredLevel: 2, prepared });
}

describe('an entry that was altered on disk is found before anything runs with it', () => {
  test.each<[string, (deps: string) => void]>([
    [
      'a byte of a file, as long and as old as before',
      (deps) => {
        const { atime, mtime } = lstatSync(join(deps, 'y'));
        chmodSync(join(deps, 'y'), 0o644);
        writeFileSync(join(deps, 'y'), 'TWO\n');
        chmodSync(join(deps, 'y'), 0o444);
        utimesSync(join(deps, 'y'), atime, mtime);
      },
    ],
    ['a mode', (deps) => chmodSync(join(deps, 'a/x'), 0o555)],
    ['a file more', (deps) => writeFileSync(join(deps, 'a/new'), 'x')],
    ['a file less', (deps) => rmSync(join(deps, 'y'))],
    [
      'another file in its place',
      (deps) => {
        writeFileSync(join(deps, 'other'), 'two\n', { mode: 0o444 });
        renameSync(join(deps, 'other'), join(deps, 'y'));
      },
    ],
    [
      'a link that leads elsewhere',
      (deps) => {
        rmSync(join(deps, 'l'));
        symlinkSync('b', join(deps, 'l'));
      },
    ],
    [
      'a folder in place of another one',
      (deps) => {
        renameSync(join(deps, 'a'), join(deps, 'b'));
        mkdirSync(join(deps, 'a'));
      },
    ],
  ])('%s', async (_, alter) => {
    const entry = await one();
    expect((await check(entry, entry.prepared)).output).toBe('one\n');
    alter(entry.deps);
    const failure = { code: 'environment_altered', facts: { key: entry.key } };
    await expect(check(entry, entry.prepared)).rejects.toMatchObject(failure);
    // It was put away: nobody is given it again, and it is prepared anew.
    expect(readdirSync(join(entry.folder, '..'))).toEqual([]);
    expect((await prepare(entry, made(DEPS))).found).toMatchObject({ key: entry.key, isReady: false });
    expect((await check(entry, entry.prepared)).output).toBe('one\n');
  });

  test('what stands beside it', async () => {
    const entry = await one();
    truncateSync(join(entry.folder, 'seal.json'), 10);
    expect(await entry.environments.verify()).toEqual([{ key: entry.key, verdict: 'unreadable' }]);
    expect(await entry.environments.list()).toMatchObject([{ key: entry.key, environment: '?' }]);
    await expect(check(entry, entry.prepared)).rejects.toMatchObject({ code: 'environment_altered' });
  });
});

test('verifying reads every byte: what the seal alone would not see is found', async () => {
  const entry = await one();
  const other = await prepare(entry, made('mkdir deps; echo other > deps/x'));
  const asPrepared = [entry.key, other.found.key].sort().map((key) => ({ key, verdict: 'as_prepared' }));
  expect(await entry.environments.verify()).toEqual(asPrepared);
  appendFileSync(join(entry.deps, 'y'), 'more');
  expect(await entry.environments.verify(entry.name.slice(0, 12))).toEqual([{ key: entry.key, verdict: 'altered' }]);
  expect(await entry.environments.verify(other.found.key)).toEqual([{ key: other.found.key, verdict: 'as_prepared' }]);
});

test('two who prepare the same at once: both get it, it is whole, and nothing of the other is left', async () => {
  const place = await workshop();
  const wanted = made('mkdir deps; head -c 300000 /dev/zero > deps/x');
  const runs = await Promise.all([1, 2, 3].map(() => prepare(place, wanted)));
  expect(runs.map(({ run }) => run.exitCode)).toEqual([0, 0, 0]);
  expect(new Set(runs.map(({ name }) => name)).size).toBe(1);
  expect(readdirSync(join(place.folder, 'environments'))).toEqual([runs[0]!.name]);
  expect(await place.environments.verify()).toEqual([{ key: runs[0]!.found.key, verdict: 'as_prepared' }]);
});

test('what a cell has mounted stays until the cell is closed', async () => {
  const entry = await one();
  const cell = await spawnIn(entry.cells, { prepared: entry.prepared, command: { argv: ['sleep', '60'] } });
  expect(await entry.environments.list()).toMatchObject([{ key: entry.key, isMounted: true }]);
  expect(await entry.environments.clear('all')).toEqual({ removed: [], mounted: [entry.key] });
  await cell.close();
  expect(await entry.environments.clear('all')).toEqual({ removed: [entry.key], mounted: [] });
  expect(readdirSync(join(entry.folder, '..'))).toEqual([]);
  await expect(check(entry, entry.prepared)).rejects.toMatchObject({ code: 'environment_missing' });
});

test('what a killed supervisor had mounted, or had begun, holds nothing', async () => {
  const entry = await one();
  // Our own number, given to a process that began long ago: what a machine that reuses numbers shows.
  const dead = `${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))![0]}.${process.pid}.1.${randomUUID()}`;
  writeFileSync(join(entry.folder, 'held', dead), '');
  mkdirSync(join(entry.folder, '..', `making.${dead}`, 'tree'), { recursive: true });
  expect(await entry.environments.list()).toMatchObject([{ isMounted: false }]);
  expect(await entry.environments.clear({ olderThanSeconds: 3600 })).toEqual({ removed: [], mounted: [] });
  expect(readdirSync(join(entry.folder, '..'))).toEqual([entry.name]);
  expect((await entry.environments.clear('all')).removed).toEqual([entry.key]);
});

test('beyond its size those go that were not used for longest, and never one that is mounted', async () => {
  const place = await workshop();
  const small = environmentsIn(
    { folder: place.folder, repositories: workRepositories, backend: processBackend(place.folder) },
    250_000,
  );
  const bytes = (file: string): Wanted => made(`mkdir deps; head -c 100000 /dev/zero > deps/${file}`);
  const inSmall = { ...place, environments: small };
  const [a, b] = [await prepare(inSmall, bytes('a')), await prepare(inSmall, bytes('b'))];
  const at = (name: string): string => join(place.folder, 'environments', name);
  for (const [i, { name }] of [a, b].entries()) utimesSync(at(name), 1000 + i, 1000 + i);
  const cell = await spawnIn(place.cells, { ...(await a.mounted()), command: { argv: ['sleep', '60'] } });
  const c = await prepare(inSmall, bytes('c'));
  expect((await small.list()).map(({ key }) => key).sort()).toEqual([a.found.key, c.found.key].sort());
  await cell.close();
});

describe('where it belongs, the tree has something of its own: nothing is started, and nothing is mounted elsewhere', () => {
  test.each<[string, Record<string, string>, string]>([
    ['a file', { deps: 'x' }, 'deps'],
    ['a folder with files', { 'deps/own.txt': 'x' }, 'deps'],
    ['a file on the way', { web: 'x' }, 'web/deps'],
  ])('%s', async (_, files, at) => {
    const entry = await one();
    const prepared = [{ ...entry.prepared[0]!, at: `/cell/project/${at}` }];
    await expect(
      entry.cells.runCheck({ project: project(files), shellText: 'true', requiredLevel: 2, prepared }),
    ).rejects.toMatchObject({ code: 'environment_place_taken' });
    expect(readdirSync(join(entry.folder, 'held'))).toEqual([]);
  });

  test.each(['deps', 'web/deps'])('a link to a folder of the host at or above %s', async (at) => {
    const entry = await one();
    const base = project({ 'a.txt': 'x' });
    const tree = join(base.repository, '..');
    symlinkSync('/tmp', join(tree, at.split('/')[0]!));
    git(tree, ['add', '-A']);
    git(tree, ['commit', '-q', '-m', 'link']);
    const commit = git(tree, ['rev-parse', 'HEAD']);
    const prepared = [{ ...entry.prepared[0]!, at: `/cell/project/${at}` }];
    await expect(
      entry.cells.runCheck({ project: { ...base, commit }, shellText: 'true', requiredLevel: 2, prepared }),
    ).rejects.toMatchObject({ code: 'environment_place_taken' });
  });

  test('beside what the tree has, in a folder of it: there, and the rest as it was', async () => {
    const entry = await one();
    const prepared = [{ ...entry.prepared[0]!, at: '/cell/project/web/deps' }];
    const { output } = await entry.cells.runCheck({
      project: project({ 'web/own.txt': 'own\n' }),
      shellText:
        'cat web/own.txt web/deps/a/x; echo more > web/own.txt && echo written; touch web/deps/b 2>/dev/null || echo read-only',
      writable: ['web'],
      requiredLevel: 2,
      prepared,
    });
    expect(output).toBe('own\none\nwritten\nread-only\n');
  });
});

test.each<[string, Partial<PreparedMount>]>([
  ['a folder of the host in place of an entry', { from: '/etc' }],
  ['a way out of an entry', { from: '/etc/environments/../x/tree' }],
  ['a place outside of the project', { at: '/usr/lib' }],
  ['the project itself', { at: '/cell/project/' }],
  ['its repository', { at: '/cell/project/.git/hooks' }],
  ['a way out of the project', { at: '/cell/project/../home' }],
  ['a writable folder elsewhere', { writable: ['../x'] }],
])('refused: %s', async (_, changes) => {
  const entry = await one();
  await expect(check(entry, [{ ...entry.prepared[0]!, ...changes }])).rejects.toMatchObject({
    code: 'cell_spec_invalid',
  });
});

test.runIf(process.getuid!() === 0)('an entry belongs to root, and no cell runs as root', async () => {
  const entry = await one();
  const owners = ['.', 'a', 'a/x', 'y', 'l'].map((path) => lstatSync(join(entry.deps, path)).uid);
  expect(owners).toEqual([0, 0, 0, 0, 0]);
  const { output } = await check(entry, entry.prepared, 'id -u; chmod u+w deps/y; rm deps/y; mount -o remount,rw deps');
  expect(output).toMatch(/^60\d{3}\n|^61\d{3}\n/);
  expect(output).not.toMatch(/^0\n/);
  expect(readFileSync(join(entry.deps, 'y'), 'utf8')).toBe('two\n');
});
