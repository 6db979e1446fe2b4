// What is kept of what a program in a cell printed: how much it was, its digest, for whom it was encrypted, and the last lines
// as far as everybody may see them: known secrets were taken out when it was printed, and what pages and terminals obey is
// taken out by whoever shows it. The digest covers a salt as well, which stands in the message: words that can be guessed are
// not found by trying them. Opens nothing.
import { z } from 'zod';
import { SALT_BYTES } from '../../format/artifact.ts';
import { concat, fromUtf8, hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { MEMBERS_MAX } from '../../kernel/limits.ts';
import { Count, Digest, KeyFingerprint } from '../../kernel/values.ts';

export const PRINTED_MEDIA_TYPE = 'application/vnd.lazarus.printed+json';

const EXCERPT_LINES_MAX = 20;
const EXCERPT_LINE_CHARACTERS_MAX = 200;
const EXCERPT_CHARACTERS_MAX = 2048;

const SALT_CHARACTERS = 2 * SALT_BYTES;
const SALT_HEX = new RegExp(`^[0-9a-f]{${SALT_CHARACTERS}}$`);

export const Printed = z.lazy(() =>
  z
    .strictObject({
      /** Of what is kept, without the line of the salt. */
      bytes: Count,
      /** SHA-256 of a line with the salt, and what was printed: of all that the message holds. */
      digest: Digest,
      encrypted_to: z.array(KeyFingerprint).max(MEMBERS_MAX),
      /** The last lines, where policy lets everybody see them; null where it does not, and where nothing failed. */
      excerpt: z.array(z.string().max(EXCERPT_LINE_CHARACTERS_MAX)).max(EXCERPT_LINES_MAX).nullable(),
      lines: Count,
      /** Armored OpenPGP; null where the digest alone is kept. */
      message: z.string().nullable(),
      /** Null where the message holds it. */
      salt: z.string().regex(SALT_HEX).nullable(),
      schema: z.literal('lazarus.printed.v1'),
      /** Whether it is all that was printed: what came first is kept, up to a limit. */
      whole: z.boolean(),
    })
    .refine(({ message, salt }) => (message === null) === (salt !== null), { path: ['salt'] })
    .refine(({ message, encrypted_to }) => (message === null) === (encrypted_to.length === 0), { path: ['message'] }),
);
export type Printed = z.infer<typeof Printed>;

export function printedBytes(printed: Printed): Uint8Array {
  return utf8(jcs(printed));
}

/** Undefined where these bytes are something else. */
export function parsePrinted(bytes: Uint8Array): Printed | undefined {
  try {
    return Printed.safeParse(JSON.parse(fromUtf8(bytes))).data;
  } catch {
    return undefined;
  }
}

/** What is encrypted, and what the digest is of. */
export function salted(salt: string, content: Uint8Array): Uint8Array {
  return concat([utf8(`${SALT_LINE}${salt}\n`), content]);
}

const SALT_LINE = 'lazarus printed v1 ';
const SALT_LINE_BYTES = SALT_LINE.length + SALT_CHARACTERS + 1;

export function printedDigest(crypto: Crypto, all: Uint8Array): string {
  return `sha256:${hex(crypto.hash('sha256', all))}`;
}

/** What was printed, out of what a message holds; undefined where that is not what the document says. */
export function printedIn(crypto: Crypto, { digest, bytes }: Printed, all: Uint8Array): Uint8Array | undefined {
  const head = new TextDecoder('latin1').decode(all.subarray(0, SALT_LINE_BYTES));
  const isSalted = head.startsWith(SALT_LINE) && head.endsWith('\n') && SALT_HEX.test(head.slice(SALT_LINE.length, -1));
  const content = all.subarray(SALT_LINE_BYTES);
  return isSalted && content.length === bytes && printedDigest(crypto, all) === digest ? content : undefined;
}

/** Whole lines: half of one may say the opposite. */
export function excerptOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => beginning(line.trimEnd(), EXCERPT_LINE_CHARACTERS_MAX));
  while (lines.at(-1) === '') lines.pop();
  const last = lines.slice(-EXCERPT_LINES_MAX);
  while (last.join('\n').length > EXCERPT_CHARACTERS_MAX) last.shift();
  return last;
}

/** Without the first half of a character: half of one has no bytes. */
export function beginning(text: string, charactersMax: number): string {
  return text.slice(0, charactersMax).replace(/[\uD800-\uDBFF]$/, '');
}
