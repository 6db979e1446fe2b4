// A cell from spawn to close: what goes in, what comes out, what is left.
import { expect, test } from 'vitest';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { project, runIn, testCells } from '../../support/cells.ts';
import { git } from '../../support/repos.ts';

const NOTHING = {
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

test('work comes out as one commit of the host on the base, and nothing stays behind', async () => {
  const base = project({ 'src/a.txt': 'one\n', 'src/gone.txt': 'x\n', '.gitignore': 'build/\n*.log\n' });
  const cells = await testCells();
  const script = `set -e
    git -C /cell/project log --oneline
    cat .lazarus 2>/dev/null || true
    echo two > src/a.txt; rm src/gone.txt; mkdir -p docs build; echo new > docs/new.md; echo no > build/x; echo no > d.log
    git commit -qam mine; echo later >> src/a.txt; chmod +x docs/new.md; ln -s /etc/passwd link
    cat /cell/.lazarus/brief.md; echo said >/dev/stderr
    sh /cell/.lazarus/port heartbeat 1; echo '{"ok":true}' | /cell/.lazarus/port done; echo garbage >&3
    echo '{"left":1}' > $HOME/done.json`;
  const { cell, out, err, exit } = await runIn(cells, script, {
    project: base,
    brief: { 'brief.md': new TextEncoder().encode('do it\n') },
  });
  expect({ err, exit }).toMatchObject({ err: 'said\n', exit: { reason: 'exited', code: 0 } });
  expect(out).toContain('do it\n');
  const events = [];
  for await (const event of cell.events) events.push(event);
  expect(events).toEqual([
    { kind: 'heartbeat', body: { seq: 1 } },
    { kind: 'done', body: { ok: true } },
  ]);
  expect(exit.usage).toMatchObject({ portMessages: 2, portRefused: 1 });
  expect(await cell.claim()).toBe('{"left":1}\n');
  const work = await cell.takeWork(IDENTITY);
  expect(git(work.repository, ['log', '-1', '--format=%P %an <%ae> %s', work.commit])).toBe(
    `${base.commit} runner <ff@lazarus.invalid> work`,
  );
  const changes = await workRepositories.readDiff(work.repository, base.commit, work.tree);
  expect(changes.map(({ path, status, newMode }) => `${status} ${newMode} ${path}`)).toEqual([
    'added 100755 docs/new.md',
    'added 120000 link',
    'modified 100644 src/a.txt',
    'deleted 000000 src/gone.txt',
  ]);
  expect(work.dropped).toEqual({ count: 2, paths: ['build/x', 'd.log'] });
  const check = { project: { repository: work.repository, commit: work.commit }, requiredLevel: 2 as const };
  expect(await cells.runCheck({ ...check, shellText: 'grep later src/a.txt && test ! -e src/gone.txt' })).toMatchObject(
    {
      exitCode: 0,
      output: 'later\n',
      level: 2,
    },
  );
  expect(await cells.runCheck({ ...check, shellText: 'echo no >&2; exit 3' })).toMatchObject({
    exitCode: 3,
    output: 'no\n',
  });
  const residue = await cell.close();
  expect(residue).toEqual(NOTHING);
  expect(cell.facts).toMatchObject({
    level: 2,
    seccomp: true,
    namespaces: ['user', 'mnt', 'pid', 'net', 'ipc', 'uts', 'cgroup'],
  });
});
