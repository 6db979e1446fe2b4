// Whose a private key is that lazarus itself once exported: the principal in its user id, read without opening the key.
import { fromUtf8 } from '../format/bytes.ts';
import { dearmor } from '../format/openpgp/armor.ts';
import { readPacket } from '../format/openpgp/packet.ts';
import { Failure } from '../failure.ts';
import { principalOf } from './begin.ts';

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
