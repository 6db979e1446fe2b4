// Connections to a route's one origin: dialled by an address that was looked up and judged here, TLS held against the name.
// Knows no paths, no keys and no other host.
import { Agent, type ClientRequestArgs } from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Duplex } from 'node:stream';
import { trusted } from './trust.ts';

/** The address to dial; undefined when there is none that may be dialled. Throws when the name cannot be looked up. */
export type LookUp = (host: string, range: string | null) => Promise<string | undefined>;

export const ADDRESS_REFUSED = 'ERR_ADDRESS_REFUSED';

export type Origin = {
  readonly agent: Agent;
  readonly host: string;
  readonly port: number;
  /** As a request names it. */
  readonly authority: string;
};

type To = { readonly origin: string; readonly range: string | null };
type Through = { readonly lookUp: LookUp; readonly caFile: string | undefined; readonly connectTimeoutMs: number };

/** Shorter than servers keep an idle connection: one that they close under a request would cost that request. */
const IDLE_TIMEOUT_MS = 4_000;

export function originOf({ origin, range }: To, through: Through): Origin {
  const { protocol, hostname: host, port: named, host: authority } = new URL(origin);
  const isTls = protocol === 'https:';
  const port = named === '' ? (isTls ? 443 : 80) : Number(named);
  const agent = new Agent({ keepAlive: true, timeout: IDLE_TIMEOUT_MS });
  // Asked only when no kept connection is free; what is written before the handshake ends waits in this process.
  agent.createConnection = (_options: ClientRequestArgs, created) => {
    open({ host, port, range, isTls }, through).then(
      (socket) => created?.(null, socket),
      (error: Error) => created?.(error, undefined as unknown as Duplex),
    );
    return undefined;
  };
  return { agent, host, port, authority };
}

type Where = { readonly host: string; readonly port: number; readonly range: string | null; readonly isTls: boolean };

async function open(
  { host, port, range, isTls }: Where,
  { lookUp, caFile, connectTimeoutMs }: Through,
): Promise<Socket> {
  const address = await lookUp(host, range);
  if (address === undefined)
    throw Object.assign(new Error('no address that may be dialled'), { code: ADDRESS_REFUSED });
  const to = { host: address, port, noDelay: true };
  const socket = isTls
    ? connectTls({
        ...to,
        secureContext: await trusted(caFile),
        ALPNProtocols: ['http/1.1'],
        // Without it the certificate is held against the address, which is right where the origin is one.
        ...(isIP(host) === 0 ? { servername: host } : {}),
      })
    : connect(to);
  const late = setTimeout(() => socket.destroy(new Error('no connection in time')), connectTimeoutMs);
  socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(late));
  socket.once('close', () => clearTimeout(late));
  return socket;
}
