// Keys as people hand them over: a member's public ones, as `lazarus keys export` prints them or as one base64 word, and
// whose a private one is. Opens no private key.
import { fromBase64, fromUtf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { dearmor } from '../../format/openpgp/armor.ts';
import { parsePublicKeys, type PublicKeys } from '../../format/openpgp/public-key.ts';
import { Failure } from '../../failure.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { readPacket } from '../../format/openpgp/packet.ts';
import { principalOf } from '../begin.ts';

export function publicKeysFrom(crypto: Crypto, text: string): Verdict<PublicKeys> {
  try {
    return accept(parsePublicKeys(fromBase64(text.trim()) ?? dearmor('PUBLIC KEY BLOCK', text), crypto));
  } catch (cause) {
    if (cause instanceof Failure) return refuse(cause.code, cause.facts);
    throw cause;
  }
}

/** Whether a word is the key itself and not the name of a file that holds it. */
export function isInlineKey(word: string): boolean {
  return word.length > SHORTER_THAN_ANY_KEY && fromBase64(word) !== undefined;
}

const SHORTER_THAN_ANY_KEY = 200;

// Whose a private key is that lazarus itself once exported: the principal in its user id, read without opening the key.

/** Undefined where the text is spelled differently: then whoever imports it must say whose it is. */
export function principalIn(armored: string): string | undefined {
  try {
    const bytes = dearmor('PRIVATE KEY BLOCK', armored);
    const user = readPacket(bytes, readPacket(bytes, 0, 'key_malformed').end, 'key_malformed');
    const principal = principalOf(user.tag === TAG_USER_ID ? fromUtf8(user.body) : '');
    return principal.is === 'accepted' ? principal.value : undefined;
  } catch (cause) {
    if (cause instanceof Failure || cause instanceof TypeError) return undefined;
    throw cause;
  }
}

const TAG_USER_ID = 13;
