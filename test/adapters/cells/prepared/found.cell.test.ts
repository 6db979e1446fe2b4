// From a commit to what its cells are given: which files count, whose entry it is, and when something has to be prepared.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Environment } from '../../../../src/kernel/policy/environment.ts';
import type { CheckRun, ProjectBase } from '../../../../src/ports/cells.ts';
import type { FoundEnvironment } from '../../../../src/ports/environments.ts';
import { project } from '../../../support/cells.ts';
import { selfSignedCertificate } from '../../../support/certificate.ts';
import { PREPARING, workshop } from '../../../support/environments.ts';
import { git } from '../../../support/repos.ts';

const ENVIRONMENT = Environment.parse({
  files: ['dep.lock'],
  prepare: [['/bin/sh', '-c', 'mkdir deps; cp dep.lock deps/made-from; ls -A > deps/saw']],
  makes: ['deps'],
  path: ['deps/bin', '/usr/local/sbin'],
});
const FILES = { 'dep.lock': 'one\n', 'own.txt': 'not for preparing\n' };

async function start(environment = ENVIRONMENT, caFile: string | null = null) {
  const { cells, environments } = await workshop();
  return {
    find: (at: ProjectBase, origin = 'base'): Promise<FoundEnvironment> =>
      environments.find({ name: 'deps', environment, project: at, origin, caFile, at: 'project' }),
    prepare: (found: FoundEnvironment): Promise<CheckRun> =>
      environments.prepare(found, { ...PREPARING, cellId: randomUUID() }),
    seen: async (at: ProjectBase, found: FoundEnvironment): Promise<string> => {
      const shellText = 'cat deps/made-from deps/saw; echo $PATH';
      const mounted = await environments.mount([found]);
      return (await cells.runCheck({ project: at, shellText, requiredLevel: 2, ...mounted })).output;
    },
    environments,
  };
}

function committed({ repository }: ProjectBase, change: (tree: string) => void): ProjectBase {
  const tree = join(repository, '..');
  change(tree);
  git(tree, ['add', '-A']);
  git(tree, ['commit', '-q', '-m', 'next']);
  return { repository, commit: git(tree, ['rev-parse', 'HEAD']) };
}

test('prepared once, of the named files of that commit alone, and found again', async () => {
  const { find, prepare, seen } = await start();
  const base = project(FILES);
  const first = await find(base);
  expect(first.isReady).toBe(false);
  await prepare(first);
  expect(await seen(base, first)).toBe(
    'one\ndep.lock\ndeps\n/cell/project/deps/bin:/usr/local/sbin:/usr/local/bin:/usr/bin:/bin\n',
  );
  // A file that is not named changes nothing, nor does what lies in the working tree.
  const next = committed(base, (tree) => writeFileSync(join(tree, 'own.txt'), 'changed\n'));
  writeFileSync(join(base.repository, '..', 'dep.lock'), 'not committed\n');
  expect(await find(next)).toMatchObject({ isReady: true, key: first.key });
});

test('a lock file that changed between approval and run: another key, prepared anew', async () => {
  const { find, prepare, seen } = await start();
  const base = project(FILES);
  const before = await find(base);
  await prepare(before);
  const after = committed(base, (tree) => writeFileSync(join(tree, 'dep.lock'), 'two\n'));
  const now = await find(after);
  expect(now).toMatchObject({ isReady: false, key: expect.not.stringContaining(before.key) });
  await prepare(now);
  expect(await seen(after, now)).toMatch(/^two\n/);
});

test('what an attempt has prepared is found by no other attempt, nor by the base that it is merged into', async () => {
  const { find, prepare } = await start();
  const work = project({ ...FILES, 'dep.lock': 'two\n' });
  const [one, other] = [randomUUID(), randomUUID()];
  await prepare(await find(work, one));
  expect(await find(work, one)).toMatchObject({ isReady: true });
  expect(await find(work, other)).toMatchObject({ isReady: false });
  expect(await find(work)).toMatchObject({ isReady: false });
});

