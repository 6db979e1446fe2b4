// Connections to a route's one origin: dialled by an address that was looked up and judged here, TLS held against the name,
// by certificates that this system trusts, as for git and curl, and a team's own authority beside them. Knows no paths, no
// keys and no other host.
import { Agent, type ClientRequestArgs } from 'node:http';
import { isIP, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { certificatesIn, systemCertificates } from '../system/certificates.ts';
import { dial, type Resolve } from './dial.ts';

export type Origin = {
  readonly agent: Agent;
  readonly host: string;
  readonly port: number;
  /** As a request names it. */
  readonly authority: string;
};

type To = { readonly origin: string; readonly range: string | null };
type Through = { readonly resolve: Resolve; readonly caFile: string | undefined };

/** Shorter than servers keep an idle connection: one that they close under a request would cost that request. */
const IDLE_TIMEOUT_MS = 4_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;

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

async function open({ isTls, ...line }: Where, { resolve, caFile }: Through): Promise<Socket> {
  const secureContext = isTls ? await trusted(caFile) : undefined;
  const dialled = await dial(line, resolve);
  if (dialled.is === 'not') throw Object.assign(new Error('not dialled'), { code: dialled.because });
  const { socket } = dialled;
  // A server that has closed an idle connection will not answer on it.
  socket.allowHalfOpen = false;
  if (secureContext === undefined) return socket;
  const secured = connectTls({
    socket,
    secureContext,
    ALPNProtocols: ['http/1.1'],
    // The certificate is held against the name, and against the address where the origin is one.
    ...(isIP(line.host) === 0 ? { servername: line.host } : { host: line.host }),
  });
  const late = setTimeout(() => secured.destroy(new Error('no handshake in time')), HANDSHAKE_TIMEOUT_MS);
  secured.once('secureConnect', () => clearTimeout(late)).once('close', () => clearTimeout(late));
  return secured;
}

/** Made once: to parse a hundred and fifty certificates takes longer than everything else that opens a cell. */
const contexts = new Map<string, Promise<SecureContext>>();

async function trusted(caFile: string | undefined): Promise<SecureContext> {
  const own = caFile === undefined ? [] : await certificatesIn(caFile);
  const name = own.join('\n');
  const known = contexts.get(name) ?? contextOf(own);
  contexts.set(name, known);
  return known;
}

/** Node's own list is the last resort. */
async function contextOf(own: readonly string[]): Promise<SecureContext> {
  const system = await systemCertificates();
  return createSecureContext({ ca: [...(system.length > 0 ? system : rootCertificates), ...own] });
}
