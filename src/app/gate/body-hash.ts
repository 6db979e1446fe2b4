// How the ledger remembers what somebody wrote on the forge: by the hash of the words as they came, and by nothing else.
import { hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';

export function bodyHash(crypto: Crypto, body: string): string {
  return `sha256:${hex(crypto.hash('sha256', utf8(body)))}`;
}
