// One call of a route on its way, from the first byte out to the last byte back: bounded, searched for every key, metered, and
// never held back. Decides nothing about whether it may be made.
import { request as ask, type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { pipeline, Transform } from 'node:stream';
import { redirectWithin, type RouteCall } from '../../kernel/network/route-call.ts';
import { headersToCell, headersToProvider } from '../../kernel/network/route-headers.ts';
import { usageReader, type UsageReader } from '../../kernel/network/usage.ts';
import type { OpenRoute } from '../../ports/network.ts';
import { redactor, redactText } from '../system/redact.ts';
import { deny, type Denial } from './denial.ts';
import type { Origin } from './origin.ts';
import type { Spending } from './spending.ts';

export type ForwardLimits = {
  /** Neither side sends a byte. */
  readonly quietTimeoutMs: number;
  readonly requestBytesMax: number;
  readonly answerBytesMax: number;
};

type Through = {
  readonly route: OpenRoute;
  readonly key: readonly [name: string, value: string];
  readonly to: Origin;
  readonly spending: Spending;
};
type Cell = { readonly request: IncomingMessage; readonly response: ServerResponse };
type Held = { readonly limits: ForwardLimits; readonly secrets: readonly string[] };

const HEADER_BYTES_MAX = 32 * 1024;

export function forward({ route, key, to, spending }: Through, call: RouteCall, cell: Cell, held: Held): ClientRequest {
  const { request, response } = cell;
  const provider = ask({
    agent: to.agent,
    host: to.host,
    port: to.port,
    method: request.method,
    path: `${call.path}${call.query}`,
    headers: {
      ...headersToProvider(request.headers, { key, fixed: route.headers }),
      ...framing(request),
      host: to.authority,
    },
    maxHeaderSize: HEADER_BYTES_MAX,
    setHost: false,
  });
  const exchange: Exchange = { reader: readerOf(request, route), bytesIn: 0, bytesOut: 0 };
  let isAnswered = false;
  let failed: Denial = 'unreachable';

  const counting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      exchange.bytesIn += chunk.length;
      if (exchange.bytesIn <= held.limits.requestBytesMax) return done(null, chunk);
      failed = 'request_too_large';
      return done(new Error('a request without end'));
    },
  });
  counting.on('error', (error) => provider.destroy(error));
  request.pipe(counting).pipe(provider);

  provider.setTimeout(held.limits.quietTimeoutMs, () => {
    failed = 'quiet';
    provider.destroy(new Error('no byte in time'));
  });
  provider.on('error', (error: NodeJS.ErrnoException) => {
    if (isAnswered) return;
    if (error.code?.startsWith('address_') === true) failed = 'address_refused';
    // What broke before an answer was not spent, unless it was the cell that left.
    if (!response.destroyed) exchange.reader = undefined;
    deny(response, failed, route.name);
  });
  provider.once('close', () => {
    if (!isAnswered) spending.end(exchange);
    // The provider may have answered before it was told everything: the rest goes nowhere.
    request.unpipe(counting).resume();
  });
  response.once('close', () => provider.destroy());

  provider.once('response', (answer) => {
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 299) exchange.reader = undefined;
    const cleaned = (value: string): string => redactText(value, held.secrets);
    const passed = headersToCell(answer.headers, cleaned);
    const denied = judge(answer, route, call, (within) => (passed['location'] = cleaned(within)));
    if (denied !== undefined) {
      deny(response, denied, route.name);
      provider.destroy();
      return;
    }
    isAnswered = true;
    response.writeHead(status, passed);
    response.flushHeaders();
    // An answer that breaks off breaks off for the cell as well: a clean end would be a lie.
    pipeline(answer, cleaning(exchange, held), response, (error) => {
      spending.end(exchange);
      if (error !== undefined && error !== null) provider.destroy();
    });
  });
  return provider;
}

type Exchange = { reader: UsageReader | undefined; bytesIn: number; bytesOut: number };

/** Only a POST asks for something that costs tokens. */
function readerOf({ method }: IncomingMessage, { usage }: OpenRoute): UsageReader | undefined {
  return method !== 'POST' || usage === 'none' ? undefined : usageReader(usage);
}

/** As the cell framed it: a body that is not announced would be read as another request, one that nobody judged. */
function framing({ headers }: IncomingMessage): Record<string, string> {
  const length = headers['content-length'];
  if (length !== undefined) return { 'content-length': length };
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' };
}

/** Why an answer may not pass. A redirect that stays is led through the route again. */
function judge(
  { statusCode: status = 0, headers }: IncomingMessage,
  { origin }: OpenRoute,
  call: RouteCall,
  lead: (within: string) => void,
): Denial | undefined {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return 'encoded';
  if (status < 300 || status > 399 || headers.location === undefined) return undefined;
  const within = redirectWithin(origin, call, headers.location);
  if (within === undefined) return 'redirect';
  lead(within);
  return undefined;
}

function cleaning(exchange: Exchange, { limits, secrets }: Held): Transform {
  const redact = redactor(secrets);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      exchange.bytesOut += chunk.length;
      if (exchange.bytesOut > limits.answerBytesMax) return done(new Error('an answer without end'));
      exchange.reader?.push(chunk);
      return done(null, bytesOf(redact.push(chunk.toString('latin1'))));
    },
    flush: (done) => done(null, bytesOf(redact.end())),
  });
}

function bytesOf(latin1: string): Buffer {
  return Buffer.from(latin1, 'latin1');
}
