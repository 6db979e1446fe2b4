// A loopback web server in front of `git http-backend`, with faults to order. Stands in for a forge; judges nothing.
import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { git } from './repos.ts';

type Seen = { readonly method: string; readonly path: string; readonly authorization: string | undefined };

export type Fault =
  /** Git does its work, and the connection breaks before a byte of the answer. */
  | { readonly do: 'drop_answer' }
  | {
      readonly do: 'answer';
      readonly status: number;
      readonly body?: string | Uint8Array;
      readonly headers?: Record<string, string>;
    }
  /** Sends `chunk` again and again until the client goes away. */
  | { readonly do: 'endless'; readonly chunk: Uint8Array }
  /** Takes the request and says nothing, ever. */
  | { readonly do: 'hang' }
  /** Git starts only once the promise settles. */
  | { readonly do: 'wait'; readonly until: Promise<void> };

export type GitHttpServer = {
  readonly origin: string;
  readonly seen: Seen[];
  /** How many connections were opened so far. */
  connections(): number;
  readonly url: (repository: string) => string;
  /** Asked for each request; undefined lets it through. */
  faults(next: (request: Seen) => Fault | undefined): void;
  readonly close: () => Promise<void>;
};

export async function startGitHttpServer(
  root: string,
  options: { password?: string; tls?: { key: string; cert: string } } = {},
): Promise<GitHttpServer> {
  const seen: Seen[] = [];
  let faultFor: (request: Seen) => Fault | undefined = () => undefined;
  const listener: RequestListener = (request, response) => {
    const now: Seen = {
      method: request.method ?? '',
      path: request.url ?? '',
      authorization: request.headers.authorization,
    };
    seen.push(now);
    void serve(root, request, response, faultFor(now), options.password);
  };
  const server = options.tls === undefined ? createServer(listener) : createTlsServer(options.tls, listener);
  let connections = 0;
  server.on('connection', () => connections++);
  // Longer than any test: whether a connection is still warm must not depend on how busy the machine is.
  server.keepAliveTimeout = 300_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http${options.tls === undefined ? '' : 's'}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    seen,
    connections: () => connections,
    url: (repository) => `${origin}/${repository}`,
    faults: (next) => {
      faultFor = next;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
  password: string | undefined,
): Promise<void> {
  if (fault?.do === 'hang') return;
  if (fault?.do === 'endless') return pour(response, fault.chunk);
  if (fault?.do === 'answer') {
    request.resume();
    response.writeHead(fault.status, fault.headers ?? {}).end(fault.body);
    return;
  }
  if (password !== undefined && !knows(request.headers.authorization, password)) {
    request.resume();
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end('who are you?');
    return;
  }
  if (fault?.do === 'wait') await fault.until;
  backend(root, request, response, fault?.do === 'drop_answer');
}

function backend(root: string, request: IncomingMessage, response: ServerResponse, dropsAnswer: boolean): void {
  const url = new URL(request.url ?? '/', 'http://loopback');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REMOTE_USER: 'someone',
      REMOTE_ADDR: '127.0.0.1',
      REQUEST_METHOD: request.method,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: request.headers['git-protocol']?.toString() ?? '',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
    // A group of its own: `git http-backend` is a wrapper, and what it starts must end with it.
    detached: true,
  });
  child.stdin.on('error', () => {});
  request.pipe(child.stdin);
  // Told to expect more bytes than come, git 2.39 spins on the closed pipe for ever.
  request.once('close', () => {
    if (!request.complete) endGroup(child.pid);
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.once('close', () => {
    if (dropsAnswer) return request.socket.destroy();
    const output = Buffer.concat(chunks);
    const end = output.indexOf('\r\n\r\n');
    if (end < 0) return response.writeHead(500).end();
    const headers = cgiHeaders(output.subarray(0, end).toString('latin1'));
    response.writeHead(Number(headers.get('status')?.slice(0, 3) ?? 200), {
      'content-type': headers.get('content-type') ?? '',
    });
    return response.end(output.subarray(end + 4));
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself.
  }
}

function cgiHeaders(text: string): Map<string, string> {
  return new Map(
    text
      .split('\r\n')
      .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

/** As forges do: the token is the password, whoever the user. */
function knows(authorization: string | undefined, password: string): boolean {
  const [scheme, value] = (authorization ?? '').split(' ');
  return (
    scheme === 'Basic' &&
    Buffer.from(value ?? '', 'base64')
      .toString()
      .split(':')[1] === password
  );
}

function pour(response: ServerResponse, chunk: Uint8Array): void {
  response.writeHead(200, { 'content-type': 'application/x-git-receive-pack-result' });
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  response.on('error', () => {});
  more();
}

/** A bare repository that any of the servers can offer, as forges set theirs up. */
export function createBareRepository(root: string, name: string): string {
  git(root, ['init', '--quiet', '--bare', '--initial-branch=main', name]);
  const directory = join(root, name);
  for (const key of ['http.receivepack', 'uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant']) {
    git(directory, ['config', key, 'true']);
  }
  return directory;
}
