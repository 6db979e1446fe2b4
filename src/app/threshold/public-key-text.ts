// A member's public key as it arrives: what `lazarus keys export` prints, or the same bytes as one base64 word.
import { fromBase64 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { dearmor } from '../../format/openpgp/armor.ts';
import { parsePublicKey, type PublicKey } from '../../format/openpgp/public-key.ts';
import { Failure } from '../../failure.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';

export function publicKeyFrom(crypto: Crypto, text: string): Verdict<PublicKey> {
  try {
    return accept(parsePublicKey(fromBase64(text.trim()) ?? dearmor('PUBLIC KEY BLOCK', text), crypto));
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
