// What a job and the supervisor of its machine say to each other, as lines of JSON: one question, lines for the job's log,
// one report. Judges its form; that the words of a job are no more than a hint is the supervisor's business.
import { z } from 'zod';
import type { Outcome, Report } from '../../forge-text/outcome.ts';
import { Failure } from '../../failure.ts';

/** Below a folder that no job can write; another one is said by LAZARUS_SUPERVISOR. */
export const SUPERVISOR_SOCKET = '/run/lazarus/supervisor.sock';

/** A later form has another number: whoever does not know it refuses by name. */
const VERSION = 1;

const Asked = z.lazy(() =>
  z.strictObject({
    v: z.literal(VERSION),
    server_url: z.string().max(300),
    owner: z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/),
    repository: z.string().regex(/^[A-Za-z0-9_.-]{1,100}$/),
    mission: z.string().regex(/^[A-Za-z0-9-]{1,40}$/),
    // Long enough that honest work does not hold it by chance: it is searched for in all that a cell says.
    token: z.string().regex(/^[A-Za-z0-9._~+/=-]{16,4096}$/),
  }),
);
export type Asked = z.infer<typeof Asked>;

const word = z.string().max(200).nullable();

const Told = z.lazy(() =>
  z.union([
    z.strictObject({ line: z.string() }),
    z.strictObject({
      report: z.strictObject({
        outcome: z.strictObject({
          decision: z.enum(['continue', 'complete', 'wait', 'stop', 'failure']),
          // The supervisor may be newer than the job, and know a word that this one does not.
          reasonCode: z.string().regex(/^[a-z_]{1,60}$/),
          next: z.enum(['cell', 'writer', 'none']),
          mission: word,
          digest: word,
          seq: z.int().nullable(),
          receipts: z.array(z.string().max(100)),
          wake: z.array(z.string().max(100)),
        }),
        lines: z.array(z.string()),
        summary: z.string(),
        exit: z.int().min(0).max(255),
      }),
    }),
  ]),
);

export function askedLine(asked: Omit<Asked, 'v'>): string {
  return JSON.stringify({ v: VERSION, ...asked });
}

/** Throws `supervisor_request`, and quotes nothing: there is a token in it. */
export function parseAsked(line: string): Asked {
  const read = Asked.safeParse(json(line));
  if (!read.success) throw new Failure('supervisor_request', { field: read.error.issues[0]?.path.join('.') || 'form' });
  return read.data;
}

export function lineTold(line: string): string {
  return JSON.stringify({ line });
}

export function reportTold(report: Report): string {
  return JSON.stringify({ report });
}

/** A line for the log, or the report at the end. */
export function parseTold(text: string): string | Report {
  const read = Told.safeParse(json(text));
  if (!read.success) throw new Failure('supervisor_unreachable', { said: 'something that is no answer' });
  if ('line' in read.data) return read.data.line;
  const { outcome, ...rest } = read.data.report;
  return { ...rest, outcome: { ...outcome, reasonCode: outcome.reasonCode as Outcome['reasonCode'] } };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
