// Everything that an agent may try to get past its list of hosts, on real sockets. Where it can be shown, the same attempt
// succeeds against what people write first.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import {
  careless,
  client,
  host,
  listening,
  LOOPBACK,
  rest,
  say,
  secure,
  throughTunnel,
  until,
  web,
  type Here,
} from './hosts.ts';

const get = (url: string, headers = ''): string => `GET ${url} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const LAST = 'Connection: close\r\n';
const denied = (why: string): string => `x-lazarus-denied: ${why}\r\n`;
const reached = ({ listener }: Here) =>
  listener.use().reached.map(({ host: name, decision, because, times }) => [name, decision, because, times]);

test('a listed host gets plain requests under its own name, one after the other', async () => {
  const port = await web((request, response) => response.end(`${request.headers.host} ${request.url}`));
  const here = await listening([host('kit.example', port)]);
  const said = await say(here.port, get(`http://kit.example:${port}/a?b`), get(`http://KIT.example:${port}/c`, LAST));
  expect(said).toContain(`kit.example:${port} /a?b`);
  expect(said).toContain(`kit.example:${port} /c`);
  expect(reached(here)).toEqual([['kit.example', 'allowed', 'listed', 2]]);
});

test('each request of a connection is judged, also those that come in one packet', async () => {
  const [allowed, secret] = [
    await web((_, response) => response.end('fine')),
    await web((_, response) => response.end('secret')),
  ];
  const listed = `kit.example:${allowed}`;
  // What looks at the first request of a connection passes the second on to wherever the first went, or anywhere.
  const first = await web((request, response) => response.end(`both: ${request.headers.host}`));
  const naive = await careless(
    (named) => named === `kit.example:${first}`,
    () => Promise.resolve('127.0.0.1'),
  );
  const both = get(`http://kit.example:${first}/`) + `GET / HTTP/1.1\r\nHost: evil.test\r\n${LAST}\r\n`;
  expect(await say(naive, both)).toContain('both: evil.test');

  const here = await listening([host('kit.example', allowed)]);
  const evil = get(`http://evil.test:${secret}/`, LAST);
  for (const texts of [[get(`http://${listed}/`), evil], [get(`http://${listed}/`) + evil]]) {
    const said = await say(here.port, ...texts);
    expect(said).toContain('fine');
    expect(said).toContain(denied('host_not_listed'));
    expect(said).not.toContain('secret');
  }
  expect(reached(here)).toContainEqual(['evil.test', 'refused', 'host_not_listed', 2]);
});

test('what the cell writes into the Host header and others of its own hop goes nowhere', async () => {
  const port = await web((request, response) => response.end(JSON.stringify(request.headers)));
  const headers = `Host: evil.test\r\nProxy-Authorization: Basic x\r\nX-Secret: y\r\nConnection: close, x-secret\r\nTE: trailers\r\n`;
  const request = `GET http://kit.example:${port}/ HTTP/1.1\r\n${headers}\r\n`;
  const naive = await careless(
    () => true,
    () => Promise.resolve('127.0.0.1'),
  );
  expect(await say(naive, request)).toContain('"host":"evil.test"');
  const here = await listening([host('kit.example', port)]);
  const said = await say(here.port, request);
  expect(said).toContain(`{"host":"kit.example:${port}","connection":"close"}`);
});

