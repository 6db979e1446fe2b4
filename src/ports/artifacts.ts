// What artifacts ask of the machine: randomness and a cipher, and a place for keys that nobody else reads.

export interface ArtifactCipher {
  /** Fresh random bytes; never the same twice. */
  salt(): Uint8Array;
  newKey(): Uint8Array;
  /** Authenticated encryption under a key that is used once. `associated` is bound, not stored. */
  seal(key: Uint8Array, content: Uint8Array, associated: Uint8Array): Uint8Array;
  /** Undefined when a single bit of key, bytes or associated data is another one. */
  open(key: Uint8Array, sealed: Uint8Array, associated: Uint8Array): Uint8Array | undefined;
}

/** Keys of encrypted artifacts. Destroying one erases the content in every copy there is, backups and clones included. */
export interface ArtifactKeys {
  read(digest: string): Promise<Uint8Array | undefined>;
  /** Durable when it returns. */
  write(digest: string, key: Uint8Array): Promise<void>;
  /** Whether there was one. */
  destroy(digest: string): Promise<boolean>;
}

export type ArtifactKit = { readonly cipher: ArtifactCipher; readonly keys: ArtifactKeys };
