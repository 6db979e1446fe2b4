// A listener on this machine's loopback, servers that it may or may not reach, and clients that say exactly what they are told.
import { once } from 'node:events';
import { createServer as createWeb, type RequestListener } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { connect as connectTls, createServer as createTls, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { afterEach } from 'vitest';
import { openListener, type Listener } from '../../../src/adapters/listener/listener.ts';
import type { AllowedHost } from '../../../src/kernel/network/hosts.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';

export const LOOPBACK = '127.0.0.0/8';
const CERTIFICATE = selfSignedCertificate(['kit.example', 'evil.test']);

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

export type Here = { readonly listener: Listener; readonly port: number };

/** Every name is this machine's, unless `parts` says otherwise. */
export async function listening(
  hosts: readonly AllowedHost[],
  parts: NonNullable<Parameters<typeof openListener>[1]> = {},
): Promise<Here> {
  const listener = openListener({ hosts }, { resolve: () => Promise.resolve(['127.0.0.1']), ...parts });
  const socket = createServer();
  const port = await portOf(socket);
  listener.serve(socket);
  open.push(() => listener.close());
  return { listener, port };
}

export function host(name: string, port: number, range: string | null = LOOPBACK): AllowedHost {
  return { host: name, port, range };
}

/** `address`: any of 127.0.0.0/8; the same port at two of them is two servers. */
export async function web(listener: RequestListener, address = '127.0.0.1', at = 0): Promise<number> {
  const server = createWeb(listener);
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return portOf(server, address, at);
}

export type Secure = { readonly port: number; readonly names: (string | false | null)[] };

/** Says hello to whoever gets through, and remembers the names that it was asked for. */
export async function secure(
  options: { readonly ecdhCurve?: string; readonly says?: Buffer | string } = {},
): Promise<Secure> {
  const names: (string | false | null)[] = [];
  const { says = 'hello', ...rest } = options;
  const server = createTls({ ...CERTIFICATE, ...rest }, (socket) => {
    names.push(socket.servername);
    socket.on('error', () => undefined);
    socket.end(says);
  });
  server.on('tlsClientError', () => undefined);
  open.push(() => server.close());
  return { port: await portOf(server), names };
}

export async function portOf(server: Server, address = '127.0.0.1', at = 0): Promise<number> {
  server.listen(at, address);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export function client(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  open.push(() => socket.destroy());
  return socket;
}

/** Everything that comes back until the connection ends. */
export async function say(port: number, ...texts: readonly (string | Buffer)[]): Promise<string> {
  const socket = client(port);
  for (const text of texts) socket.write(text);
  return rest(socket);
}

export async function rest(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
  await closed(socket);
  return text;
}

/** However it came to that. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.resume().once('close', () => resolve());
  });
}

/** What was answered up to this word. */
export async function until(socket: Socket, word: string): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.includes(word)) resolve(text);
    });
    socket.once('close', () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
  });
}

/** A tunnel through whatever stands at `through`, with TLS in it: what the server said, or undefined when nothing came. */
export async function throughTunnel(
  through: number,
  named: string,
  options: ConnectionOptions,
): Promise<string | undefined> {
  const socket = client(through);
  socket.write(`CONNECT ${named} HTTP/1.1\r\nHost: ${named}\r\n\r\n`);
  const answer = await once(socket, 'data');
  if (!String(answer[0]).startsWith('HTTP/1.1 200')) return undefined;
  const tls: TLSSocket = connectTls({ socket, ca: CERTIFICATE.cert, checkServerIdentity: () => undefined, ...options });
  tls.on('error', () => undefined);
  return (await rest(tls)) || undefined;
}

/** What people write first: it looks at the CONNECT line, or at the first request of a connection, and lets all else by. */
export async function careless(
  isListed: (named: string) => boolean,
  address: (name: string) => Promise<string>,
): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (head: Buffer) => void pass(socket, head));
  });
  async function pass(socket: Socket, head: Buffer): Promise<void> {
    const [method, url = ''] = head.toString('latin1').split(' ');
    const named = method === 'CONNECT' ? url : new URL(url).host;
    if (!isListed(named)) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    const [name = '', port = '80'] = named.split(':');
    const away = connect({ host: await address(name), port: Number(port) });
    away.on('error', () => socket.destroy());
    if (method === 'CONNECT') socket.write('HTTP/1.1 200 OK\r\n\r\n');
    else away.write(head);
    socket.pipe(away).pipe(socket);
  }
  open.push(() => server.close());
  return portOf(server);
}
