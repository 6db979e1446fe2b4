// A credential route: the key goes to one origin and comes back from nowhere. Each attack is shown first where nothing stands
// against it, or the test would pass for an attack that never worked.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openRoutes } from '../../../src/adapters/listener/route.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { scratch } from '../../support/repos.ts';
import { naiveDoor, openDoor, provider, rawly, rawRequest, routeTo, SECRET } from './routing.ts';

const CALL = '/_route/model/v1/responses';

function post(door: { readonly origin: string }, init: RequestInit = {}, path = CALL): Promise<Response> {
  return fetch(`${door.origin}${path}`, { method: 'POST', body: '{}', redirect: 'manual', ...init });
}

const denied = (answer: Response): string | null => answer.headers.get('x-lazarus-denied');

describe('what goes out', () => {
  it('has the key, and nothing by which a cell could bring another', async () => {
    const there = await provider((_request, response) => response.end('{}'));
    const door = await openDoor([
      routeTo(there.origin, { header: 'x-api-key', scheme: '', headers: { 'anthropic-version': '2023-06-01' } }),
    ]);
    const answer = await post(door, {
      headers: {
        authorization: 'Bearer mine',
        'x-api-key': 'mine',
        'api-key': 'mine',
        cookie: 'session=mine',
        'proxy-authorization': 'Basic mine',
        'x-forwarded-for': '10.0.0.1',
        'x-http-method-override': 'DELETE',
        'x-original-url': '/admin',
        'openai-organization': 'another',
        'accept-encoding': 'gzip, br',
        'anthropic-version': 'another',
        'anthropic-beta': 'tools',
        'content-type': 'application/json',
      },
    });
    expect(answer.status).toBe(200);
    const { host, connection, ...headers } = there.seen[0]!.headers;
    expect(host).toBe(new URL(there.origin).host);
    expect(connection).toBe('keep-alive');
    expect(headers).toEqual({
      accept: '*/*',
      'accept-encoding': 'identity',
      'accept-language': '*',
      'anthropic-beta': 'tools',
      'anthropic-version': '2023-06-01',
      'content-length': '2',
      'content-type': 'application/json',
      'user-agent': 'node',
      'x-api-key': SECRET,
    });
  });

  it('is sent with the word that the provider wants in front of the key', async () => {
    const there = await provider((_request, response) => response.end('{}'));
    const door = await openDoor([routeTo(there.origin)]);
    await post(door);
    expect(there.seen[0]!.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it('reaches the methods and paths that the route names, with their query', async () => {
    const there = await provider((_request, response) => response.end('{}'));
    const door = await openDoor([routeTo(there.origin)]);
    expect((await post(door, {}, `${CALL}?beta=true&x=%2e%2e`)).status).toBe(200);
    expect((await fetch(`${door.origin}/_route/model/v1/models/gpt-5:look`)).status).toBe(200);
    expect(there.seen.map(({ url }) => url)).toEqual(['/v1/responses?beta=true&x=%2e%2e', '/v1/models/gpt-5:look']);
    for (const [method, path, why] of [
      ['GET', CALL, 'call_not_allowed'],
      ['DELETE', '/_route/model/v1/models/x', 'call_not_allowed'],
      ['POST', '/_route/model/v1/files', 'call_not_allowed'],
      ['POST', `${CALL}/`, 'call_not_allowed'],
      ['POST', '/_route/other/v1/responses', 'route_unknown'],
    ] as const)
      expect(denied(await fetch(`${door.origin}${path}`, { method })), `${method} ${path}`).toBe(why);
    expect((await fetch(`${door.origin}/elsewhere`)).status).toBe(404);
    expect(there.seen).toHaveLength(2);
    expect(door.routes.spent()).toMatchObject([{ calls: 2, refused: 4 }]);
  });

  const TRICKS = [
    '/_route/model/v1/models/../admin',
    '/_route/model/v1/models/./../admin',
    '/_route/model/v1/models/%2e%2e/admin',
    '/_route/model/v1/models/.%2E/admin',
    '/_route/model/v1/models/..%2fadmin',
    '/_route/model/v1/models/..;/admin',
    '/_route/model/v1/models//admin',
    '/_route/model/v1/models/..\\admin',
    '/_route/model//v1/responses',
    '/_route/model/v1/models/x#/../admin',
    '/_route/model/v1/models/\x80',
    '/_route//v1/responses',
    '/_route/model',
    '/_route/MODEL/v1/responses',
    `/_route/model/v1/models/${'x'.repeat(9000)}`,
  ];

  it.each(TRICKS)('never has a path that could be read in two ways: %s', async (path) => {
    const there = await provider((_request, response) => response.end('{}'));
    const door = await openDoor([routeTo(there.origin)]);
    expect(await rawly(door.port, rawRequest(`GET ${path}`))).toMatch(/^HTTP\/1.1 400 /);
    expect(there.seen).toEqual([]);
  });

  it('(a plain forwarder lets the same tricks through to other paths)', async () => {
    const there = await provider((_request, response) => response.end('{}'));
    const naive = await naiveDoor(there.origin);
    await rawly(naive.port, rawRequest('GET /_route/model/v1/models/../admin'));
    await rawly(naive.port, rawRequest('GET /_route/model/v1/models/%2e%2e/admin'));
    expect(there.seen.map(({ url }) => url)).toEqual(['/v1/admin', '/v1/admin']);
  });

  it('leaves an address of another host alone: that is no route', async () => {
    const there = await provider((_request, response) => response.end('{}'));
    const door = await openDoor([routeTo(there.origin)]);
    expect(await rawly(door.port, rawRequest(`GET http://evil.example${CALL}`))).toMatch(/^HTTP\/1.1 404 /);
    expect(there.seen).toEqual([]);
  });

  it('is never TRACE, which would give the key back', async () => {
    const there = await provider((request, response) => response.end(JSON.stringify(request.headers)));
    const door = await openDoor([routeTo(there.origin, { allow: ['GET /*'] })]);
    expect(await rawly(door.port, rawRequest(`TRACE ${CALL}`))).toMatch(/^HTTP\/1.1 405 /);
    expect(there.seen).toEqual([]);
  });

  it('(a plain forwarder gives it back for TRACE)', async () => {
    const there = await provider((request, response) => response.end(JSON.stringify(request.headers)));
    const naive = await naiveDoor(there.origin);
    expect(await rawly(naive.port, rawRequest(`TRACE ${CALL}`))).toContain(SECRET);
  });

  it('carries no second request in the body of a first', async () => {
    const there = await provider((request, response) => request.resume().on('end', () => response.end('{}')));
    const door = await openDoor([routeTo(there.origin)]);
    const hidden = 'GET /v1/admin HTTP/1.1\r\nhost: x\r\n\r\n';
    const chunked = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    const get = rawRequest('GET /_route/model/v1/models/x', ['transfer-encoding: chunked']);
    expect(await rawly(door.port, get + chunked)).toMatch(/^HTTP\/1.1 200 /);
    const both = rawRequest(`POST ${CALL}`, ['transfer-encoding: chunked', 'content-length: 5']);
    expect(await rawly(door.port, both + chunked)).toMatch(/^HTTP\/1.1 400 /);
    expect(there.seen.map(({ url }) => url)).toEqual(['/v1/models/x']);
  });

  it('cannot gain a header by a line break in another, or in the address', async () => {
    const there = await provider((_request, response) => response.end('{}'));
    const door = await openDoor([routeTo(there.origin)]);
    await rawly(door.port, rawRequest('GET /_route/model/v1/models/x?a=%0d%0ax-injected:1'));
    await rawly(door.port, rawRequest('GET /_route/model/v1/models/x', ['accept: a\nx-injected: 1']));
    await rawly(door.port, rawRequest('GET /_route/model/v1/models/x', ['connection: authorization, user-agent']));
    for (const { headers } of there.seen) {
      expect(headers).not.toHaveProperty('x-injected');
      expect(headers.authorization).toBe(`Bearer ${SECRET}`);
    }
    expect(there.seen.length).toBeGreaterThan(0);
  });

  it('stops at a size, announced or not', async () => {
    const there = await provider((request, response) => request.resume().on('end', () => response.end('{}')));
    const door = await openDoor([routeTo(there.origin)], { limits: { requestBytesMax: 1000 } });
    const announced = rawRequest(`POST ${CALL}`, ['content-length: 1001']);
    expect(await rawly(door.port, announced)).toContain('x-lazarus-denied: request_too_large');
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    const unannounced = rawRequest(`POST ${CALL}`, ['transfer-encoding: chunked']);
    expect(await rawly(door.port, unannounced + chunk)).toContain('x-lazarus-denied: request_too_large');
  });

  it('is refused while too many calls are open, and not for longer', async () => {
    let release = (): void => {};
    const there = await provider((_request, response) => {
      release = () => response.end('{}');
    });
    const door = await openDoor([routeTo(there.origin)], { limits: { openCallsMax: 1 } });
    const first = post(door);
    await expect.poll(() => there.seen.length).toBe(1);
    const second = await post(door);
    expect([second.status, denied(second)]).toEqual([503, 'calls_open']);
    release();
    expect((await first).status).toBe(200);
    const third = post(door);
    await expect.poll(() => there.seen.length).toBe(2);
    release();
    expect((await third).status).toBe(200);
  });
});

describe('where it goes', () => {
  it('is dialled only at an address that may be dialled', async () => {
    const there = await provider((_request, response) => response.end('{}'));
    const door = await openDoor([routeTo(there.origin, { range: null })]);
    const answer = await post(door);
    expect([answer.status, denied(answer)]).toEqual([502, 'address_refused']);
    expect(there.seen).toEqual([]);
  });

  it('is asked for the name but dialled at the address that was judged', async () => {
    const there = await provider((_request, response) => response.end('{}'));
    const { port } = new URL(there.origin);
    const door = await openDoor([routeTo(`http://model.example:${port}`)], {
      // A second answer of the name server is never asked for.
      resolve: async () => ['127.0.0.1'],
    });
    expect((await post(door)).status).toBe(200);
    expect(there.seen[0]!.headers.host).toBe(`model.example:${port}`);
  });

  it.each([
    ['10.0.0.0/8', '127.0.0.1', 'outside of the range that is named'],
    ['169.254.0.0/16', '169.254.169.254', 'where a cloud keeps credentials'],
    [null, '192.168.1.1', 'not public'],
  ])('is not dialled at an address (range %s, %s) that is %s', async (range, address, _why) => {
    const door = await openDoor([routeTo('http://model.example', { range })], { resolve: async () => [address] });
    expect(denied(await post(door))).toBe('address_refused');
  });

  it('is asked again over the connection that is open', async () => {
    const sockets = new Set<unknown>();
    const there = await provider((request, response) => {
      sockets.add(request.socket);
      response.end('{}');
    });
    const door = await openDoor([routeTo(there.origin)]);
    for (let call = 0; call < 5; call++) await (await post(door)).text();
    expect(sockets.size).toBe(1);
  });

  it('is dialled anew when the provider has closed a connection that was kept', async () => {
    const closed: Promise<void>[] = [];
    const there = await provider((request, response) => {
      closed.push(new Promise((resolve) => request.socket.once('close', () => resolve())));
      response.end('{}', () => request.socket.end());
    });
    const door = await openDoor([routeTo(there.origin)]);
    for (let call = 0; call < 3; call++) {
      expect((await post(door)).status).toBe(200);
      await closed[call];
    }
  });

  it('has to show a certificate that is trusted, or hears nothing', async () => {
    const tls = selfSignedCertificate();
    const there = await provider((_request, response) => response.end('{}'), tls);
    const stranger = await openDoor([routeTo(there.origin)]);
    expect(denied(await post(stranger))).toBe('unreachable');
    expect(there.seen).toEqual([]);
    const caFile = join(scratch('ca'), 'ca.pem');
    writeFileSync(caFile, tls.cert);
    const friend = await openDoor([routeTo(there.origin)], { caFile });
    expect((await post(friend)).status).toBe(200);
    expect(there.seen[0]!.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it('has to show a certificate for its own name', async () => {
    const tls = selfSignedCertificate();
    const there = await provider((_request, response) => response.end('{}'), tls);
    const caFile = join(scratch('ca'), 'ca.pem');
    writeFileSync(caFile, tls.cert);
    const { port } = new URL(there.origin);
    const door = await openDoor([routeTo(`https://model.example:${port}`)], {
      caFile,
      resolve: async () => ['127.0.0.1'],
    });
    expect(denied(await post(door))).toBe('unreachable');
    expect(there.seen).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])('is no other place that a redirect names (%d)', async (status) => {
    const thief = await provider((_request, response) => response.end('thanks'));
    const there = await provider((_request, response) =>
      response.writeHead(status, { location: `${thief.origin}/v1/responses` }).end(),
    );
    const answer = await post(await openDoor([routeTo(there.origin)]));
    expect([answer.status, denied(answer), answer.headers.get('location')]).toEqual([502, 'redirect', null]);
    expect(thief.seen).toEqual([]);
    await post(await naiveDoor(there.origin));
    expect(thief.seen[0]!.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it.each(['//evil.example/x', 'http://user@127.0.0.1/x', 'javascript:alert(1)', '/v1/a%2fb', 'http://['])(
    'is no place that looks like the origin: %s',
    async (location) => {
      const there = await provider((_request, response) => response.writeHead(302, { location }).end());
      expect(denied(await post(await openDoor([routeTo(there.origin)])))).toBe('redirect');
    },
  );

  it('is the same origin again when that redirects to itself, through the rules of the route', async () => {
    const there = await provider((request, response) => {
      if (request.url === '/v1/responses') response.writeHead(307, { location: '/v1/models/new?x=1' }).end();
      else response.end('{}');
    });
    const door = await openDoor([routeTo(there.origin)]);
    const answer = await post(door);
    expect([answer.status, answer.headers.get('location')]).toEqual([307, '/_route/model/v1/models/new?x=1']);
  });
});

describe('what comes back', () => {
  const spellings: [string, (text: string) => string][] = [
    ['as it is', (text) => text],
    ['url-encoded', encodeURIComponent],
    ['in base64', (text) => Buffer.from(text).toString('base64')],
    ['in base64 behind other bytes', (text) => Buffer.from(`x:${text}`).toString('base64')],
    ['in hex', (text) => Buffer.from(text).toString('hex')],
    ['in JSON', (text) => JSON.stringify({ text: text })],
  ];

  it.each(spellings)('never holds the key %s, wherever it is cut', async (_, spell) => {
    const text = `{"said":${JSON.stringify(spell(SECRET))}}`;
    for (const cut of [1, 7, Math.floor(text.length / 2), text.length - 3]) {
      const there = await provider((_request, response) => {
        response.setHeader('x-request-id', spell(SECRET));
        response.write(text.slice(0, cut), () => setImmediate(() => response.end(text.slice(cut))));
      });
      const answer = await post(await openDoor([routeTo(there.origin)]));
      const body = await answer.text();
      expect(body).toContain('***REDACTED***');
      expect(body).not.toContain(spell(SECRET));
      expect(answer.headers.get('x-request-id')).toContain('***REDACTED***');
      const naive = await post(await naiveDoor(there.origin));
      expect(await naive.text()).toBe(text);
    }
  });

  it('never holds the key of another route of the same cell either', async () => {
    const there = await provider((_request, response) => response.end('it is sk-other-0123456789'));
    const other = { ...routeTo(there.origin), name: 'other', secret: 'sk-other-0123456789' };
    const door = await openDoor([routeTo(there.origin), other]);
    expect(await (await post(door)).text()).toBe('it is ***REDACTED***');
  });

  it('has the headers that clients need and no other', async () => {
    const there = await provider((_request, response) =>
      response
        .writeHead(429, 'No Such Luck', {
          'content-type': 'application/json',
          'retry-after': '7',
          'x-request-id': 'req_1',
          'x-ratelimit-remaining-tokens': '0',
          'anthropic-ratelimit-requests-limit': '50',
          'openai-processing-ms': '12',
          'set-cookie': 'session=1',
          'alt-svc': 'h3="evil.example:443"',
          'www-authenticate': 'Bearer',
          link: '<http://evil.example>; rel=preload',
          refresh: '0; url=http://evil.example',
          'access-control-allow-origin': '*',
          trailer: 'x-key',
          location: 'http://evil.example',
        })
        .end('{}'),
    );
    const answer = await post(await openDoor([routeTo(there.origin)]));
    const { date, connection, 'keep-alive': _alive, ...headers } = Object.fromEntries(answer.headers);
    expect(date).toBeDefined();
    expect(connection).toBeDefined();
    expect([answer.status, answer.statusText]).toEqual([429, 'Too Many Requests']);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'retry-after': '7',
      'x-request-id': 'req_1',
      'x-ratelimit-remaining-tokens': '0',
      'anthropic-ratelimit-requests-limit': '50',
      'openai-processing-ms': '12',
      'transfer-encoding': 'chunked',
    });
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('is never compressed, where nobody could search it (%s)', async (encoding, compress) => {
    const there = await provider((_request, response) =>
      response.setHeader('content-encoding', encoding).end(compress(`it is ${SECRET}`)),
    );
    const answer = await post(await openDoor([routeTo(there.origin)]));
    expect([answer.status, denied(answer)]).toEqual([502, 'encoded']);
    expect(await (await post(await naiveDoor(there.origin))).text()).toContain(SECRET);
  });

  it('comes as it is made: an event is there before the next one exists', async () => {
    let next = (_text: string): void => {};
    const there = await provider((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      next = (text) => response.write(`data: ${text}\n\n`);
      next('one');
    });
    const reader = (await post(await openDoor([routeTo(there.origin)]))).body!.getReader();
    const text = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await text()).toBe('data: one\n\n');
    next('two');
    expect(await text()).toBe('data: two\n\n');
    await reader.cancel();
  });

  it('begins when the provider begins, before it says anything', async () => {
    const there = await provider((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
    });
    const answer = await post(await openDoor([routeTo(there.origin)]));
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    await answer.body!.cancel();
  });

  it('breaks off where the provider broke off, and is no whole answer', async () => {
    const there = await provider((_request, response) => {
      response.write('data: half\n\n', () => response.socket!.destroy());
    });
    const answer = await post(await openDoor([routeTo(there.origin)]));
    await expect(answer.text()).rejects.toThrow();
  });

  it('ends when it has no end', async () => {
    const there = await provider((_request, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
      };
      response.on('drain', more);
      more();
    });
    const door = await openDoor([routeTo(there.origin)], { limits: { answerBytesMax: 100_000 } });
    let bytes = 0;
    const reading = async (): Promise<void> => {
      for await (const chunk of (await post(door)).body as AsyncIterable<Uint8Array>) bytes += chunk.length;
    };
    await expect(reading()).rejects.toThrow();
    expect(bytes).toBeLessThanOrEqual(100_000);
  });

  it('is given up when the provider says nothing', async () => {
    const there = await provider(() => {});
    const door = await openDoor([routeTo(there.origin)], { limits: { quietTimeoutMs: 50 } });
    const answer = await post(door);
    expect([answer.status, denied(answer)]).toEqual([504, 'quiet']);
  });

  it('is given up when the provider stops in the middle', async () => {
    const there = await provider((_request, response) => void response.write('data: one\n\n'));
    const door = await openDoor([routeTo(there.origin)], { limits: { quietTimeoutMs: 50 } });
    const answer = await post(door);
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it('has headers of a bounded size', async () => {
    const there = await provider((_request, response) =>
      response.setHeader('x-request-id', 'x'.repeat(40_000)).end('{}'),
    );
    expect(denied(await post(await openDoor([routeTo(there.origin)])))).toBe('unreachable');
  });

  it('is of no use to a cell that left: the call ends with it', async () => {
    let isGone = false;
    const there = await provider((request, response) => {
      request.resume();
      response.on('close', () => (isGone = true));
    });
    const door = await openDoor([routeTo(there.origin)]);
    const leaving = new AbortController();
    const call = post(door, { signal: leaving.signal });
    await expect.poll(() => there.seen.length).toBe(1);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => isGone).toBe(true);
  });

  it('says in words what was refused, in the form that clients print', async () => {
    const door = await openDoor([routeTo('http://127.0.0.1:9')]);
    const answer = await post(door, {}, '/_route/model/v1/files');
    expect(await answer.json()).toEqual({
      type: 'error',
      error: {
        type: 'lazarus_call_not_allowed',
        code: 'call_not_allowed',
        message: 'Policy does not allow this call: POST /v1/files. A route names its methods and paths.',
      },
    });
    expect(denied(await post(door))).toBe('unreachable');
  });
});

it('a key that is no header value is refused before anything is sent, without being quoted', () => {
  const routes = [{ ...routeTo('http://127.0.0.1:9'), secret: 'sk-one\r\nx-injected: 1' }];
  let refused: unknown;
  try {
    openRoutes({ routes, onCut: () => {} });
  } catch (error) {
    refused = error;
  }
  expect(refused).toMatchObject({ code: 'secret_unusable', facts: { route: 'model' } });
  expect(inspect(refused, { depth: 10 })).not.toContain('sk-one');
});
