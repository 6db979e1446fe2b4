// What a program in a cell printed, on its way into the repository: encrypted to the roster's people or as a digest, never in
// clear but for the few lines that policy allows. A key that cannot be used leaves the digest, not the text.
import { hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import type { Output } from '../../kernel/policy/output.ts';
import { peopleWhoRead, type Reader } from '../../kernel/roster/people.ts';
import type { Messages } from '../../ports/messages.ts';
import type { NewDocument } from '../artifacts/documents.ts';
import { projectState, type MissionWorld } from '../mission/world.ts';
import { beginning, excerptOf, PRINTED_MEDIA_TYPE, printedBytes, printedDigest, salted } from './document.ts';

type Said = {
  readonly text: string;
  /** A check, or what prepares for one, is not an agent. */
  readonly by: 'agent' | 'check';
  readonly isFailed: boolean;
};
export type Keeper = (said: Said) => Promise<NewDocument>;

const CHARACTERS_MAX = { agent: 256 * 1024, check: 64 * 1024 } as const;

/** `output`: as the plan has it that people approved. Who reads is asked when something was printed. */
export function keeperOf(world: MissionWorld, messages: Messages, output: Output): Keeper {
  const { crypto } = world.bench.parts;
  return (said) =>
    keepPrinted(said, {
      crypto,
      output,
      salt: hex(world.kit.cipher.salt()),
      messages,
      readers: output.keep === 'digest' ? [] : peopleWhoRead(projectState(world)),
    });
}

type Keeping = {
  readonly crypto: Crypto;
  readonly output: Output;
  readonly salt: string;
  readonly messages: Messages;
  readonly readers: readonly Reader[];
};

async function keepPrinted(
  { text, by, isFailed }: Said,
  { crypto, output, salt, messages, readers }: Keeping,
): Promise<NewDocument> {
  const kept = beginning(text, CHARACTERS_MAX[by]);
  const content = utf8(kept);
  const all = salted(salt, content);
  const sealed = readers.length === 0 ? undefined : await messages.seal(all, readers);
  const mayShow = output.excerpt === 'all' || (output.excerpt === 'checks' && by === 'check');
  const document = printedBytes({
    bytes: content.length,
    digest: printedDigest(crypto, all),
    encrypted_to: [...(sealed?.readers ?? [])],
    excerpt: isFailed && mayShow ? [...excerptOf(text)] : null,
    lines: linesIn(kept),
    message: sealed?.message ?? null,
    salt: sealed === undefined ? salt : null,
    schema: 'lazarus.printed.v1',
    whole: kept.length === text.length,
  });
  return { content: document, mediaType: PRINTED_MEDIA_TYPE };
}

/** A last one without its line feed counts. */
function linesIn(text: string): number {
  const ends = text.split('\n').length - 1;
  return text === '' || text.endsWith('\n') ? ends : ends + 1;
}
