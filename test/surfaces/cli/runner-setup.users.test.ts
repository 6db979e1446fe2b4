// `lazarus runner setup`, by root on a real machine: a user, a group, folders, list and key come to be, twice changes nothing,
// and what was set up answers. What the tests make is called after them, and gone afterwards.
import { randomBytes } from 'node:crypto';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { placeOf } from '../../../src/app/init/runner/place.ts';
import { unitText } from '../../../src/app/init/runner/unit.ts';
import { CLI_MAIN } from '../../support/build.ts';
import { lazarus } from '../../support/cli.ts';
import { scratch } from '../../support/repos.ts';
import { as, hears } from '../../support/users.ts';

const GENESIS = `sha256:${'0'.repeat(64)}`;

type Set = { readonly place: ReturnType<typeof placeOf>; readonly jobs: string; readonly args: string[] };

/** Names that no machine has, and a runner's user. */
function names(): Set {
  const user = `lzt${randomBytes(4).toString('hex')}`;
  const place = placeOf(user);
  const jobs = `${user}j`;
  execFileSync('useradd', ['--system', '--user-group', '--no-create-home', jobs]);
  onTestFinished(() => {
    for (const one of [user, jobs]) spawnSync('userdel', [one]);
    spawnSync('groupdel', [place.group]);
    for (const path of [place.home, dirname(place.config), place.folder])
      rmSync(path, { recursive: true, force: true });
  });
  const about = ['--forge', 'http://127.0.0.1:9', '--repo', 'ana/m1', '--genesis', GENESIS, '--jobs-user', jobs];
  return { place, jobs, args: ['runner', 'setup', ...about, '--name', 'box', '--user', user] };
}

const idOf = (flag: string, user: string): string => execFileSync('id', [flag, user], { encoding: 'utf8' }).trim();

async function told(args: readonly string[]) {
  const { code, stdout, stderr } = await lazarus([...args, '--json'], { cwd: '/' });
  return { code, stderr, ...(JSON.parse(stdout) as Told) };
}
type Told = {
  readonly error?: { readonly code: string };
  readonly items: readonly { readonly item: string; readonly is: string }[];
  readonly public_key: string;
  readonly next: readonly string[];
};

