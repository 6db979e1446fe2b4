// What a participant says to its supervisor, as one JSON text, and what it is answered. Whoever speaks is a stranger: what does
// not fit says nothing. Delivers nothing, and takes nobody's word for anything.
import { z } from 'zod';
import { fromBase64 } from '../../format/bytes.ts';
import { JSON_DEPTH_MAX } from '../../format/jcs.ts';
import { ASKED_KINDS } from '../course/classes.ts';

/** As large as a done.json may be, in base64, and its frame. */
export const LINE_CHARACTERS_MAX = 512 * 1024;
const NOTE_CHARACTERS_MAX = 2000;
const WORD_CHARACTERS_MAX = 64;
const TARGET_CHARACTERS_MAX = 300;

export const Note = z.strictObject({ text: z.string().min(1).max(NOTE_CHARACTERS_MAX) });

const ASKED = ['host', 'route', ...ASKED_KINDS];

export const Request = z.strictObject({
  what: z
    .string()
    .min(1)
    .max(WORD_CHARACTERS_MAX)
    .describe(`${ASKED.slice(0, -1).join(', ')} or ${ASKED.at(-1)}; whatever else is refused`),
  target: z.string().max(TARGET_CHARACTERS_MAX).optional().describe('name:port of a host, or the name of a route'),
  why: z.string().max(NOTE_CHARACTERS_MAX).optional().describe('for the people who decide about policy'),
});
export type Request = z.infer<typeof Request>;

/** Bodies of the first three are of any shape: who reads them judges them, and a claim decides nothing. */
export type Said =
  | { readonly kind: 'heartbeat' | 'done' | 'blocked'; readonly body: unknown }
  | { readonly kind: 'note'; readonly body: z.infer<typeof Note> }
  | { readonly kind: 'request'; readonly body: Request }
  | { readonly kind: 'brief' };

export type Answer =
  | { readonly is: 'taken' }
  | { readonly is: 'brief'; readonly markdown: string; readonly json: unknown }
  | { readonly is: 'granted'; readonly why: string }
  /** `allowing`: what policy or a mission would have to say. */
  | { readonly is: 'refused'; readonly because: string; readonly why: string; readonly allowing?: string }
  /** Nobody heard it. */
  | { readonly is: 'not_taken'; readonly because: 'malformed' | 'too_many'; readonly why: string };

/** Where it is heard. Neither of these throws, whatever was said. */
export type KernelPort = {
  readonly say: (said: Said) => Answer;
  /** Counts what was no message, or one too many. */
  readonly refused: () => void;
};

const Line = z.union([
  z.strictObject({ kind: z.enum(['heartbeat', 'done', 'blocked']), body: z.unknown() }),
  // A shell cannot quote JSON inside JSON: `base64` carries a JSON text as it lies in a file.
  z.strictObject({ kind: z.enum(['heartbeat', 'done', 'blocked']), base64: z.string() }),
  z.strictObject({ kind: z.literal('note'), body: Note }),
  z.strictObject({ kind: z.literal('request'), body: Request }),
  z.strictObject({ kind: z.literal('brief') }),
]);

/** Undefined for what is no message. */
export function readLine(text: string): Said | undefined {
  if (text.length > LINE_CHARACTERS_MAX) return undefined;
  const read = Line.safeParse(readJson(text));
  if (!read.success) return undefined;
  if (!('base64' in read.data)) return read.data;
  const { kind, base64 } = read.data;
  const bytes = fromBase64(base64);
  const body = bytes === undefined ? undefined : readJson(new TextDecoder().decode(bytes));
  return body === undefined ? undefined : { kind, body };
}

/** Undefined for what is no JSON, or nested so deep that whoever writes it again exhausts the stack. */
export function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Level by level: a recursion would end as the thing that is looked for. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > JSON_DEPTH_MAX) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
