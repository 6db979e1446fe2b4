// The kernel port at the listener, with real sockets: what is heard, what is answered, and what a hostile body comes to. In front
// of it is the listener as cells get it, so that its own limits count as well.
import { connect, createServer, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPort, type Port } from '../../../src/adapters/cells/port.ts';
import { openListener } from '../../../src/adapters/listener/listener.ts';
import { portPlace } from '../../../src/adapters/listener/port.ts';
import { listening } from '../../../src/compose/listening.ts';
import type { KernelPort } from '../../../src/kernel/port/said.ts';
import type { CellSpec, PortMessage } from '../../../src/ports/cells.ts';
import { rawly } from './routing.ts';

type Open = { readonly origin: string; readonly at: number; readonly port: Port };
type Parts = Parameters<typeof portPlace>[1];
type Served = { serve(on: ReturnType<typeof createServer>): void; close(): Promise<void> };

async function served(listener: Served): Promise<number> {
  const socket = createServer();
  await new Promise<void>((resolve) => socket.listen(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  listener.serve(socket);
  onTestFinished(() => listener.close());
  return port;
}

async function opened(spec: Partial<CellSpec> = {}, parts: Parts = { nowMs: () => 0 }): Promise<Open> {
  const port = openPort(spec);
  const at = await served(openListener({ hosts: [] }, { places: [portPlace(port, parts)] }));
  return { origin: `http://127.0.0.1:${at}`, at, port };
}

async function post({ origin }: Open, body: string, headers: Record<string, string> = {}, place = '/_port') {
  const answer = await fetch(`${origin}${place}`, { method: 'POST', body, headers });
  return { status: answer.status, why: answer.headers.get('x-lazarus-denied'), text: await answer.text() };
}

async function mcp(at: Open, body: unknown): Promise<{ readonly status: number; readonly body: any }> {
  const { status, text } = await post(at, typeof body === 'string' ? body : JSON.stringify(body), {}, '/_port/mcp');
  return { status, body: text === '' ? undefined : JSON.parse(text) };
}

async function heard({ port }: Open): Promise<readonly PortMessage[]> {
  port.events.end();
  const messages: PortMessage[] = [];
  for await (const message of port.events) messages.push(message);
  return messages;
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const line = (kind: string, body: unknown): string => JSON.stringify({ kind, body });
const call = (id: unknown, name: string, given: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});

describe('JSON lines', () => {
  it('are heard one by one, and answered one by one', async () => {
    const at = await opened();
    const base64 = Buffer.from('{"all":"well"}').toString('base64');
    const lines = [line('heartbeat', { seq: 1 }), 'garbage', `{"kind":"done","base64":"${base64}"}`, ''];
    const { status, text } = await post(at, lines.join('\n'));
    expect(status).toBe(200);
    expect(
      text
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one).is),
    ).toEqual(['taken', 'not_taken', 'taken']);
    expect(at.port.count).toEqual({ messages: 2, refused: 1 });
    expect(await heard(at)).toEqual([
      { kind: 'heartbeat', body: { seq: 1 } },
      { kind: 'done', body: { all: 'well' } },
    ]);
  });

  it('are bounded in length, depth and number, whichever way that is tried', async () => {
    const at = await opened();
    const bad = [
      line('done', 'x'.repeat(600_000)),
      `{"kind":"done","body":${nested(5000)}}`,
      `{"kind":"done","base64":"${Buffer.from(nested(5000)).toString('base64')}"}`,
      line('approve', {}),
      line('note', { text: 'x'.repeat(2001) }),
      line('note', { text: 7 }),
      line('request', { what: 'host', target: { toString: 'evil' } }),
      '{"kind":"brief","body":{}}',
      '{"__proto__":{"kind":"done"},"kind":"done"}',
    ];
    for (const one of bad) expect((await post(at, one)).text, one.slice(0, 60)).toContain('"not_taken"');
    expect(at.port.count).toEqual({ messages: 0, refused: bad.length });
    expect((await post(at, nested(500_000))).text).toContain('not_taken');
    expect(await post(at, 'x'.repeat(1024 * 1024 + 1))).toMatchObject({ status: 413, why: 'port_too_large' });
    expect(await post(at, '{}\n'.repeat(65))).toMatchObject({ status: 413, why: 'port_too_large' });
    const spread = `${'\n'.repeat(500)}${line('heartbeat', {})}\n`.repeat(3);
    expect((await post(at, spread)).text.match(/taken/g)).toHaveLength(3);
    expect(await post(at, ' \n\n')).toMatchObject({ status: 400, why: 'port_malformed' });
    expect((await post(at, line('done', 1e308))).text).toContain('taken');
    expect((await heard(at)).at(-1)).toEqual({ kind: 'done', body: 1e308 });
  });

  it('that come too often are told so, are not heard, and are counted; later they are heard again', async () => {
    let nowMs = 0;
    const at = await opened({}, { limits: { atOnce: 10, perSecond: 2 }, nowMs: () => nowMs });
    const eight = Array(8).fill(line('heartbeat', {})).join('\n');
    expect((await post(at, eight)).status).toBe(200);
    expect(await post(at, eight)).toMatchObject({ status: 429, why: 'port_flood' });
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await post(at, eight)).status));
    expect(new Set(statuses)).toEqual(new Set([429]));
    expect(at.port.count).toEqual({ messages: 8, refused: 21 });
    nowMs = 1000;
    expect((await post(at, line('heartbeat', {}))).status).toBe(200);
  });

  it('end at ten thousand messages, and the lists that are kept long before', async () => {
    const at = await opened({}, { limits: { atOnce: 100_000 } });
    for (const [kind, body] of [
      ['note', { text: 'n' }],
      ['request', { what: 'r' }],
    ] as const) {
      const text = `${line(kind, body)}\n`.repeat(60);
      for (const _ of [1, 2]) await post(at, text);
    }
    expect(at.port.record().notes).toHaveLength(64);
    expect(at.port.record().requests).toHaveLength(64);
    expect(at.port.count).toEqual({ messages: 128, refused: 112 });
    const many = `${line('heartbeat', 1)}\n`.repeat(64);
    for (let n = 0; n < 160; n++) await post(at, many);
    expect(at.port.count.messages).toBe(10_000);
    expect((await post(at, line('done', {}))).text).toContain('too_many');
  });

  it('lose secrets, and half characters that no document takes', async () => {
    const secret = 'TOPSECRETVALUE';
    const at = await opened({ canaries: [secret] });
    await post(at, `{"kind":"note","body":{"text":"half \\ud800 ${secret}"}}`);
    await post(at, line('request', { what: 'host', target: secret, why: Buffer.from(secret).toString('base64') }));
    await post(at, line('done', { said: secret }));
    const all = JSON.stringify([at.port.record(), await heard(at)]);
    expect(all).not.toContain(secret);
    expect(all).not.toContain(Buffer.from(secret).toString('base64').slice(0, 12));
    expect(at.port.record().notes).toEqual(['half \ufffd ***REDACTED***']);
  });
});

