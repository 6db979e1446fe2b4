// A plain request that names its host in the request line: judged like a tunnel, for every request of a connection, and sent to
// the host that was judged under that host's own name. Whatever the cell wrote into the Host header goes nowhere.
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import type { Refusal } from '../../kernel/network/decide.ts';
import { readPlainTarget } from '../../kernel/network/target.ts';
import type { Denied, Egress } from './egress.ts';

const HTTP_PORT = 80;
/** About the connection to us and not about the request; `expect` was answered by us. */
const OF_THIS_HOP =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|expect|x-lazarus-.*)$/i;

export async function plain(egress: Egress, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = request.method === 'TRACE' ? undefined : readPlainTarget(request.url ?? '');
  const opened = await egress.open(target);
  if (opened.is === 'denied') return deny(response, opened.status, opened.because);
  const { host, port, path } = target!;
  const { socket } = opened;
  if (response.destroyed) return void socket.destroy();
  const moved = egress.allowed(target!);
  socket.once('close', () => moved({ bytesIn: socket.bytesRead, bytesOut: socket.bytesWritten }));
  const refuse = (because: Refusal): void => {
    egress.refused(target, because);
    socket.destroy();
  };
  const count = (stream: Readable): void => {
    let isOver = false;
    stream.on('data', ({ length }: Buffer) => {
      if (isOver || egress.mayMove(length)) return;
      isOver = true;
      refuse('too_many_bytes');
    });
  };
  const away = ask({
    createConnection: () => socket,
    method: request.method,
    path,
    headers: ['host', port === HTTP_PORT ? host : `${host}:${port}`, ...framing(request), ...passed(request)],
    setHost: false,
    maxHeaderSize: egress.limits.headerBytes,
  });
  socket.setTimeout(egress.limits.idleMs, () => socket.destroy());
  away.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passed(answer) as string[]);
    count(answer);
    // An answer that breaks off breaks off for the cell as well: a clean end would be a lie.
    pipeline(answer, response, () => socket.destroy());
  });
  away.on('error', () => undefined);
  away.once('close', () => {
    if (!response.headersSent) deny(response, 502, 'unreachable');
  });
  response.once('close', () => socket.destroy());
  count(request);
  request.pipe(away);
}

export function deny(response: ServerResponse, status: number, because: Denied): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  // Nobody reads the rest of a question that was answered.
  const close = response.req.complete ? {} : { connection: 'close' };
  response.writeHead(status, { 'x-lazarus-denied': because, 'content-length': 0, ...close }).end();
}

/** Names and values in turn, as they came, doubles included. */
function passed({ rawHeaders, headers }: IncomingMessage): readonly string[] {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  return rawHeaders.flatMap((name, i) => {
    const isName = i % 2 === 0;
    return !isName || OF_THIS_HOP.test(name) || named.has(name.toLowerCase()) ? [] : [name, rawHeaders[i + 1]!];
  });
}

/** As the cell framed it: a body that is not announced would be read as another request, one that nobody judged. */
function framing({ headers }: IncomingMessage): readonly string[] {
  return headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked'];
}
