// One HTTP exchange over kept-alive connections, with one question answered for sure: can the server have seen the request?
// Knows nothing of git and of forges. Follows no redirect: the credential in its headers is for one origin alone.
// Node's own `fetch` would do, but loading it takes as long as a whole answer of a server nearby.
import * as http from 'node:http';
import type { Agent as TlsAgent } from 'node:https';
import type { TLSSocket } from 'node:tls';

export type Reply =
  | {
      readonly is: 'answered';
      readonly status: number;
      readonly headers: http.IncomingHttpHeaders;
      readonly body: Uint8Array;
    }
  /** No byte of the request left this process: trying again cannot do anything twice. */
  | { readonly is: 'not_sent'; readonly why: string; readonly isCertificate: boolean }
  /** The server may have acted: its answer did not arrive, or not in full. */
  | { readonly is: 'lost'; readonly why: string }
  /** The server answered without end: nothing of it is believed. */
  | { readonly is: 'too_long' };

export type Limits = {
  readonly connectTimeoutMs: number;
  readonly answerTimeoutMs: number;
  readonly answerBytesMax: number;
};

export const LIMITS: Limits = {
  connectTimeoutMs: 10_000,
  // Forges run hooks for seconds under load; a proxy in between usually gives up after 60 s.
  answerTimeoutMs: 90_000,
  answerBytesMax: 1_048_576,
};

// Shorter than what servers allow an idle connection (5 s in Node, 60 s and more elsewhere): a connection that the
// server closes while we write into it would make a push unknown that never needed to be.
const IDLE_TIMEOUT_MS = 4_000;
const CONNECTIONS_MAX = 6;

type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
};

export type Http = {
  /** `limits`: for an answer that may be larger, or must come sooner, than others. */
  send(request: Request, limits?: Partial<Limits>): Promise<Reply>;
  close(): void;
};

/** `ca` replaces the authorities that Node trusts, as git's http.sslCAInfo does. */
export function createHttp(limits: Limits, ca?: string): Http {
  const options = { keepAlive: true, timeout: IDLE_TIMEOUT_MS, maxSockets: CONNECTIONS_MAX, noDelay: true };
  let plain: http.Agent | undefined;
  let tls: TlsAgent | undefined;
  return {
    send: async ({ method, url, headers, body }, own) => {
      const isTls = new URL(url).protocol === 'https:';
      const length = body === undefined ? {} : { 'content-length': String(body.length) };
      const asked = { method, headers: { ...headers, ...length } };
      if (!isTls) {
        plain ??= new http.Agent(options);
        return exchange(http.request(url, { ...asked, agent: plain }), body, isTls, { ...limits, ...own });
      }
      const https = await import('node:https');
      tls ??= new https.Agent(ca === undefined ? options : { ...options, ca });
      return exchange(https.request(url, { ...asked, agent: tls }), body, isTls, { ...limits, ...own });
    },
    close: () => {
      plain?.destroy();
      tls?.destroy();
    },
  };
}

async function exchange(
  request: http.ClientRequest,
  body: Uint8Array | undefined,
  isTls: boolean,
  limits: Limits,
): Promise<Reply> {
  return new Promise((resolve) => {
    // True from the moment a byte can have left: what is written before the handshake ends waits in this process.
    let isConnected = false;
    const connecting = setTimeout(() => request.destroy(new Error('no connection in time')), limits.connectTimeoutMs);
    const answering = setTimeout(() => request.destroy(new Error('no answer in time')), limits.answerTimeoutMs);
    const finish = (reply: Reply): void => {
      clearTimeout(connecting);
      clearTimeout(answering);
      resolve(reply);
    };
    const connected = (): void => {
      isConnected = true;
      clearTimeout(connecting);
    };
    request.once('socket', (socket) => {
      if (request.reusedSocket) connected();
      else socket.once(isTls ? 'secureConnect' : 'connect', connected);
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const why = error.code ?? error.message;
      if (isConnected) finish({ is: 'lost', why });
      else finish({ is: 'not_sent', why, isCertificate: isCertificateProblem(request.socket as TLSSocket | null) });
    });
    request.once('response', (response) => receive(response, limits.answerBytesMax, finish));
    request.end(body);
  });
}

function receive(response: http.IncomingMessage, bytesMax: number, finish: (reply: Reply) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length <= bytesMax) return;
    finish({ is: 'too_long' });
    response.destroy();
  });
  response.once('error', (error: NodeJS.ErrnoException) => finish({ is: 'lost', why: error.code ?? error.message }));
  response.once('end', () => {
    finish({
      is: 'answered',
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: Buffer.concat(chunks),
    });
  });
}

/** The system's own certificates are unknown to Node but known to git, which can then push in our place. */
function isCertificateProblem(socket: TLSSocket | null): boolean {
  return socket !== null && Boolean(socket.authorizationError);
}