describe('HTTP', () => {
  it('has two places and one method', async () => {
    const at = await opened();
    for (const path of ['/_port/', '/_port?x', '/_port/mcp/x', '/_portal'])
      expect((await post(at, '{}', {}, path)).status, path).toBe(404);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await fetch(`${at.origin}/_port/mcp`, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect(at.port.count.refused).toBe(0);
  });

  it('a page that the agent looks at does not speak for it', async () => {
    const at = await opened();
    // A page may post text to any address without asking first.
    const headers = { origin: 'http://evil.example.org', 'content-type': 'text/plain' };
    expect(await post(at, line('done', {}), headers)).toMatchObject({ status: 403, why: 'port_from_page' });
    expect(await heard(at)).toEqual([]);
  });

  it('a body that is shorter than announced holds nothing for longer than it may', async () => {
    const at = await opened({}, { limits: { patienceMs: 50, open: 2 } });
    const short = 'POST /_port HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n{"kind":"done"';
    const answers = await Promise.all([rawly(at.at, short), rawly(at.at, short), rawly(at.at, short)]);
    const statuses = answers.map((text) => text.split(' ')[1]!);
    expect(statuses.toSorted((a, b) => a.localeCompare(b))).toEqual(['408', '408', '429']);
    expect((await post(at, line('heartbeat', {}))).status).toBe(200);
    expect(at.port.count).toEqual({ messages: 1, refused: 3 });
  });

  it('a body that is longer than announced says what was announced, and the rest is no request', async () => {
    const at = await opened();
    const said = line('heartbeat', {});
    const head = `POST /_port HTTP/1.1\r\nhost: x\r\ncontent-length: ${said.length}\r\n\r\n`;
    const text = await rawly(at.at, `${head}${said}{"kind":"done","body":{}}\r\n\r\n`);
    expect(text.match(/^HTTP\/1.1 \d+/gm)!.at(-1)).toBe('HTTP/1.1 400');
    const twice = 'POST /_port HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}';
    expect(await rawly(at.at, twice)).toContain('HTTP/1.1 400');
    expect((await heard(at)).filter(({ kind }) => kind !== 'heartbeat')).toEqual([]);
  });

  it('requests one behind the other in one write are answered in order', async () => {
    const at = await opened();
    const one = (body: string, close = ''): string =>
      `POST /_port HTTP/1.1\r\nhost: x\r\n${close}content-length: ${body.length}\r\n\r\n${body}`;
    const text = await rawly(
      at.at,
      one(line('heartbeat', { seq: 1 })) + one('garbage') + one(line('heartbeat', { seq: 2 }), 'connection: close\r\n'),
    );
    expect(text.match(/"is":"\w+"/g)).toEqual(['"is":"taken"', '"is":"not_taken"', '"is":"taken"']);
    expect((await heard(at)).map(({ body }) => body)).toEqual([{ seq: 1 }, { seq: 2 }]);
  });

  it('a large answer that is read comes whole', async () => {
    const at = await opened({ brief: { 'brief.md': Buffer.alloc(200_000, 'x') } });
    const { text } = await post(at, '{"kind":"brief"}\n'.repeat(60));
    expect(text.match(/x{200000}/g)).toHaveLength(60);
  });

  it.each([
    ['is held for a few at once', undefined, 429],
    ['is not held for ever', 50, 200],
  ])('an answer that nobody reads %s', async (_, patienceMs, status) => {
    const brief = { 'brief.md': Buffer.alloc(100_000, 'x') };
    const limits = { open: 2, ...(patienceMs === undefined ? {} : { patienceMs }) };
    const at = await opened({ brief }, { limits, nowMs: () => 0 });
    const text = '{"kind":"brief"}\n'.repeat(60);
    for (const _ of [1, 2]) {
      const socket = connect(at.at, '127.0.0.1').on('error', () => undefined);
      onTestFinished(() => void socket.destroy());
      socket.write(`POST /_port HTTP/1.1\r\nhost: x\r\ncontent-length: ${text.length}\r\n\r\n${text}`);
    }
    await expect.poll(() => at.port.count.messages).toBe(120);
    await expect.poll(async () => (await post(at, line('heartbeat', {}))).status).toBe(status);
  });

  it('a body in pieces of a byte is held as one, and not as half a million', async () => {
    const collect = collector();
    let heldBytes = 0;
    const port: KernelPort = {
      say() {
        collect();
        heldBytes = process.memoryUsage().heapUsed;
        return { is: 'taken' };
      },
      refused: () => undefined,
    };
    const at = await served(openListener({ hosts: [] }, { places: [portPlace(port)] }));
    const head = 'POST /_port HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
    const said = line('heartbeat', 1);
    const text = `${head}${'1\r\n \r\n'.repeat(500_000)}${said.length.toString(16)}\r\n${said}\r\n0\r\n\r\n`;
    collect();
    const before = process.memoryUsage().heapUsed;
    expect(await rawly(at, text)).toContain('taken');
    expect(heldBytes - before).toBeLessThan(16 * 1024 * 1024);
  });

  it('whoever has no supervisor to talk to has no port there', async () => {
    const at = await served(listening({ hosts: [], routes: [] }, () => undefined));
    const answer = await fetch(`http://127.0.0.1:${at}/_port`, { method: 'POST', body: '{}' });
    expect([answer.status, answer.headers.get('x-lazarus-denied')]).toEqual([404, 'no_such_place']);
  });
});

describe('MCP', () => {
  const initialize = (protocolVersion: unknown) => ({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });

  it('begins, lists its tools, and hears what they are called with', async () => {
    const at = await opened({
      brief: { 'brief.md': Buffer.from('## Mission\n'), 'brief.json': Buffer.from('{"a":1}') },
    });
    const first = await mcp(at, initialize('2025-06-18'));
    expect(first.body.result).toMatchObject({ protocolVersion: '2025-06-18', capabilities: { tools: {} } });
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await mcp(at, ready)).toEqual({ status: 202, body: undefined });
    const { body: listed } = await mcp(at, { jsonrpc: '2.0', id: 'l', method: 'tools/list' });
    expect(listed.result.tools.map(({ name }: { name: string }) => name)).toEqual([
      'brief',
      'heartbeat',
      'note',
      'request',
      'blocked',
      'done',
    ]);
    for (const { inputSchema } of listed.result.tools) expect(inputSchema.type).toBe('object');
    const { body: brief } = await mcp(at, call(1, 'brief'));
    expect(brief.result.content.map(({ text }: { text: string }) => text)).toEqual(['## Mission\n', '{"a":1}']);
    const { body: asked } = await mcp(at, call(2, 'request', { what: 'host', target: 'pypi.org' }));
    expect(asked.result.isError).toBe(false);
    expect(JSON.parse(asked.result.content[0].text)).toMatchObject({ is: 'refused', because: 'host_not_listed' });
    expect((await mcp(at, { jsonrpc: '2.0', id: 3, method: 'ping' })).body.result).toEqual({});
    expect(at.port.count.refused).toBe(0);
  });

  it('goes on only in a version that it speaks', async () => {
    const at = await opened();
    const inVersion = (version: string) =>
      post(at, JSON.stringify(call(1, 'heartbeat')), { 'mcp-protocol-version': version }, '/_port/mcp');
    expect((await inVersion('2025-03-26')).status).toBe(200);
    expect(await inVersion('2099-01-01')).toMatchObject({ status: 400, why: 'port_version' });
  });

  it('tells a model what is wrong with its claim, and takes it when that is mended', async () => {
    const at = await opened();
    const claim = {
      status: 'done_clean',
      started_at: '2026-01-01T00:00:00Z',
      finished_at: '2026-01-01T00:01:00Z',
      evidence: { verify_exit_code: 0 },
    };
    const { body } = await mcp(at, call(1, 'done', { ...claim, status: 'splendid' }));
    expect(body.result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('status') }] });
    expect((await mcp(at, call(2, 'done', claim))).body.result.isError).toBe(false);
    expect(await heard(at)).toEqual([{ kind: 'done', body: claim }]);
  });

  it.each([
    ['no JSON', '{"jsonrpc"'],
    ['a text nested 5,000 deep', `{"jsonrpc":"2.0","id":1,"method":"ping","params":${nested(5000)}}`],
    ['a batch of a hundred thousand', `[${'{},'.repeat(100_000)}{}]`],
  ])('answers %s, and goes on', async (_, body) => {
    const at = await opened();
    expect([400, 429]).toContain((await mcp(at, body)).status);
    expect(at.port.count).toEqual({ messages: 0, refused: 1 });
    expect((await mcp(at, call(1, 'heartbeat'))).status).toBe(200);
  });

  it('a batch costs as much as its calls', async () => {
    const at = await opened({}, { limits: { atOnce: 10, perSecond: 1 }, nowMs: () => 0 });
    const { status } = await mcp(at, Array(16).fill(call(1, 'heartbeat')));
    expect([status, at.port.count]).toEqual([429, { messages: 0, refused: 1 }]);
  });
});

/** What is still held after it has run is held by somebody. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
