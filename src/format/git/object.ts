// A Git object as a value, ready to be stored or just read. Knows names and bytes, not meaning.
import { concatBriefly } from '../bytes.ts';
import type { Crypto } from '../crypto.ts';

/** A SHA-1 object name in lower-case hex. */
export type Oid = string;
export type ObjectType = 'blob' | 'tree' | 'commit';

export type GitObject = {
  readonly oid: Oid;
  readonly type: ObjectType;
  readonly body: Uint8Array;
  /** An earlier version of the same thing, in case the writer wants to store only the difference. */
  readonly base?: { readonly oid: Oid; readonly body: Uint8Array };
  /** Wanted in a file of its own, because one day it may have to be deleted. */
  readonly deletable?: true;
};

export const OID_BYTES = 20;

export function objectId(crypto: Crypto, type: ObjectType, body: Uint8Array): Oid {
  return crypto.hashHex('sha1', concatBriefly(`${type} ${body.length}\0`, [body]));
}

/** Names a body. `base` is left out when it is the same object: nothing can be a difference to itself. */
export function gitObject(crypto: Crypto, type: ObjectType, body: Uint8Array, base?: GitObject['base']): GitObject {
  const oid = objectId(crypto, type, body);
  if (base === undefined || base.oid === oid) return { oid, type, body };
  // A base with a base of its own would tie every earlier version of a tree to the latest: all of history in memory.
  return { oid, type, body, base: { oid: base.oid, body: base.body } };
}

/** True for 40 lower-case hex digits: Git accepts capitals in places, but one object must have one spelling. */
export function isOid(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text);
}

/** Writes the 20 bytes of a name; false where it is none, by the rule of `isOid`. Called per tree entry: no allocation. */
export function writeOid(oid: Oid, into: Uint8Array, at: number): boolean {
  let wrong = oid.length ^ (2 * OID_BYTES);
  for (let i = 0; i < OID_BYTES; i++) {
    const byte = (nibble(oid.charCodeAt(2 * i)) << 4) | nibble(oid.charCodeAt(2 * i + 1));
    wrong |= byte & ~0xff;
    into[at + i] = byte;
  }
  return wrong === 0;
}

/** Larger than any byte for what is no digit of a name, and for what lies behind its end. */
function nibble(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : NO_DIGIT;
}

const NO_DIGIT = 0x1000;
