// What lazarus asks of whoever encrypts for people: a message that any of them opens alone, with gpg as well. Whose key is
// whose is not known here.
import type { Reader } from '../kernel/roster/people.ts';

type Sealed = {
  /** An armored OpenPGP message. */
  readonly message: string;
  /** Those who can open it: fingerprints of their keys to encrypt to. */
  readonly readers: readonly string[];
};

export interface Messages {
  /** A key that cannot be encrypted to is left out; undefined where no other is left. */
  seal(content: Uint8Array, readers: readonly Reader[]): Promise<Sealed | undefined>;
}
