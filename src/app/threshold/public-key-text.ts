// A member's public key, and an encryption key behind it if there is one, as they arrive: what `lazarus keys export` prints, or the same bytes as one base64 word.
import { fromBase64 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { dearmor } from '../../format/openpgp/armor.ts';
import { parsePublicKeys, type PublicKeys } from '../../format/openpgp/public-keys.ts';
import { Failure } from '../../failure.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';

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