describe('setting up a runner’s machine', () => {
  it('makes user, group, folders, list and key, says what is left, and changes nothing the second time', async () => {
    const { place, jobs, args } = names();
    const planned = await told([...args, '--dry-run']);
    expect(planned.items.every(({ is }) => is === 'would')).toBe(true);
    expect([existsSync(place.home), existsSync(place.config)]).toEqual([false, false]);

    const first = await told([...args, '--yes']);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('done')]);
    const uid = Number(idOf('-u', place.user));
    expect(lstatSync(place.home)).toMatchObject({ uid, mode: 0o40700 });
    expect(lstatSync(place.config)).toMatchObject({ uid: 0, mode: 0o100644 });
    for (const one of [place.user, jobs]) expect(idOf('-Gn', one).split(' ')).toContain(place.group);
    expect(first.next[0]).toContain(`lazarus roster add ${first.public_key} --type runner`);

    const [config] = [readFileSync(place.config, 'utf8')];
    const second = await told([...args, '--yes']);
    expect(second.items.filter(({ is }) => is !== 'already there')).toEqual([]);
    expect([second.public_key, readFileSync(place.config, 'utf8')]).toEqual([first.public_key, config]);
  });

  it('adds a further repository to the list, and keeps what people wrote there', async () => {
    const { place, args } = names();
    await told([...args, '--yes']);
    writeFileSync(place.config, readFileSync(place.config, 'utf8').replace('at_once: 4', 'at_once: 2 # small machine'));
    const more = args.map((one) => (one === 'ana/m1' ? 'ana/m2' : one));
    expect(await told([...more, '--yes'])).toMatchObject({ code: 0 });
    const text = readFileSync(place.config, 'utf8');
    expect(text).toMatch(/at_once: 2 # small machine\n[^]*ana\/m1\n[^]*ana\/m2\n/);
    // Another genesis for a repository that is listed is a person's to settle.
    const other = args.map((one) => (one === GENESIS ? `sha256:${'1'.repeat(64)}` : one));
    const differing = await told([...other, '--yes']);
    expect(differing).toMatchObject({ code: 8 });
    expect(differing.items).toContainEqual(expect.objectContaining({ item: 'projects', is: 'differs' }));
    expect(readFileSync(place.config, 'utf8')).toBe(text);
  });

  it('leaves a supervisor that begins as that user, whose key the runner’s user cannot read', async () => {
    const { place, jobs, args } = names();
    await told([...args, '--yes']);
    const ids = (user: string) => ({
      uid: Number(idOf('-u', user)),
      groups: [Number(idOf('-g', user)), ...idOf('-G', user).split(' ').map(Number)],
    });
    const options = ['supervise', '--config', place.config, '--socket', place.socket];
    const started = as(ids(place.user), [process.execPath, CLI_MAIN, ...options], { HOME: place.home });
    await hears(started, 'supervises at');
    expect(lstatSync(place.socket)).toMatchObject({ uid: ids(place.user).uid, mode: 0o140660 });
    expect(await as(ids(jobs), ['ls', place.home], {}).ended).toMatchObject({ code: 2 });
    // As a job sees it, and as somebody whom the group does not name.
    const env = { HOME: '/nonexistent', GITEA_ACTIONS: 'true', LAZARUS_SUPERVISOR: place.socket };
    const look = async (user: ReturnType<typeof ids>) => {
      const { said } = await as(user, [process.execPath, CLI_MAIN, 'doctor', '--json'], env).ended;
      return (JSON.parse(said.slice(said.indexOf('{'))) as { findings: readonly object[] }).findings;
    };
    expect(await look(ids(jobs))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ item: 'supervisor', is: 'ok' }),
        expect.objectContaining({ item: 'exposed', is: 'ok' }),
      ]),
    );
    const stranger = { uid: 61_003, groups: [61_003] };
    expect(await look(stranger)).toContainEqual(expect.objectContaining({ item: 'supervisor', is: 'missing' }));
  });

  it.each([
    ['as somebody else than root', [], 'setup_needs_root', '61002'],
    ['for jobs that run as root', ['--jobs-user', 'root'], 'supervisor_unfit', '0'],
    ['for a runner that does not exist', ['--jobs-user', 'nobody-here'], 'usage', '0'],
    ['with an address that is a line of the list', ['--forge', 'http://x/\n- evil'], 'usage', '0'],
    ['without anybody who agrees', ['--no-input'], 'agreement_needed', '0'],
  ])('is refused %s, and changes nothing', async (_, changes, code, uid) => {
    const { place, args } = names();
    const all = [CLI_MAIN, ...args, ...changes, '--json'];
    const ran = spawnSync('setpriv', ['--reuid', uid, '--', process.execPath, ...all], { cwd: '/', encoding: 'utf8' });
    expect(JSON.parse(ran.stdout)).toMatchObject({ error: { code } });
    expect(existsSync(place.home)).toBe(false);
  });

  it('is refused for a program that others can replace: whoever does would be the supervisor', async () => {
    const { place, args } = names();
    const copy = join(scratch('copy'), 'package');
    cpSync(join(dirname(CLI_MAIN), '../../..'), copy, {
      recursive: true,
      filter: (path) => !/\/(?:node_modules|\.git|test|src)$/.test(path),
    });
    chmodSync(join(copy, 'dist'), 0o777);
    const script = join(copy, 'dist/surfaces/cli/main.js');
    const { stdout } = await lazarus([...args, '--yes', '--json'], { cwd: '/', script });
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'supervisor_unfit' } });
    expect(existsSync(place.home)).toBe(false);
  });
});

describe('the service', () => {
  const template = readFileSync(new URL('../../../templates/runner/supervisor.service', import.meta.url), 'utf8');
  const program = { node: '/usr/bin/node', script: '/usr/lib/node_modules/lazarus/dist/surfaces/cli/main.js' };

  it('runs this program as that user, and has no place left open', () => {
    const text = unitText(template, placeOf('lazarus'), program);
    expect(text).not.toMatch(/@\w+@/);
    expect(text).toContain(
      `ExecStart=${program.node} ${program.script} supervise --config /etc/lazarus/supervisor.yml --socket /run/lazarus/supervisor.sock\n`,
    );
    expect(text).toContain('\nUser=lazarus\n');
  });

  it('names no path that its file would read otherwise', () => {
    for (const node of ['/opt/my node/bin/node', '/opt/%i/node', '/opt/$HOME/node', '/opt/x\nUser=root'])
      expect(() => unitText(template, placeOf('lazarus'), { ...program, node })).toThrow(
        expect.objectContaining({ code: 'supervisor_unfit' }),
      );
  });
});
