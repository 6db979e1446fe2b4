// An agent that asks for more than it gets: connections, bytes, headers, time, names. It harms nobody but itself, and the
// record stays small.
import { expect, test } from 'vitest';
import { client, closed, host, listening, say, secure, throughTunnel, until, web } from './hosts.ts';

const get = (url: string): string => `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`;

test('connections beyond the limit are closed at once, and the others go on', async () => {
  const port = await web((_, response) => response.end('fine'));
  const here = await listening([host('kit.example', port)], { limits: { connections: 3 } });
  const held = [1, 2, 3].map(() => client(here.port));
  for (const socket of held) {
    socket.write(get(`http://kit.example:${port}/`));
    expect(await until(socket, 'fine')).toContain('200 OK');
  }
  const flood = Array.from({ length: 100 }, () => client(here.port));
  await Promise.all(flood.map((socket) => closed(socket)));
  expect(here.listener.use().reached).toContainEqual(
    expect.objectContaining({ host: '', port: 0, decision: 'refused', because: 'too_many_connections', times: 100 }),
  );
  held[0]!.write(get(`http://kit.example:${port}/`));
  expect(await until(held[0]!, 'fine')).toContain('200 OK');
});

test('one connection does not open more than all may', async () => {
  let waiting = 0;
  let enough = (): void => undefined;
  const isFull = new Promise<void>((resolve) => (enough = resolve));
  const port = await web(() => void (++waiting === 3 && enough()));
  const here = await listening([host('kit.example', port)], { limits: { connections: 3 } });
  const socket = client(here.port);
  socket.write(get(`http://kit.example:${port}/`).repeat(10));
  await isFull;
  const refused = () => here.listener.use().reached.find(({ because }) => because === 'too_many_connections')?.times;
  await expect.poll(refused).toBe(7);
  expect(waiting).toBe(3);
});

test('a cell that moved as much as it may moves no more, in either direction', async () => {
  const { port } = await secure({ says: Buffer.alloc(1 << 20, 'x') });
  const plainPort = await web((request, response) => {
    request.resume();
    response.write('x'.repeat(1 << 20));
  });
  const hosts = [host('kit.example', port), host('kit.example', plainPort)];
  const whole = await listening(hosts);
  expect((await throughTunnel(whole.port, `kit.example:${port}`, { servername: 'kit.example' }))!.length).toBe(1 << 20);
  const here = await listening(hosts, { limits: { bytes: 1 << 19 } });
  const got = await throughTunnel(here.port, `kit.example:${port}`, { servername: 'kit.example' });
  expect((got ?? '').length).toBeLessThan(1 << 20);
  expect(
    await say(here.port, get(`http://kit.example:${plainPort}/`).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')),
  ).toContain('x-lazarus-denied: too_many_bytes');
  const plainly = await listening(hosts, { limits: { bytes: 1 << 19 } });
  expect((await say(plainly.port, get(`http://kit.example:${plainPort}/`))).length).toBeLessThan(1 << 20);
  for (const { listener } of [here, plainly])
    expect(listener.use().reached).toContainEqual(
      expect.objectContaining({ host: 'kit.example', decision: 'refused', because: 'too_many_bytes' }),
    );
});

test('a request that never ends its headers is not waited for, and one with too many is not read', async () => {
  const here = await listening([], { limits: { headerMs: 30 } });
  expect(await say(here.port, 'GET http://kit.example/ HTTP/1.1\r\nHost: x\r\nX-Slow: ')).toContain(
    'request_malformed',
  );
  const large = await listening([]);
  expect(await say(large.port, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`)).toContain(
    'request_malformed',
  );
});

test('a connection on which nobody says anything ends', async () => {
  const port = await web(() => undefined);
  const here = await listening([host('kit.example', port)], { limits: { idleMs: 30 } });
  expect(
    await say(here.port, get(`http://kit.example:${port}/`).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')),
  ).toContain('x-lazarus-denied: unreachable');
});

test('names without end take a bounded record, and none of them is forgotten in number', async () => {
  const here = await listening([]);
  const texts = Array.from({ length: 1000 }, (_, i) => get(`http://name-${i}.test/`));
  const socket = client(here.port);
  let answers = 0;
  const all = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      answers += chunk.toString('latin1').split('host_not_listed').length - 1;
      if (answers === texts.length) resolve();
    });
  });
  socket.write(texts.join(''));
  await all;
  const { reached } = here.listener.use();
  expect(reached.length).toBeLessThanOrEqual(201);
  expect(reached.reduce((sum, { times }) => sum + times, 0)).toBe(1000);
});

test('a name that was refused as malformed is not kept: it is a stranger’s text', async () => {
  const here = await listening([]);
  await say(here.port, 'CONNECT <script>:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  await say(here.port, 'CONNECT kit%script:443 HTTP/1.1\r\nHost: x\r\n\r\n');
  const nothing = { host: '', port: 0, decision: 'refused', times: 1, bytesIn: 0, bytesOut: 0 };
  expect(here.listener.use().reached).toEqual([
    { ...nothing, because: 'request_malformed' },
    { ...nothing, because: 'name_malformed' },
  ]);
});

test('closing ends what is open, and nobody is served any more', async () => {
  const { port } = await secure();
  const here = await listening([host('kit.example', port)]);
  const socket = client(here.port);
  socket.write(`CONNECT kit.example:${port} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await until(socket, '200');
  await Promise.all([here.listener.close(), closed(socket)]);
  const late = client(here.port);
  await closed(late);
  expect(late.bytesRead).toBe(0);
});

test('what is asked of the listener itself is for whoever has that place', async () => {
  const here = await listening([], {
    places: [
      { answer: () => false, spent: () => [] },
      {
        answer: (request, response) => {
          response.end(`place ${request.url}`);
          return true;
        },
      },
    ],
  });
  const socket = client(here.port);
  socket.write(get('/_route/model/v1'));
  expect(await until(socket, 'place')).toContain('place /_route/model/v1');
  socket.write(get('http://127.0.0.1:3128/_route/model/v1'));
  expect(await until(socket, '\r\n\r\n')).toContain('x-lazarus-denied: host_not_listed');
});
