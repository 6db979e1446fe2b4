// What the tests of routes share: a door with routes on loopback, providers behind it that do what a test says, and a forwarder
// as one writes it in ten lines, to show what each attack gets where nothing stands against it.
import { createServer, request as ask, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { openRoutes } from '../../../src/adapters/listener/route.ts';
import { Route } from '../../../src/kernel/policy/route.ts';
import type { OpenRoute } from '../../../src/ports/network.ts';

export const SECRET = 'sk-canary/0123456789+abcdef';

export type Door = {
  readonly origin: string;
  readonly port: number;
  readonly routes: ReturnType<typeof openRoutes>;
  readonly cuts: [route: string, cut: string][];
};

type Settings = Omit<Parameters<typeof openRoutes>[0], 'routes' | 'onCut'>;

export async function openDoor(routes: readonly OpenRoute[], settings: Partial<Settings> = {}): Promise<Door> {
  const cuts: [string, string][] = [];
  const opened = openRoutes({
    routes,
    onCut: (route, cut) => cuts.push([route, cut]),
    ...settings,
  });
  onTestFinished(opened.close);
  const server = createServer((request, response) => {
    if (opened.answer(request, response) === false) response.writeHead(404).end('not a route');
  });
  const port = await listening(server);
  return { origin: `http://127.0.0.1:${port}`, port, routes: opened, cuts };
}

type Written = Readonly<Record<string, unknown>>;

export function routeTo(origin: string, written: Written = {}): OpenRoute {
  const route = Route.parse({
    origin,
    range: '127.0.0.0/8',
    key: 'env:SOME_KEY',
    allow: ['POST /v1/responses', 'POST /v1/chat/completions', 'POST /v1/messages', 'GET /v1/models/*'],
    ...written,
  });
  return { ...route, name: 'model', secret: SECRET };
}

export type Provider = {
  readonly origin: string;
  readonly seen: { method: string; url: string; headers: IncomingHttpHeaders }[];
};

export async function provider(
  answer: RequestListener,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Provider> {
  const seen: Provider['seen'] = [];
  const listener: RequestListener = (request, response) => {
    seen.push({ method: request.method!, url: request.url!, headers: request.headers });
    response.on('error', () => {});
    answer(request, response);
  };
  const port = await listening(tls === undefined ? createServer(listener) : createTlsServer(tls, listener));
  return { origin: `http${tls === undefined ? '' : 's'}://127.0.0.1:${port}`, seen };
}

/** Takes the path after the prefix, adds the key, follows redirects, hands everything through. */
export async function naiveDoor(origin: string): Promise<{ readonly origin: string; readonly port: number }> {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://x').pathname.replace('/_route/model', '');
    const allowed = ['/v1/responses', '/v1/models/'].some((one) => (request.url ?? '').includes(one));
    if (!allowed) {
      response.writeHead(403).end();
      return;
    }
    const headers = {
      ...request.headers,
      'x-key': SECRET,
      authorization: `Bearer ${SECRET}`,
      host: new URL(origin).host,
    };
    const follow = (to: URL): void => {
      const passed = ask(to, { method: request.method, headers }, (answer) => {
        if (answer.headers.location !== undefined) return follow(new URL(answer.headers.location, to));
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
        return undefined;
      });
      request.pipe(passed);
    };
    follow(new URL(`${origin}${path}`));
  });
  const port = await listening(server);
  return { origin: `http://127.0.0.1:${port}`, port };
}

/** Exactly these bytes, as no client library would send them, and everything that comes back. */
export async function rawly(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.write(text, 'latin1');
  });
}

export function rawRequest(line: string, headers: readonly string[] = []): string {
  return [`${line} HTTP/1.1`, 'host: 127.0.0.1', 'connection: close', ...headers, '', ''].join('\r\n');
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return (server.address() as AddressInfo).port;
}