test.each<[string, (tree: string) => void]>([
  ['is not there', (tree) => git(tree, ['rm', '-q', '-f', 'dep.lock'])],
  [
    'is a link',
    (tree) => {
      git(tree, ['rm', '-q', '-f', 'dep.lock']);
      symlinkSync('own.txt', join(tree, 'dep.lock'));
    },
  ],
  [
    'is a submodule',
    (tree) => {
      git(tree, ['rm', '-q', '-f', 'dep.lock']);
      git(tree, ['update-index', '--add', '--cacheinfo', `160000,${git(tree, ['rev-parse', 'HEAD'])},dep.lock`]);
    },
  ],
])('a named file that %s: refused by name', async (_, change) => {
  const { find } = await start();
  const at = committed(project(FILES), change);
  await expect(find(at)).rejects.toMatchObject({ code: 'environment_file_missing', facts: { path: 'dep.lock' } });
});

test('a name that means something to Git is a name like any other', async () => {
  const { find } = await start(Environment.parse(ENVIRONMENT));
  const odd = await start(Environment.parse({ ...ENVIRONMENT, files: [':x'] }));
  expect((await find(project(FILES))).isReady).toBe(false);
  await expect(odd.find(project(FILES))).rejects.toMatchObject({ code: 'environment_file_missing' });
});

test('two environments with one place: refused before anything runs', async () => {
  const { find, prepare, environments, seen } = await start();
  const base = project(FILES);
  const found = await find(base);
  await prepare(found);
  expect((await environments.mount([found, found])).prepared).toHaveLength(2);
  const both = { ...found, environment: { ...found.environment, makes: ['deps', 'deps'] } };
  await expect(seen(base, both)).rejects.toMatchObject({ code: 'environment_place_taken' });
});

test('another authority that is trusted is another key, but only of what reaches a host', async () => {
  const reaching = Environment.parse({ ...ENVIRONMENT, hosts: ['registry.example.org'] });
  const caFile = join(project(FILES).repository, 'team.pem');
  const certificates = [selfSignedCertificate(), selfSignedCertificate()];
  const keyOf = async (environment: Environment, { key, cert }: (typeof certificates)[number]): Promise<string> => {
    writeFileSync(caFile, `${key}${cert}`);
    return (await (await start(environment, caFile)).find(project(FILES))).key;
  };
  const [one, other] = [await keyOf(reaching, certificates[0]!), await keyOf(reaching, certificates[1]!)];
  expect(other).not.toBe(one);
  // The private key beside it is nothing that preparing sees.
  expect(await keyOf(reaching, { ...certificates[0]!, key: certificates[1]!.key })).toBe(one);
  expect(await keyOf(ENVIRONMENT, certificates[0]!)).toBe(await keyOf(ENVIRONMENT, certificates[1]!));
});

test('tools alone: nothing to prepare, and a folder that is not here is named', async () => {
  const { find, environments } = await start(Environment.parse({ tools: ['/usr/share'], path: ['/usr/share'] }));
  const found = await find(project(FILES));
  expect(found.isReady).toBe(true);
  const mounted = { prepared: [], tools: ['/usr/share'], path: ['/usr/share'] };
  expect(await environments.mount([found, found])).toEqual({ ...mounted, path: ['/usr/share', '/usr/share'] });
  const missing = await start(Environment.parse({ tools: ['/opt/no-such-toolchain'] }));
  await expect(missing.find(project(FILES))).rejects.toMatchObject({
    code: 'environment_tool_missing',
    facts: { tool: '/opt/no-such-toolchain' },
  });
});

test.runIf(process.getuid!() === 0)('another program under the same name is another key', async () => {
  const folder = '/opt/lazarus-test-toolchain';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/bin`, { recursive: true });
  try {
    const environment = Environment.parse({
      tools: [folder],
      path: [`${folder}/bin`],
      prepare: [['pack']],
      makes: ['x'],
    });
    const { find } = await start(environment);
    const base = project(FILES);
    const write = (name: string, text: string): void => writeFileSync(`${folder}/bin/${name}`, text, { mode: 0o755 });
    write('runs-it', 'one');
    write('pack', '#!/usr/bin/env runs-it\n');
    const first = await find(base);
    expect((await find(base)).key).toBe(first.key);
    // The script is as it was: what runs it is not.
    write('runs-it', 'another');
    expect((await find(base)).key).not.toBe(first.key);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
