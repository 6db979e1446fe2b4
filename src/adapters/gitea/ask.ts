// Asks a Gitea one question through octokit and answers with parsed data, or throws a Failure that says which question it
// was and never shows the token. Repeats only questions that can be asked twice without harm.
import { setTimeout as pause } from 'node:timers/promises';
import type { Octokit } from '@octokit/rest';
import type { ZodType } from 'zod';
import { Failure } from '../../failure.ts';
import { limitedFetch, LIMITS, type Limits } from './exchange.ts';
import { failureOf, isWorthRepeating } from './failures.ts';

export type Params = Readonly<Record<string, unknown>>;

/** A method of octokit: it knows its route, and the names that belong into it. */
type Call<P> = ((params?: P) => Promise<{ readonly data: unknown }>) & {
  readonly endpoint: { readonly DEFAULTS: { readonly method: string; readonly url: string } };
};
export type Method<P> = (rest: Octokit['rest']) => Call<P>;
/** What a method asks for, and what Gitea alone knows beside it. */
export type ParamsOf<P> = NoInfer<P> & Params;

type Asking<Absent> = {
  /** Where Gitea answers on a path that GitHub has. */
  <P, T>(method: Method<P>, params: ParamsOf<P>, schema: ZodType<T>): Promise<T | Absent>;
  /** Where only Gitea does: `route` is a method and a path with `{names}`; what is left of `params` is query or body. */
  <T>(route: string, params: Params, schema: ZodType<T>): Promise<T | Absent>;
};

export type Ask = Asking<never> & {
  /** The same, with `undefined` for what does not exist or may not be seen. */
  readonly maybe: Asking<undefined>;
  /** The server’s clock, as its answers are dated. */
  readonly date: () => Promise<string | undefined>;
};

export type Which = string | Method<never>;

const HEADERS = { accept: 'application/json', 'user-agent': 'lazarus' };
const ATTEMPTS_MAX = 3;
const FIRST_PAUSE_MS = 200;
/** Only what a second run leaves as the first one did. */
const REPEATABLE = /^(?:GET|PUT|PATCH) /;

type Manner = {
  readonly limits?: Limits | undefined;
  readonly patience?: (<T>(ask: () => Promise<T>) => Promise<T>) | undefined;
};

export function createAsk(
  baseUrl: string,
  token: string | undefined,
  { limits = LIMITS, patience = (once) => once() }: Manner = {},
): Ask {
  const api = `${baseUrl}/api/v1`;
  let loaded: Promise<Octokit> | undefined;

  async function load(): Promise<Octokit> {
    const { Octokit } = await import('@octokit/rest');
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const auth = token === undefined ? {} : { auth: token };
    return new Octokit({ ...auth, baseUrl: api, log, request: { fetch: limitedFetch(api, limits), log } });
  }

  const ask = async <T>(which: Which, params: Params, schema: ZodType<T>): Promise<T> =>
    patience(() => askSoon(which, params, schema));

  async function askSoon<T>(which: Which, params: Params, schema: ZodType<T>): Promise<T> {
    const octokit = await (loaded ??= load());
    const { route, send } = typeof which === 'string' ? routed(octokit, which) : called(which(octokit.rest));
    for (let attempt = 1; ; attempt++) {
      try {
        return parsed(route, schema, (await send({ ...params, headers: HEADERS })).data);
      } catch (error) {
        const failure = failureOf(error, { route, baseUrl, token });
        const isLast = attempt === ATTEMPTS_MAX || !REPEATABLE.test(route) || !isWorthRepeating(failure);
        if (isLast) throw failure;
        await pause(FIRST_PAUSE_MS * 4 ** (attempt - 1));
      }
    }
  }

  const maybe = async <T>(which: Which, params: Params, schema: ZodType<T>): Promise<T | undefined> => {
    try {
      return await ask(which, params, schema);
    } catch (error) {
      if (error instanceof Failure && error.code === 'forge_not_found') return undefined;
      throw error;
    }
  };
  const date = async (): Promise<string | undefined> => {
    const octokit = await (loaded ??= load());
    try {
      return (await octokit.request('GET /version', { headers: HEADERS })).headers.date;
    } catch (error) {
      throw failureOf(error, { route: 'GET /version', baseUrl, token });
    }
  };
  return Object.assign(ask, { maybe, date });
}

type Sent = { readonly route: string; readonly send: (params: Params) => Promise<{ readonly data: unknown }> };

function routed({ request }: Octokit, route: string): Sent {
  return { route, send: (params) => request(route, params) };
}

function called(call: Call<never>): Sent {
  const { method, url } = call.endpoint.DEFAULTS;
  return { route: `${method} ${url}`, send: (params) => call(params as never) };
}

function parsed<T>(route: string, schema: ZodType<T>, data: unknown): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  // The path of the field only: its value is whatever the other side sent.
  const field = result.error.issues[0]?.path.join('.') || 'the whole answer';
  throw new Failure('forge_answer_unexpected', { asked: route, field });
}

function ignore(): void {}
