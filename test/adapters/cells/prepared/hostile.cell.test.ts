// Preparations that are meant to hurt: what they reach, what is kept of what they leave, and whom it could fool.
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { project } from '../../../support/cells.ts';
import { made, NPM, npmPackage, npmProject, prepare, workshop, type Workshop } from '../../../support/environments.ts';
import { scratch } from '../../../support/repos.ts';

/** What nobody sees of a refused one: nothing under a key, nothing beside. */
function kept({ folder }: Workshop): readonly string[] {
  return ['environments', 'cells'].flatMap((name) =>
    readdirSync(join(folder, name)).filter((entry) => !entry.startsWith('pipe-')),
  );
}

test('it sees the named files and nothing else: no repository, no home of anybody, no network, no port, no secret', async () => {
  const place = await workshop();
  let heard = 0;
  const server = createServer((socket) => void ((heard += 1), socket.destroy())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const shellText = `mkdir deps; exec > deps/seen 2>&1; find . -type f ! -path './deps/*' | sort; ls -A $HOME | wc -l; ls /cell /cell/home; env | cut -d= -f1 | sort | tr '\\n' ' '; echo; cat /proc/net/route | wc -l; node -e "fetch('http://127.0.0.1:${port}').catch(e => console.log(e.cause.code))"; cat /etc/shadow; ls /root /home; true`;
  const { name, run } = await prepare(place, {
    ...made(shellText, { files: ['package.json'], given: { 'conf/tool.ini': 'x=1\n' } }),
    files: { 'package.json': '{}' },
  });
  const seen = readFileSync(join(place.folder, 'environments', name, 'tree/deps/seen'), 'utf8');
  expect(run.output).toBe(`$ /bin/sh -c ${shellText}\n`);
  expect(seen).toMatch(/^\.\/conf\/tool\.ini\n\.\/package\.json\n0\n/);
  expect(seen).not.toMatch(/PORT_FD|TOKEN|SECRET|KEY/);
  expect(seen).toContain('npm_config_ignore_scripts');
  expect(seen).toContain('PIP_ONLY_BINARY');
  expect(seen).toMatch(/\n1\nE[A-Z]+\n/);
  expect(heard).toBe(0);
  expect(seen).toMatch(/\/etc\/shadow: No such file or directory/);
  expect(seen).toMatch(/'\/root': No such file/);
});

test('a package whose install script calls home: the script does not run while hosts could be reached', async () => {
  const place = await workshop();
  const scripts = { postinstall: 'node call-home.js' };
  const manifest = JSON.stringify({ name: 'dep', version: '1.0.0', main: 'index.js', scripts });
  const files = npmProject(
    npmPackage('dep', {
      'package.json': manifest,
      'index.js': 'module.exports = 1',
      'call-home.js': `require('fs').writeFileSync(__dirname + '/ran', 'x')`,
    }),
  );
  const off = await prepare(place, { environment: NPM, files });
  expect(off.run.exitCode, off.run.output).toBe(0);
  const dep = (name: string): readonly string[] =>
    readdirSync(join(place.folder, 'environments', name, 'tree/node_modules/dep')).sort();
  expect(dep(off.name)).toEqual(['call-home.js', 'index.js', 'package.json']);
  // Where policy names it, it runs after that, with no network: proof that the script would have run.
  const offline = [['npm', 'rebuild', '--ignore-scripts=false', 'dep']];
  const on = await prepare(place, { environment: { ...NPM, offline }, files });
  expect(dep(on.name), on.run.output).toContain('ran');
});

test('links stay links: nobody on the host follows one, and each leads where it leads inside', async () => {
  const place = await workshop();
  const outside = scratch('outside');
  writeFileSync(join(outside, 'host.txt'), 'of the host');
  const shellText = `mkdir -p deps/.bin; ln -s ${outside} deps/out; ln -s ../../../../../../etc deps/up; rmdir deps/.bin; ln -s /etc deps/.bin; ln -s deps deps/round`;
  const { name, run, mounted } = await prepare(place, made(shellText));
  expect(run.exitCode, run.output).toBe(0);
  const deps = join(place.folder, 'environments', name, 'tree/deps');
  expect(readdirSync(deps).sort()).toEqual(['.bin', 'out', 'round', 'up']);
  expect(readlinkSync(join(deps, 'out'))).toBe(outside);
  const check = {
    project: project({ a: 'x' }),
    shellText: 'cat deps/out/host.txt; head -1 deps/.bin/passwd',
    requiredLevel: 2 as const,
    ...(await mounted()),
  };
  const { output: inside } = await place.cells.runCheck(check);
  expect(inside).toMatch(/No such file or directory\ncheck:x:/);
});

const UNUSABLE = { exitCode: 1, reason: 'exited' };
const TOO_LARGE = { exitCode: null, reason: 'disk_limit' };
const DEEP = `mkdir deps; cd deps; perl -e 'my $d = "d" x 200; for (1..18) { mkdir $d; chdir $d }'`;

test.each([
  ['what it makes is a link to a folder of the host', 'ln -s /etc deps', UNUSABLE, 'deps is no folder'],
  ['what it makes is a file', 'echo x > deps', UNUSABLE, 'deps is no folder'],
  ['nothing was made', 'true', UNUSABLE, 'deps is no folder'],
  ['a pipe, at which whoever opens it would wait', 'mkdir deps; mkfifo deps/p', UNUSABLE, 'deps/p is neither'],
  ['gigabytes that take no room', 'mkdir deps; truncate -s 1900M deps/a deps/b', TOO_LARGE, 'more than 2147483648'],
  ['a path that no host folder leaves room for', DEEP, UNUSABLE, 'has too long a path'],
  ['a command that fails', 'mkdir deps; echo half > deps/x; exit 7', { exitCode: 7, reason: 'exited' }, ''],
])('%s: nothing of it is kept, and the output says why', async (_, shellText, ended, why) => {
  const place = await workshop();
  const { run, mounted } = await prepare(place, made(shellText));
  expect(run).toMatchObject({ ...ended, output: expect.stringContaining(why) });
  expect(kept(place)).toEqual([]);
  await expect(mounted()).rejects.toMatchObject({ code: 'environment_missing' });
});

test('a folder on the way is a link out of the project', async () => {
  const place = await workshop();
  const wanted = made('ln -s /usr web', { makes: ['web/share'] });
  expect((await prepare(place, wanted)).run).toMatchObject(UNUSABLE);
  const writable = made('mkdir deps; ln -s /tmp deps/cache', { writable: ['deps/cache/inner'] });
  const { run } = await prepare(place, writable);
  expect(run).toMatchObject({ ...UNUSABLE, output: expect.stringContaining('deps/cache/inner is no folder') });
  expect(existsSync('/tmp/inner')).toBe(false);
});

test('what is kept are files of ours: no mode of theirs, no second name, nobody else can write', async () => {
  const place = await workshop();
  const shellText = `mkdir -p deps/closed; cd deps; echo x > a; ln a b; chmod 777 a; echo y > c; chmod 666 c; chmod 000 closed; chmod 777 .`;
  const { name, run } = await prepare(place, made(shellText));
  expect(run.exitCode, run.output).toBe(0);
  const deps = join(place.folder, 'environments', name, 'tree/deps');
  const modes = ['.', 'a', 'b', 'c', 'closed'].map((name) => {
    const { mode, uid, nlink, isFile } = lstatSync(join(deps, name));
    return [name, (mode & 0o7777).toString(8), uid, isFile.call(lstatSync(join(deps, name))) ? nlink : 'folder'];
  });
  const me = process.getuid!();
  expect(modes).toEqual([
    ['.', '755', me, 'folder'],
    ['a', '555', me, 1],
    ['b', '555', me, 1],
    ['c', '444', me, 1],
    ['closed', '755', me, 'folder'],
  ]);
});

test('more than it may be, while it is being made: stopped', async () => {
  const place = await workshop();
  const shellText = 'mkdir deps; head -c 60000000 /dev/urandom > deps/big; sleep 30';
  const { run } = await prepare(place, made(shellText, { megabytes: 20 }));
  expect(run).toMatchObject(TOO_LARGE);
  expect(kept(place)).toEqual([]);
});

test('called off while it is being made', async () => {
  const place = await workshop();
  const until = new AbortController();
  const preparing = prepare(place, made('mkdir deps; sleep 60'), until.signal);
  until.abort();
  expect((await preparing).run).toMatchObject({ exitCode: null, reason: 'killed' });
  expect(kept(place)).toEqual([]);
});
