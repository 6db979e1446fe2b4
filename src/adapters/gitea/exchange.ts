// One HTTP exchange with limits: a `fetch` that follows no redirect, waits no longer than it says and reads no more. Given
// to octokit in place of Node's, with as much of an answer as octokit looks at. Decides nothing about what an answer means.
import { utf8 } from '../../format/bytes.ts';
import { createHttp, type Reply } from '../system/http.ts';

export type Limits = { readonly answerTimeoutMs: number; readonly answerBytesMax: number };

export const LIMITS: Limits = {
  // A pull request takes a second on an idle server; under load its hooks take many.
  answerTimeoutMs: 60_000,
  // All comments of an issue come in one answer, and strangers write them: without an end they would fill our memory.
  answerBytesMax: 33_554_432,
};

const CONNECT_TIMEOUT_MS = 10_000;

/** Why no answer can be used, and whether the server can have seen the question. */
export class ExchangeError extends Error {
  readonly kind: 'not_sent' | 'lost' | 'redirected' | 'elsewhere' | 'too_long';

  constructor(kind: ExchangeError['kind'], why: string) {
    super(why);
    this.name = 'ExchangeError';
    this.kind = kind;
  }
}

/** `api`: where every address has to begin, for the token is in its headers. */
export function limitedFetch(api: string, limits: Limits): typeof fetch {
  const http = createHttp({ ...limits, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  return async (url, init) => {
    if (typeof url !== 'string' || !url.startsWith(`${api}/`))
      throw new ExchangeError('elsewhere', 'not an address of this forge');
    const body = typeof init?.body === 'string' ? { body: utf8(init.body) } : {};
    const headers = init?.headers as Readonly<Record<string, string>>;
    const reply = await http.send({ method: init?.method ?? 'GET', url, headers, ...body });
    if (reply.is === 'too_long') throw new ExchangeError('too_long', `more than ${limits.answerBytesMax} bytes`);
    if (reply.is !== 'answered') throw new ExchangeError(reply.is, reply.why);
    // A redirect could lead to another host, or from https to http, and the token would travel along.
    if (reply.status >= 300 && reply.status < 400 && reply.status !== 304)
      throw new ExchangeError('redirected', originOf(reply.headers.location));
    return asResponse(url, reply);
  };
}

/** Building a real one would load all of Node's `fetch`. */
function asResponse(url: string, { status, headers, body }: Extract<Reply, { is: 'answered' }>): Response {
  const response = {
    url,
    status,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    text: () => Promise.resolve(new TextDecoder().decode(body)),
    arrayBuffer: () => Promise.resolve(new Uint8Array(body).buffer),
  };
  return response as unknown as Response;
}

/** No path: it may hold what a person would not want shown. */
function originOf(location: string | undefined): string {
  return location !== undefined && URL.canParse(location) ? new URL(location).origin : 'elsewhere on the same server';
}
