// The primitives that pure code is handed: hashes and Ed25519 verification. Who computes them is not its business:
// node:crypto in the program, @noble in the script that verifies alone in a browser.

export type HashName = 'sha1' | 'sha256' | 'sha384' | 'sha512';

export interface Crypto {
  /** Reads `bytes` before it returns and keeps no reference: callers reuse the memory for the next hash. */
  hash(name: HashName, bytes: Uint8Array): Uint8Array;
  /** The same in lower-case hex, for names: most hashes of a verification become one, and digits from a library come cheaper. */
  hashHex(name: HashName, bytes: Uint8Array): string;
  /**
   * True only for a valid Ed25519 signature (RFC 8032, pure) of `message` by the 32-byte `publicKey`.
   * Never throws: a malformed key or signature is simply not valid. S ≥ L is refused.
   */
  verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
}

/** What `verifyEd25519` is asked, as one value: to be asked elsewhere, or later. */
export type SignatureToCheck = {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
};
