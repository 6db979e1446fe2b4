// What a threshold or a witness signs: the purpose first, so that a signature for one thing can never serve as another.
// Knows neither purposes nor signers.
import { concat, utf8 } from '../bytes.ts';

/** The bytes to sign for `purpose`: its context line, then the canonical JSON. */
export function statement(purpose: string, jcsBytes: Uint8Array): Uint8Array {
  return concat([utf8(`lazarus ${purpose} v1\n`), jcsBytes]);
}
