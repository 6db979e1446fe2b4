// What a cell reaches through its listener, and what it does not, with real servers on loopback, which only a range that policy
// names opens. What the listener itself refuses is in ../listener/.
import { chmodSync, chownSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer as createWeb } from 'node:http';
import { createServer as createSecureWeb } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCells } from '../../../src/adapters/cells/cells.ts';
import { processBackend } from '../../../src/adapters/cells/process/backend.ts';
import { workRepositories } from '../../../src/adapters/git/work.ts';
import { openListener } from '../../../src/adapters/listener/listener.ts';
import type { Reach } from '../../../src/ports/network.ts';
import { passableScratch, project, runIn, spawnIn, testCells } from '../../support/cells.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { scratch } from '../../support/repos.ts';
import { portOf } from '../listener/hosts.ts';
import { supervising } from './supervising.ts';

const range = '127.0.0.0/8';
const resolve = () => Promise.resolve(['127.0.0.1']);
const certificate = selfSignedCertificate(['kit.example']);
const web = createWeb((request, response) => response.end(`asked ${request.headers.host} for ${request.url}`));
const secureWeb = createSecureWeb(certificate, (request, response) => response.end(`safely ${request.url}`));
const start = supervising();
let port = 0;
let securePort = 0;

beforeAll(async () => {
  port = await portOf(web);
  securePort = await portOf(secureWeb);
});
afterAll(() => {
  web.close();
  secureWeb.close();
});

const cellsHere = () => testCells(passableScratch(), { resolve });
const reachOf = (...hosts: Reach['hosts']): Reach => ({ hosts, routes: [] });

test('a host that policy names with its range answers, and is recorded without the page that was asked for', async () => {
  const cells = await cellsHere();
  const reach = reachOf({ host: 'kit.example', port, range });
  const { cell, out } = await runIn(cells, `curl -sS http://kit.example:${port}/page?secret=1`, { reach });
  expect(out).toBe(`asked kit.example:${port} for /page?secret=1`);
  const residue = await cell.close();
  expect(Object.values(residue)).toEqual(Array(8).fill(0));
  const passed = { bytesIn: expect.any(Number), bytesOut: expect.any(Number) };
  expect(cell.network()).toEqual({
    reached: [{ host: 'kit.example', port, decision: 'allowed', because: 'listed', times: 1, ...passed }],
    spent: [],
  });
  expect(JSON.stringify(cell.network())).not.toContain('page');
});

test('TLS to a host of the team’s own authority, whose certificate enters without the key beside it', async () => {
  const caFile = join(scratch('ca'), 'team.pem');
  writeFileSync(caFile, `${certificate.key}${certificate.cert}`);
  const cells = await cellsHere();
  const hosts = [{ host: 'kit.example', port: securePort, range }];
  const ask = `curl -sS https://kit.example:${securePort}/a`;
  const strange = await runIn(cells, ask, { reach: { hosts, routes: [] } });
  expect(strange.err).toContain('certificate');
  await strange.cell.close();

  const names = 'SSL_CERT_FILE NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO npm_config_cafile';
  const files = `for name in ${names}; do eval "echo \\$$name"; done | sort -u`;
  const look = `${ask}; echo; ${files}; grep -c PRIVATE $SSL_CERT_FILE; grep -c BEGIN $SSL_CERT_FILE; echo x >> $SSL_CERT_FILE`;
  const { cell, out, err } = await runIn(cells, look, { reach: { hosts, routes: [], caFile } });
  const [answer, file, keys, count] = out.split('\n');
  expect([answer, file, keys]).toEqual(['safely /a', '/cell/.lazarus/ca.pem', '0']);
  expect(Number(count), 'the system’s certificates are there as well').toBeGreaterThan(1);
  expect(err).toMatch(/Read-only file system|Permission denied/);
  await cell.close();
});

test.each([
  ['is not there', (folder: string) => join(folder, 'none.pem')],
  [
    'holds a key and no certificate',
    (folder: string) => {
      const path = join(folder, 'key.pem');
      writeFileSync(path, certificate.key);
      return path;
    },
  ],
])('a file of certificates that %s starts no cell', async (_, fileIn) => {
  const caFile = fileIn(scratch('ca'));
  const started = spawnIn(await cellsHere(), { reach: { hosts: [], routes: [], caFile } });
  await expect(started).rejects.toMatchObject({ code: 'ca_file_unusable' });
});

