// One POST over kept-alive connections, with one question answered for sure: can the server have seen the request?
// Knows nothing of git. Follows no redirect: the credential in its headers is for this origin alone.
import * as http from 'node:http';
import * as https from 'node:https';
import type { TLSSocket } from 'node:tls';

export type Reply =
  | {
      readonly is: 'answered';
      readonly status: number;
      readonly type: string;
      readonly location: string;
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
const CONNECTIONS_MAX = 4;

export type Poster = {
  post(url: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<Reply>;
  close(): void;
};

/** `ca` replaces the authorities that Node trusts, as git's http.sslCAInfo does. */
export function createPoster(limits: Limits, ca?: string): Poster {
  const options = { keepAlive: true, timeout: IDLE_TIMEOUT_MS, maxSockets: CONNECTIONS_MAX, noDelay: true };
  const agents = {
    'http:': new http.Agent(options),
    'https:': new https.Agent(ca === undefined ? options : { ...options, ca }),
  };
  return {
    post: async (url, headers, body) => {
      const target = new URL(url);
      const isTls = target.protocol === 'https:';
      const request = (isTls ? https : http).request(target, {
        method: 'POST',
        agent: isTls ? agents['https:'] : agents['http:'],
        headers: { ...headers, 'content-length': String(body.length) },
      });
      return exchange(request, body, isTls, limits);
    },
    close: () => {
      agents['http:'].destroy();
      agents['https:'].destroy();
    },
  };
}

async function exchange(request: http.ClientRequest, body: Uint8Array, isTls: boolean, limits: Limits): Promise<Reply> {
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
      type: response.headers['content-type'] ?? '',
      location: response.headers.location ?? '',
      body: Buffer.concat(chunks),
    });
  });
}

/** The system's own certificates are unknown to Node but known to git, which can then push in our place. */
function isCertificateProblem(socket: TLSSocket | null): boolean {
  return socket !== null && Boolean(socket.authorizationError);
}
