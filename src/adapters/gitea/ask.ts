// Asks a Gitea one question over octokit's transport and answers with parsed data, or throws a Failure that says which
// question it was and never shows the token. Repeats only questions that can be asked twice without harm.
import { setTimeout as pause } from 'node:timers/promises';
import type { ZodType } from 'zod';
import { Failure } from '../../failure.ts';
import { limitedFetch, LIMITS, type Limits } from './exchange.ts';
import { failureOf, isWorthRepeating } from './failures.ts';

export type Params = Readonly<Record<string, unknown>>;

export type Ask = {
  /** `route` is a method and a path with `{names}` that are filled from `params`; the rest becomes query or body. */
  <T>(route: string, params: Params, schema: ZodType<T>): Promise<T>;
  /** The same, with `undefined` for what does not exist or may not be seen. */
  readonly maybe: <T>(route: string, params: Params, schema: ZodType<T>) => Promise<T | undefined>;
};

const ATTEMPTS_MAX = 3;
const FIRST_PAUSE_MS = 200;
/** Only what a second run leaves as the first one did. */
const REPEATABLE = /^(?:GET|PUT|PATCH) /;

export function createAsk(baseUrl: string, token: string | undefined, limits: Limits = LIMITS): Ask {
  const fetch = limitedFetch(limits);
  const silent = { debug: ignore, info: ignore, warn: ignore, error: ignore };

  async function once(route: string, params: Params): Promise<unknown> {
    const { request } = await import('@octokit/request');
    const headers = {
      accept: 'application/json',
      'user-agent': 'lazarus',
      ...(token === undefined ? {} : { authorization: `token ${token}` }),
    };
    const { data } = await request(route, {
      ...params,
      baseUrl: `${baseUrl}/api/v1`,
      headers,
      request: { fetch, log: silent },
    });
    return data;
  }

  async function ask<T>(route: string, params: Params, schema: ZodType<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return parsed(route, schema, await once(route, params));
      } catch (error) {
        const failure = failureOf(error, { route, baseUrl, token });
        const isLast = attempt === ATTEMPTS_MAX || !REPEATABLE.test(route) || !isWorthRepeating(failure);
        if (isLast) throw failure;
        await pause(FIRST_PAUSE_MS * 4 ** (attempt - 1));
      }
    }
  }

  const maybe = async <T>(route: string, params: Params, schema: ZodType<T>): Promise<T | undefined> => {
    try {
      return await ask(route, params, schema);
    } catch (error) {
      if (error instanceof Failure && error.code === 'forge_not_found') return undefined;
      throw error;
    }
  };
  return Object.assign(ask, { maybe });
}

function parsed<T>(route: string, schema: ZodType<T>, data: unknown): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  // The path of the field only: its value is whatever the other side sent.
  const field = result.error.issues[0]?.path.join('.') || 'the whole answer';
  throw new Failure('forge_answer_unexpected', { asked: route, field });
}

function ignore(): void {}