/** A line for each, with what came of it. */
const ATTEMPTS = `
ask() { name=$1; shift; got=$(curl -sS -m 3 -o /dev/null -w '%{http_code} %header{x-lazarus-denied}' "$@" 2>/dev/null); echo "$name=$got $?"; }
ask host --noproxy '*' http://127.0.0.1:$PORT/
ask world --noproxy '*' http://1.1.1.1/
ask world6 --noproxy '*' 'http://[2606:4700::1111]/'
ask metadata --noproxy '*' http://169.254.169.254/
ask name --noproxy '*' http://kit.example:$PORT/
ask unlisted http://evil.test:$PORT/
ask otherport http://kit.example:1/
ask listed-metadata http://metadata.test/
ask relay -x http://kit.example:$PORT http://evil.test/
ask socks -x socks5h://127.0.0.1:3128 http://kit.example:$PORT/
ask neighbour --noproxy '*' http://127.0.0.2:3128/
echo "udp=$(perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(Proto => "udp", PeerAddr => "1.1.1.1:53"); print $s && defined $s->send("x") ? "sent" : "unreachable"')"
echo "devices=$(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' ' | tr '\\n' ' ')"
echo "routes=$(tail -n +2 /proc/net/route | wc -l)"
echo "descriptors=$(ls /proc/self/fd | tr '\\n' ' ')"
`;

test('beside its list there is nothing: no way of its own, no other listener, no address of this machine', async () => {
  // It is there, for whoever has this machine's network.
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('asked');
  const without = await runIn(await cellsHere(), 'echo $(ls /proc/self/fd)');
  await without.cell.close();
  const cells = await testCells(passableScratch(), {
    resolve: (host) => Promise.resolve([host === 'metadata.test' ? '169.254.169.254' : '127.0.0.1']),
  });
  const reach = reachOf(
    { host: 'kit.example', port, range },
    { host: 'metadata.test', port: 80, range: '169.254.0.0/16' },
  );
  const { cell, out, err } = await runIn(cells, `PORT=${port}; ${ATTEMPTS}`, { reach });
  await cell.close();
  expect(err).toBe('');
  const got = Object.fromEntries(
    out
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  );
  expect(got).toEqual({
    host: '000  7',
    world: '000  7',
    world6: '000  7',
    metadata: '000  7',
    name: '000  6',
    unlisted: '403 host_not_listed 0',
    otherport: '403 host_not_listed 0',
    'listed-metadata': '403 address_never 0',
    relay: '000  5',
    socks: expect.stringMatching(/^000 {2}\d+$/),
    neighbour: '000  7',
    udp: 'unreachable',
    devices: 'lo ',
    routes: '0',
    descriptors: without.out.trim(),
  });
});

test('two cells at once have two networks, and neither reaches what the other may', async () => {
  const cells = await cellsHere();
  const hosts = [
    { host: 'a.test', port, range },
    { host: 'b.test', port, range },
  ];
  const shellText = `readlink /proc/self/ns/net; for name in a b; do curl -sS -o /dev/null -w '%{http_code} ' http://$name.test:${port}/; done`;
  const both = await Promise.all(hosts.map((one) => spawnIn(cells, { command: { shellText }, reach: reachOf(one) })));
  const said = await Promise.all(
    both.map(async ({ output, exit }) => {
      let all = '';
      for await (const chunk of output) all += chunk.text;
      await exit;
      return all.split('\n');
    }),
  );
  await Promise.all(both.map((cell) => cell.close()));
  expect(said.map(([, answers]) => answers)).toEqual(['200 403 ', '403 200 ']);
  expect(new Set([...said.map(([network]) => network), readlinkSync('/proc/self/ns/net')]).size).toBe(3);
});

test('nobody of ours stays in a cell’s network, and its holder is gone when its participant comes', async () => {
  const cells = await cellsHere();
  const shellText = 'readlink /proc/self/ns/net; exec sleep 60';
  const cell = await spawnIn(cells, { command: { shellText }, reach: reachOf() });
  let network = '';
  for await (const { text } of cell.output) {
    network += text;
    if (text.endsWith('\n')) break;
  }
  // Its shell becomes the sleep in the next moment.
  const commands = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && linkOf(`/proc/${name}/ns/net`) === network.trim())
      .map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  await expect.poll(() => new Set(commands())).toEqual(new Set(['bwrap', 'sleep']));
  expect(ownDescriptors()).not.toContain(network.trim());
  expect(Object.values(await cell.close())).toEqual(Array(8).fill(0));
});

function ownDescriptors(): readonly string[] {
  return readdirSync('/proc/self/fd').map((fd) => linkOf(`/proc/self/fd/${fd}`));
}

