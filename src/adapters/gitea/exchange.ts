// One HTTP exchange with limits: a fetch that follows no redirect, waits no longer than it says and reads no more.
// Given to octokit in place of its own. Decides nothing about what an answer means.

export type Limits = { readonly answerTimeoutMs: number; readonly answerBytesMax: number };

export const LIMITS: Limits = {
  // A pull request takes a second on an idle server; under load its hooks take many.
  answerTimeoutMs: 60_000,
  // All comments of an issue come in one answer, and strangers write them: without an end they would fill our memory.
  answerBytesMax: 33_554_432,
};

/** Why no answer can be used, and whether the server can have seen the question. */
export class ExchangeError extends Error {
  readonly kind: 'not_sent' | 'lost' | 'redirected' | 'too_long';

  constructor(kind: ExchangeError['kind'], why: string) {
    super(why);
    this.name = 'ExchangeError';
    this.kind = kind;
  }
}

const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function limitedFetch(limits: Limits): typeof fetch {
  return async (input, init) => {
    const signal = AbortSignal.timeout(limits.answerTimeoutMs);
    try {
      // A redirect could lead to another host, or from https to http, and the token would travel along.
      const answer = await fetch(input, { ...init, redirect: 'manual', signal });
      if (answer.status >= 300 && answer.status < 400 && answer.status !== 304) {
        await answer.body?.cancel();
        throw new ExchangeError('redirected', originOf(answer.headers.get('location')));
      }
      const body = await readWhole(answer, limits.answerBytesMax);
      const { status, headers } = answer;
      return new Response(body.length === 0 ? null : body, { status, headers });
    } catch (error) {
      if (error instanceof ExchangeError) throw error;
      const code = codeOf(error);
      throw new ExchangeError(NEVER_SENT.has(code) ? 'not_sent' : 'lost', code);
    }
  };
}

async function readWhole(answer: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = answer.body?.getReader();
  for (;;) {
    const next = await reader?.read();
    if (next === undefined || next.done) break;
    length += next.value.length;
    if (length > bytesMax) {
      await reader?.cancel();
      throw new ExchangeError('too_long', `more than ${bytesMax} bytes`);
    }
    chunks.push(next.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** No path: it may hold what a person would not want shown. */
function originOf(location: string | null): string {
  try {
    return new URL(location ?? '').origin;
  } catch {
    return 'elsewhere on the same server';
  }
}

function codeOf(error: unknown): string {
  const { name, cause } = error as { readonly name?: string; readonly cause?: { readonly code?: string } };
  if (name === 'TimeoutError') return 'no answer in time';
  return cause?.code ?? name ?? 'unknown';
}