test('two requests that are hidden in one are refused or stay one', async () => {
  const asked: string[] = [];
  const port = await web((request, response) => {
    asked.push(request.url!);
    request.resume().once('end', () => response.end());
  });
  const here = await listening([host('kit.example', port)]);
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: kit.example\r\n\r\n';
  const url = `http://kit.example:${port}/`;
  const both = `POST ${url} HTTP/1.1\r\nHost: x\r\nContent-Length: ${hidden.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`;
  expect(await say(here.port, both)).toContain(denied('request_malformed'));
  const body = `POST ${url} HTTP/1.1\r\nHost: x\r\n${LAST}Content-Length: ${hidden.length}\r\n\r\n${hidden}`;
  expect(await say(here.port, body)).toContain('200 OK');
  const chunked = `POST ${url} HTTP/1.1\r\nHost: x\r\n${LAST}Transfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  expect(await say(here.port, chunked)).toContain('200 OK');
  expect(asked).toEqual(['/', '/']);
});

test.each([
  ['a tunnel', (port: number) => `CONNECT evil.test:${port} HTTP/1.1\r\nHost: x\r\n\r\n`, 'host_not_listed'],
  ['another port', () => 'CONNECT kit.example:25 HTTP/1.1\r\nHost: x\r\n\r\n', 'host_not_listed'],
  ['the listener itself', () => 'CONNECT 127.0.0.1:3128 HTTP/1.1\r\nHost: x\r\n\r\n', 'host_not_listed'],
  ['no port', () => 'CONNECT kit.example HTTP/1.1\r\nHost: x\r\n\r\n', 'name_malformed'],
  ['a user', (port: number) => `CONNECT kit.example@evil.test:${port} HTTP/1.1\r\nHost: x\r\n\r\n`, 'name_malformed'],
  ['TLS that we would speak', () => get('https://kit.example/'), 'name_malformed'],
  ['another scheme', () => get('ftp://kit.example/'), 'name_malformed'],
  [
    'an echo of what is added',
    (port: number) => `TRACE http://kit.example:${port}/ HTTP/1.1\r\nHost: x\r\n\r\n`,
    'name_malformed',
  ],
  ['a place that nobody answers', () => get('/_route/model/v1'), 'no_such_place'],
] as const)('%s is refused with a word', async (_, request, why) => {
  const port = await web((_request, response) => response.end('secret'));
  const here = await listening([host('kit.example', port)]);
  const socket = client(here.port);
  socket.write(request(port));
  expect(await until(socket, '\r\n\r\n')).toContain(denied(why));
});

test('a name that means this machine is refused unless policy names its range', async () => {
  const port = await web((_, response) => response.end('internal'));
  const url = get(`http://kit.example:${port}/`, LAST);
  // The name is on the list: whoever looks at names alone dials.
  const naive = await careless(
    (named) => named === `kit.example:${port}`,
    () => Promise.resolve('127.0.0.1'),
  );
  expect(await say(naive, url)).toContain('internal');
  const here = await listening([host('kit.example', port, null)]);
  expect(await say(here.port, url)).toContain(denied('address_not_public'));
  const elsewhere = await listening([host('kit.example', port, '10.0.0.0/8')]);
  expect(await say(elsewhere.port, url)).toContain(denied('address_outside_range'));
  const named = await listening([host('kit.example', port)]);
  expect(await say(named.port, url)).toContain('internal');
});

test('a name that is somebody else at the second look is dialled as whoever it was at the first', async () => {
  const port = await web((_, response) => response.end('checked'));
  await web((_, response) => response.end('switched'), '127.0.0.2', port);
  const flipping = () => {
    const answers = ['127.0.0.1', '127.0.0.2'];
    return () => Promise.resolve([answers.shift() ?? '127.0.0.2']);
  };
  const url = get(`http://kit.example:${port}/`, LAST);
  const look = flipping();
  // Looks the name up to judge it, and hands the name to whoever connects, which looks again.
  const naive = await careless(
    () => true,
    async (name) => ((await look())[0] === '127.0.0.1' ? (await look())[0]! : name),
  );
  expect(await say(naive, url)).toContain('switched');
  const here = await listening([host('kit.example', port, '127.0.0.1/32')], { resolve: flipping() });
  expect(await say(here.port, url)).toContain('checked');
  expect(await say(here.port, url), 'the next request is judged anew').toContain(denied('address_outside_range'));
});

test('of several addresses only those that were judged are dialled', async () => {
  const port = await web((_, response) => response.end('fine'), '127.0.0.2');
  const resolve = () => Promise.resolve(['169.254.169.254', '10.0.0.1', 'fe80::1%lo', '127.0.0.2']);
  const here = await listening([host('kit.example', port, LOOPBACK)], { resolve });
  expect(await say(here.port, get(`http://kit.example:${port}/`, LAST))).toContain('fine');
  const never = await listening([host('kit.example', 80, '0.0.0.0/0')], {
    resolve: () => Promise.resolve(['169.254.169.254']),
  });
  expect(await say(never.port, get('http://kit.example/', LAST))).toContain(denied('address_never'));
});

