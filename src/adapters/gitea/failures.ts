// What went wrong between a Gitea and us, in our words: status codes and broken connections become reason codes.
// The server's own words are shown, cut short and without the token; no decision is taken on them but one (scopes).
import { Failure } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import { ExchangeError } from './exchange.ts';

export type Question = { readonly route: string; readonly baseUrl: string; readonly token: string | undefined };

const WORDS_SHOWN_MAX = 200;

const BY_STATUS: Readonly<Record<number, ReasonCode>> = {
  401: 'authentication_needed',
  404: 'forge_not_found',
  409: 'forge_exists',
  429: 'forge_unreachable',
  503: 'forge_unreachable',
};

export function failureOf(error: unknown, question: Question): Failure {
  if (error instanceof Failure) return error;
  const asked = { asked: question.route, forge: question.baseUrl };
  const exchange = exchangeErrorIn(error);
  // No cause is kept from here on: octokit's errors carry the request, headers and body included.
  if (exchange !== undefined)
    return new Failure(codeOfExchange(exchange, question), { ...asked, why: exchange.message }, { retry: 'later' });
  const status = statusOf(error);
  if (status === undefined) return new Failure('forge_answer_unexpected', asked);
  const says = shown((error as Error).message, question.token);
  const scope = status === 403 ? /required scope\(s\), required=\[([a-z:, ]*)\]/.exec(says)?.[1] : undefined;
  if (scope !== undefined) return new Failure('forge_scope_missing', { ...asked, scope });
  return new Failure(
    codeOfStatus(status, question),
    { ...asked, status, says },
    { retry: status >= 429 ? 'later' : 'never' },
  );
}

/** The same question may well be answered a moment later. */
export function isWorthRepeating(failure: Failure): boolean {
  return failure.code === 'forge_unreachable' || failure.code === 'forge_answer_lost';
}

function codeOfExchange({ kind }: ExchangeError, question: Question): ReasonCode {
  if (kind === 'redirected' || kind === 'elsewhere') return 'forge_redirected';
  if (kind === 'too_long') return 'forge_answer_unexpected';
  return kind === 'not_sent' || isQuery(question) ? 'forge_unreachable' : 'forge_answer_lost';
}

function codeOfStatus(status: number, question: Question): ReasonCode {
  // Said by a proxy that gave up waiting: the server behind it may have acted.
  if (status === 502 || status === 504) return isQuery(question) ? 'forge_unreachable' : 'forge_answer_lost';
  return BY_STATUS[status] ?? (status >= 500 ? 'forge_failed' : 'forge_refused');
}

function isQuery({ route }: Question): boolean {
  return route.startsWith('GET ');
}

/** octokit wraps what our fetch throws. */
function exchangeErrorIn(error: unknown): ExchangeError | undefined {
  if (error instanceof ExchangeError) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof ExchangeError ? cause : undefined;
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

function shown(words: string, token: string | undefined): string {
  const without = token === undefined ? words : words.replaceAll(token, '…');
  return without.replaceAll(/[^\P{C}]+/gu, ' ').slice(0, WORDS_SHOWN_MAX);
}
