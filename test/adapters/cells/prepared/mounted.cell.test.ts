// Dependencies that were prepared once: there for agents and checks, read-only, and never part of the work.
import { expect, test } from 'vitest';
import { makeCells } from '../../../../src/adapters/cells/cells.ts';
import { plainBackend } from '../../../../src/adapters/cells/plain/backend.ts';
import { workRepositories } from '../../../../src/adapters/git/work.ts';
import { project, runIn } from '../../../support/cells.ts';
import { made, NPM, npmPackage, npmProject, prepare, wheel, workshop } from '../../../support/environments.ts';

const NOTHING_LEFT = {
  processes: 0,
  cgroups: 0,
  mounts: 0,
  openPlaces: 0,
  temporaryFiles: 0,
  sharedMemory: 0,
  sockets: 0,
  folders: 0,
};
const IDENTITY = { name: 'runner', email: 'ff@lazarus.invalid', atSeconds: 1_700_000_000, message: 'work\n' };

test('npm: a check and an agent find what the lock file names, may not write into it, and leave none of it in the work', async () => {
  const place = await workshop();
  const files = npmProject(npmPackage('dep', { 'index.js': 'module.exports = "from the dependency"' }));
  const { run, mounted, found } = await prepare(place, { environment: NPM, files });
  expect(run, run.output).toMatchObject({ exitCode: 0, residue: NOTHING_LEFT });
  const mounts = await mounted();
  const base = project({ 'a.txt': 'one\n' });

  const check = await place.cells.runCheck({
    project: base,
    shellText:
      'node -p "require(\'dep\')"; touch node_modules/x; touch node_modules/.cache/y && ls node_modules/.cache; echo $PATH',
    requiredLevel: 2,
    ...mounts,
  });
  expect(check.output).toContain('from the dependency\n');
  expect(check.output).toContain('Read-only file system');
  expect(check.output).toContain('\ny\n/cell/project/node_modules/.bin:/usr/local/bin:');
  expect(check.residue).toEqual(NOTHING_LEFT);

  const { cell, out } = await runIn(place.cells, 'node -p "require(\'dep\')"; echo two > a.txt', {
    project: base,
    ...mounts,
  });
  expect(out).toBe('from the dependency\n');
  const work = await cell.takeWork(IDENTITY);
  const changes = await workRepositories.readDiff(work.repository, work.base, work.tree);
  expect(changes.map(({ path }) => path)).toEqual(['a.txt']);
  expect(work.dropped).toEqual({ count: 0, paths: [] });
  expect(await cell.close()).toEqual(NOTHING_LEFT);
  expect(await place.environments.list()).toMatchObject([{ key: found.key, origin: 'base', isMounted: false }]);
});

test('pip: a virtual environment of wheels, where its programs say that it is', async () => {
  const place = await workshop();
  const { file, bytes } = wheel('dep', 'SAYS = "from the wheel"\n');
  const environment = {
    files: ['requirements.txt', `wheels/${file}`],
    prepare: [
      ['/usr/bin/python3', '-m', 'venv', '.venv'],
      ['.venv/bin/pip', 'install', '--no-index', '--find-links', 'wheels', '-r', 'requirements.txt'],
    ],
    makes: ['.venv'],
    path: ['.venv/bin'],
  };
  const files = { 'requirements.txt': 'dep==1.0\n', [`wheels/${file}`]: bytes };
  const { run, mounted } = await prepare(place, { environment, files });
  expect(run.exitCode, run.output).toBe(0);
  const check = await place.cells.runCheck({
    project: project({ 'a.txt': 'one\n' }),
    shellText: 'python -c "import dep; print(dep.SAYS)"; pip --version; command -v python; touch .venv/x',
    requiredLevel: 2,
    ...(await mounted()),
  });
  expect(check.output).toMatch(
    /^from the wheel\npip .* from \/cell\/project\/\.venv\/.*\n\/cell\/project\/\.venv\/bin\/python\n/,
  );
  expect(check.output).toContain('Read-only file system');
});

test('an agent’s own program stands together, apart from the project, and an observer gets it as well', async () => {
  const place = await workshop();
  const shellText = "mkdir deps; printf '#!/bin/sh\\necho at work\\n' > deps/agent; chmod 755 deps/agent";
  const { run, mounted } = await prepare(place, { ...made(shellText, { path: ['deps'] }), at: 'agent' });
  expect(run.exitCode, run.output).toBe(0);
  const { cell, out, err } = await runIn(place.cells, 'agent; command -v agent; ls; touch /cell/agent/x', {
    project: project({ 'a.txt': 'one\n' }),
    role: 'observer',
    ...(await mounted()),
  });
  expect(out).toBe('at work\n/cell/agent/deps/agent\na.txt\n');
  expect(err).toContain('Read-only file system');
  await cell.close();
});

test('without namespaces nothing can be mounted: refused, and nothing runs', async () => {
  const { folder } = await workshop();
  const cells = makeCells({ folder, repositories: workRepositories, backend: plainBackend() });
  const prepared = [{ from: '/x', at: '/cell/agent', writable: [] }];
  await expect(
    cells.runCheck({ project: project({ a: 'x' }), shellText: 'true', requiredLevel: 0, prepared }),
  ).rejects.toMatchObject({ code: 'level_unmet' });
});

test.each(['node_modules/.bin', '/cell/x:/tmp', ''])('a search path with "%s" in front is refused', async (step) => {
  const { cells } = await workshop();
  const check = { project: project({ a: 'x' }), shellText: 'true', requiredLevel: 2 as const, path: [step] };
  await expect(cells.runCheck(check)).rejects.toMatchObject({ code: 'cell_environment_refused' });
});
