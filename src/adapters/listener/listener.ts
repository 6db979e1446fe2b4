// The host's side of one participant's listener: what comes in on its socket is a tunnel, a plain request to a host, or a
// request to the listener's own places, which somebody else answers. The socket says whose it is; nothing here tells one
// caller from another.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Server as Listening, Socket } from 'node:net';
import type { NetworkUse, Reach, Spent } from '../../ports/network.ts';
import { systemResolve, type Resolve } from './dial.ts';
import { egressOf } from './egress.ts';
import { LIMITS, type Limits } from './limits.ts';
import { deny, plain } from './plain.ts';
import { newRecord, type Record } from './record.ts';
import { refusalText, tunnel } from './tunnel.ts';

/** Whether the request was this one's to answer. */
type Answering = (request: IncomingMessage, response: ServerResponse) => boolean | Promise<boolean>;

/** Whoever answers at a place of the listener's own, such as `/_route/`. */
export type Place = {
  readonly answer: Answering;
  readonly spent?: () => readonly Spent[];
  readonly close?: () => void;
};

export type Listener = {
  /** From now on takes what arrives at this socket, which is closed with it. */
  serve(on: Listening): void;
  use(): NetworkUse;
  close(): Promise<void>;
};

/** How often, within the time that headers have, somebody looks whether it is over. */
const LOOKS = 3;

type Parts = { readonly resolve?: Resolve; readonly places?: readonly Place[]; readonly limits?: Partial<Limits> };

export function openListener({ hosts }: Pick<Reach, 'hosts'>, parts: Parts = {}): Listener {
  const { resolve = systemResolve, places = [] } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const record = newRecord();
  const egress = egressOf(hosts, { record, resolve, limits });
  const server = httpServer(record, limits);
  const tunnels = new Set<Socket>();
  server.on('request', (request, response) => {
    const answered = isPlace(request.url) ? atPlace(places, request, response) : plain(egress, request, response);
    answered.catch(() => response.destroy());
  });
  server.on('connect', (request, client: Socket, head) => {
    tunnels.add(client);
    client.on('error', () => undefined);
    client.once('close', () => tunnels.delete(client));
    tunnel(egress, request.url ?? '', client, head).catch(() => client.destroy());
  });
  return {
    serve: (on) => void server.listen(on),
    use: () => ({ reached: record.lines(), spent: places.flatMap(({ spent }) => spent?.() ?? []) }),
    close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      for (const socket of tunnels) socket.destroy();
      for (const { close } of places) close?.();
      return closed;
    },
  };
}

/** Node's parser, strict: a line that it takes has one reading. */
function httpServer(record: Record, limits: Limits): Server {
  const server = createServer({
    insecureHTTPParser: false,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headerMs,
    // A request may last as long as its bytes come: whoever answers it watches that.
    requestTimeout: 0,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.ceil(limits.headerMs / LOOKS),
    noDelay: true,
  });
  server.maxConnections = limits.connections;
  server.on('drop', () => void record.note(undefined, { decision: 'refused', because: 'too_many_connections' }));
  server.on('clientError', (_error, client: Socket) => {
    record.note(undefined, { decision: 'refused', because: 'request_malformed' });
    if (client.writable) client.end(refusalText(400, 'request_malformed'));
    else client.destroy();
  });
  return server;
}

function isPlace(url: string | undefined): boolean {
  return url?.startsWith('/') === true;
}

async function atPlace(places: readonly Place[], request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const { answer } of places) if (await answer(request, response)) return;
  deny(response, 404, 'no_such_place');
}