test('a host without an address, or with nobody there, was allowed and is not there', async () => {
  const gone = () => Promise.reject(new Error('ENOTFOUND'));
  const here = await listening([host('kit.example', 80)], { resolve: gone });
  expect(await say(here.port, get('http://kit.example/', LAST))).toContain(denied('name_unknown'));
  const free = await web(() => undefined, '127.0.0.3');
  const empty = await listening([host('kit.example', free)]);
  expect(await say(empty.port, get(`http://kit.example:${free}/`, LAST))).toContain(denied('unreachable'));
  expect(reached(empty)).toEqual([['kit.example', 'allowed', 'unreachable', 1]]);
});

test.each([
  ['as it comes', {}],
  ['with a second ClientHello, which this server asks for', { ecdhCurve: 'P-521' }],
])('a tunnel carries TLS to the host that it names, %s', async (_, options) => {
  const { port, names } = await secure(options);
  const here = await listening([host('kit.example', port)]);
  const named = `kit.example:${port}`;
  expect(await throughTunnel(here.port, named, { servername: 'kit.example' })).toBe('hello');
  expect(await throughTunnel(here.port, named, { servername: 'kit.example', maxVersion: 'TLSv1.2' })).toBe('hello');
  expect(names).toEqual(['kit.example', 'kit.example']);
  expect(reached(here)).toEqual([['kit.example', 'allowed', 'listed', 2]]);
});

test('a tunnel to a listed host does not lead to another one behind the same address', async () => {
  const { port, names } = await secure();
  const named = `kit.example:${port}`;
  const naive = await careless(
    (asked) => asked === named,
    () => Promise.resolve('127.0.0.1'),
  );
  expect(await throughTunnel(naive, named, { servername: 'evil.test' })).toBe('hello');
  expect(names.splice(0)).toEqual(['evil.test']);

  const here = await listening([host('kit.example', port)]);
  expect(await throughTunnel(here.port, named, { servername: 'evil.test' })).toBeUndefined();
  expect(await throughTunnel(here.port, named, {})).toBeUndefined();
  expect(names).toEqual([]);
  expect(reached(here)).toEqual([
    ['kit.example', 'refused', 'other_server_name', 1],
    ['kit.example', 'refused', 'server_name_missing', 1],
  ]);
});

test('a tunnel carries nothing but TLS', async () => {
  const heard: string[] = [];
  const port = await web((request, response) => {
    heard.push(request.headers.host!);
    response.end('fronted');
  });
  const through = (at: number) =>
    say(at, `CONNECT kit.example:${port} HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: evil.test\r\n${LAST}\r\n`);
  const naive = await careless(
    () => true,
    () => Promise.resolve('127.0.0.1'),
  );
  const socket = client(naive);
  socket.write(`CONNECT kit.example:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await once(socket, 'data');
  socket.write(`GET / HTTP/1.1\r\nHost: evil.test\r\n${LAST}\r\n`);
  expect(await rest(socket)).toContain('fronted');
  const here = await listening([host('kit.example', port)]);
  expect(await through(here.port)).not.toContain('fronted');
  expect(heard).toEqual(['evil.test']);
  expect(reached(here)).toEqual([['kit.example', 'refused', 'tunnel_not_tls', 1]]);
});

test('whoever says nothing after a tunnel was opened is not waited for', async () => {
  const { port } = await secure();
  const here = await listening([host('kit.example', port)], { limits: { helloMs: 20 } });
  expect(await say(here.port, `CONNECT kit.example:${port} HTTP/1.1\r\nHost: x\r\n\r\n`)).toContain('200');
  expect(reached(here)).toEqual([['kit.example', 'refused', 'tunnel_not_tls', 1]]);
});
