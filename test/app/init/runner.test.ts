// Setting up a machine with systemd, by what is typed there: no test has one. What a machine without it really becomes is
// tried as root, in test/surfaces/cli/runner-setup.users.test.ts.
import { expect, it } from 'vitest';
import { placeOf } from '../../../src/app/init/runner/place.ts';
import { setUpRunner, type RunnerWanted } from '../../../src/app/init/runner/set-up-runner.ts';
import { Failure } from '../../../src/failure.ts';
import type { Account, Keeper } from '../../../src/ports/keeper.ts';

const WANTED: RunnerWanted = {
  place: placeOf('lazarus'),
  jobsUser: 'gitea-runner',
  forge: 'https://git.example.org',
  repository: 'team/app',
  genesis: `sha256:${'0'.repeat(64)}`,
  name: 'build-1',
  program: { node: '/usr/bin/node', script: '/usr/lib/lazarus/main.js' },
  unit: 'ExecStart=@node@ @program@ supervise --config @config@ --socket @socket@\nUser=@user@\n',
};

/** Users, groups and files as a machine remembers them. */
function machine() {
  const typed: string[] = [];
  const files = new Map<string, string>();
  const folders = new Map<string, { uid: number; gid: number; mode: number }>();
  const accounts = new Map<string, Account>([['gitea-runner', { uid: 990, gid: 990, home: '/home/gitea-runner' }]]);
  const members = new Map<string, string[]>();
  const service = { isActive: false };
  const keeper: Keeper = {
    isRoot: true,
    hasSystemd: true,
    account: async (name) => accounts.get(name),
    group: async (name) => {
      const found = members.get(name);
      return found && { gid: 995, members: found };
    },
    folder: async (path) => folders.get(path),
    makeFolder: async (path, { uid, gid }, mode) => void folders.set(path, { uid, gid, mode }),
    text: async (path) => files.get(path),
    writeText: async (path, text) => void files.set(path, text),
    run: async (argv) => {
      if (argv[1] === 'is-active') {
        if (!service.isActive) throw new Failure('setup_step_failed');
        return '';
      }
      typed.push(argv.join(' '));
      const [program, name] = [argv[0], argv.at(-1)!];
      if (program === 'groupadd') members.set(name, []);
      if (program === 'useradd') accounts.set(name, { uid: 991, gid: 991, home: '/var/lib/lazarus-supervisor' });
      if (program === 'useradd' || program === 'usermod') members.get('lazarus-jobs')!.push(name);
      if (argv[1] === 'restart') service.isActive = true;
      return '';
    },
    runOwn: async (_, args) =>
      JSON.stringify(args[1] === 'list' ? { keys: [] } : { fingerprint: 'AB'.repeat(20), public_key: 'a2V5' }),
    othersCanChange: async () => undefined,
  };
  return { keeper, typed, files, folders, accounts, service };
}

const REAL = { isDryRun: false };

it('makes what is missing, in order, and begins the service', async () => {
  const { keeper, typed, files, folders } = machine();
  const { publicKey } = await setUpRunner(keeper, WANTED, REAL);
  expect(publicKey).toBe('a2V5');
  expect(typed).toEqual([
    'groupadd --system -- lazarus-jobs',
    'useradd --system --user-group --home-dir /var/lib/lazarus-supervisor --no-create-home --shell /usr/sbin/nologin --groups lazarus-jobs -- lazarus',
    'usermod --append --groups lazarus-jobs -- gitea-runner',
    'systemctl daemon-reload',
    'systemctl enable lazarus-supervisor.service',
    'systemctl restart lazarus-supervisor.service',
  ]);
  expect([...folders]).toEqual([['/var/lib/lazarus-supervisor', { uid: 991, gid: 991, mode: 0o700 }]]);
  expect(files.get('/etc/systemd/system/lazarus-supervisor.service')).toContain('\nUser=lazarus\n');
});

it('leaves a service at work that has nothing new to read, and begins it again for another repository', async () => {
  const { keeper, typed } = machine();
  await setUpRunner(keeper, WANTED, REAL);
  typed.length = 0;
  await setUpRunner(keeper, WANTED, REAL);
  expect(typed).toEqual([]);
  await setUpRunner(keeper, { ...WANTED, repository: 'team/other' }, REAL);
  expect(typed).toContain('systemctl restart lazarus-supervisor.service');
});

it('overwrites no service that somebody changed, and no home that is somebody else’s', async () => {
  const { keeper, files, folders, accounts } = machine();
  files.set('/etc/systemd/system/lazarus-supervisor.service', 'theirs');
  folders.set('/var/lib/lazarus-supervisor', { uid: 990, gid: 990, mode: 0o755 });
  accounts.set('lazarus', { uid: 991, gid: 991, home: '/var/lib/lazarus-supervisor' });
  const { items } = await setUpRunner(keeper, WANTED, REAL);
  expect(items.filter(({ is }) => is === 'differs').map(({ item }) => item)).toEqual(['folder_home', 'unit']);
  expect(files.get('/etc/systemd/system/lazarus-supervisor.service')).toBe('theirs');
});

it('does nothing for a list that it cannot read', async () => {
  const { keeper, files } = machine();
  files.set('/etc/lazarus/supervisor.yml', 'projects: [');
  await expect(setUpRunner(keeper, WANTED, REAL)).rejects.toMatchObject({ code: 'supervisor_file_unreadable' });
  expect(files.get('/etc/lazarus/supervisor.yml')).toBe('projects: [');
});
