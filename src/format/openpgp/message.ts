// An OpenPGP message as lazarus writes one: encrypted to keys, and nothing else. Whoever opens one asks here first: a message
// that a passphrase opens as well would have a program ask its reader for one. Decrypts nothing.
import { Failure } from '../../failure.ts';
import { armor, dearmor } from './armor.ts';
import { readPacket } from './packet.ts';

const TAG_SESSION_KEY_FOR_KEY = 1;
const TAG_ENCRYPTED = 18;

export function armoredMessage(bytes: Uint8Array): string {
  return armor('MESSAGE', bytes);
}

/** Throws `message_unreadable`. */
export function assertForKeys(armored: string): void {
  const tags = tagsIn(armored);
  const isForKeys = tags.length > 1 && tags.slice(0, -1).every((tag) => tag === TAG_SESSION_KEY_FOR_KEY);
  if (!isForKeys || tags.at(-1) !== TAG_ENCRYPTED)
    throw new Failure('message_unreadable', { what: 'not encrypted to keys alone' });
}

function tagsIn(armored: string): readonly number[] {
  const tags: number[] = [];
  try {
    const bytes = dearmor('MESSAGE', armored);
    for (let at = 0; at < bytes.length;) {
      const { tag, end } = readPacket(bytes, at, 'key_malformed');
      tags.push(tag);
      at = end;
    }
  } catch (cause) {
    if (cause instanceof Failure) throw new Failure('message_unreadable', { what: 'no message' }, { cause });
    throw cause;
  }
  return tags;
}
