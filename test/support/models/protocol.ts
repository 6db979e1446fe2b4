// What a provider's protocol is for a scripted endpoint: where it is asked, how a question is read, how an answer is told.
import type { IncomingHttpHeaders } from 'node:http';
import type { ProtocolName, Whole } from './script.ts';

/** One event of a stream. Without a name only its data is sent. */
export type StreamEvent = { readonly name?: string; readonly data: unknown };

export type Question = {
  readonly model: string;
  readonly isStream: boolean;
  readonly tools: readonly string[];
  /** As parsed, for what only one protocol asks. */
  readonly body: Readonly<Record<string, unknown>>;
};

export type Protocol = {
  readonly name: ProtocolName;
  /** The end of the path; what stands before it is the agent's business. */
  readonly path: string;
  readonly keyOf: (headers: IncomingHttpHeaders) => string | undefined;
  /** Tools that a question offers elsewhere than in `tools`. */
  readonly moreTools?: (body: Question['body']) => readonly Readonly<Record<string, unknown>>[];
  readonly toolName: (tool: Readonly<Record<string, unknown>>) => unknown;
  readonly stream: (answer: Whole, question: Question) => readonly StreamEvent[];
  readonly whole: (answer: Whole, question: Question) => unknown;
  /** The last event of a stream is this text, where a protocol has one. */
  readonly farewell?: string;
  readonly refusal: (status: number, message: string) => unknown;
};

export function bearer(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}

/** Ids that differ within a process; nobody reads more into them. */
export function nextId(prefix: string): string {
  given += 1;
  return `${prefix}_${String(given).padStart(8, '0')}`;
}
let given = 0;

export function argumentsOf(call: Whole['calls'][number]): string {
  return 'text' in call ? JSON.stringify({ input: call.text }) : JSON.stringify(call.arguments);
}

/** The words that SDKs know their providers' errors by. */
export function errorType(status: number): string {
  return ERROR_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
}
const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};