/** Those that this process keeps: one made ahead for each that opened cells before. */
function networks(): readonly string[] {
  return ownDescriptors().filter((to) => to.startsWith('net:'));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

test('without a reach there is no listener, and neither variable nor check has one', async () => {
  const cells = await cellsHere();
  const look = `env | grep -i -c proxy; curl -sS http://127.0.0.1:3128/; cat /proc/net/tcp | tail -n +2 | wc -l`;
  const { cell, out, err } = await runIn(cells, look);
  await cell.close();
  expect({ out, err }).toEqual({ out: '0\n0\n', err: expect.stringContaining('Failed to connect') });
  expect(cell.network()).toEqual({ reached: [], spent: [] });
  const base = project({ a: 'x' });
  const reaching = await runIn(cells, 'cat a; curl -sS -o /dev/null -w "%{http_code}" http://127.0.0.1:3128/', {
    project: base,
    reach: reachOf(),
  });
  expect(reaching.out).toBe('x404');
  await reaching.cell.close();
  expect((await cells.runCheck({ project: base, shellText: look, requiredLevel: 2 })).output).toMatch(
    /^0\n.*Failed to connect.*\n0\n$/,
  );
});

test('a reach without hosts, for routes alone, refuses every host in words, and says which were asked for', async () => {
  const shellText = "curl -sS -o /dev/null -w '%{http_code}' http://evil.example/; curl -sS https://evil.example/ 2>&1";
  const { cell, out } = await runIn(await cellsHere(), shellText, { reach: reachOf() });
  const { reached } = cell.network();
  await cell.close();
  expect(out).toMatch(/^403curl: .*403/);
  expect(reached.map(({ host, port: at, because }) => [host, at, because])).toEqual([
    ['evil.example', 80, 'host_not_listed'],
    ['evil.example', 443, 'host_not_listed'],
  ]);
});

test('a reach that is used up ends the participant, and says so', async () => {
  const cells = makeCells({
    folder: passableScratch(),
    repositories: workRepositories,
    backend: processBackend(passableScratch()),
    listen: (reach, end) => openListener(reach, { places: [{ answer: () => (end('route_limit'), false) }] }),
  });
  const { cell, exit } = await runIn(cells, 'curl -s http://127.0.0.1:3128/_route/model; sleep 60', {
    reach: reachOf(),
  });
  await cell.close();
  expect(exit.reason).toBe('route_limit');
});

test.runIf(process.getuid!() === 0)('an ordinary user’s cell has a listener as well', async () => {
  const somebody = 60_501;
  const folder = scratch('ordinary');
  chownSync(folder, somebody, somebody);
  const become = ['setpriv', '--reuid', String(somebody), '--regid', String(somebody), '--clear-groups', '--'];
  const shellText = `id -u; curl -sS http://kit.example:${port}/a; curl -sS -o /dev/null -w ' %{http_code}' http://evil.test/`;
  const reach = reachOf({ host: 'kit.example', port, range });
  const { told, all } = start(folder, { shellText, reach }, { through: become });
  const said = (await all).map(({ text }) => (typeof text === 'string' ? text : '')).join('');
  expect(said).toBe(`${somebody}\nasked kit.example:${port} for /a 403`);
  expect(await told('running')).toMatchObject({ facts: { level: 2, uid: somebody } });
  expect(Object.values((await told('closed'))['residue'] as object)).toEqual(Array(8).fill(0));
});

describe('a network that is not the one that was made', () => {
  /** Programs of ours in place of nsenter. */
  function withEnter(text: string) {
    const programs = scratch('bin');
    chmodSync(programs, 0o755);
    writeFileSync(join(programs, 'nsenter'), `#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done; shift\n${text}\n`, {
      mode: 0o755,
    });
    symlinkSync('/usr/bin/bwrap', join(programs, 'bwrap'));
    const folder = passableScratch();
    return makeCells({
      folder,
      repositories: workRepositories,
      backend: processBackend(folder, programs),
      listen: (reach) => openListener(reach),
    });
  }

  test.each([
    ['this machine’s', 'exec "$@"'],
    ['another one, apart from this machine’s', 'exec /usr/bin/unshare --net -- "$@"'],
  ])('%s, starts nothing', async (_, text) => {
    const started = spawnIn(withEnter(text), { reach: reachOf() });
    await expect(started).rejects.toMatchObject({ code: 'sandbox_unfit', facts: { shared: ['net'] } });
  });

  test('none, because nobody lets it in, says so and leaves nothing', async () => {
    const before = networks();
    const started = spawnIn(withEnter('echo "nsenter: reassociate: not permitted" >&2; exit 1'), { reach: reachOf() });
    await expect(started).rejects.toMatchObject({
      code: 'cell_start_failed',
      facts: { says: expect.stringContaining('not permitted') },
    });
    expect(networks()).toEqual(before);
  });
});
