// What lazarus asks of keys: sign bytes under a fingerprint, and keep private keys where nobody else reads them.

/** An OpenPGP v4 fingerprint: 40 upper-case hex digits. */
type Fingerprint = string;

export interface Signer {
  readonly fingerprint: Fingerprint;
  /** The transferable public key: key packet, one user id packet, its self-signature. */
  readonly publicKey: Uint8Array;
  /** A binary OpenPGP v4 signature packet (type 0x00, ed25519, SHA-512) over `bytes`, made at `atSeconds`. */
  sign(bytes: Uint8Array, atSeconds: number): Promise<Uint8Array>;
}

/** Where the private half is: in a file under a passphrase, in a bare file, or in the person's gpg-agent. */
export type Custody = 'passphrase' | 'unprotected' | 'gpg_agent';

export type EncryptionKey = { readonly fingerprint: Fingerprint; readonly bytes: Uint8Array };

export type StoredKey = {
  readonly fingerprint: Fingerprint;
  readonly userId: string;
  readonly createdAtSeconds: number;
  readonly custody: Custody;
  readonly publicKey: Uint8Array;
};

/** How a private key is kept at rest. Unprotected is for machines and must be said, never defaulted to. */
export type Protection = { readonly passphrase: string } | { readonly unprotected: true };

/** Asked only when a passphrase is needed, so that nobody is prompted in vain. */
type AskPassphrase = () => Promise<string>;

export interface KeyStore {
  generate(principalId: string, atSeconds: number, protection: Protection): Promise<StoredKey>;
  /** Takes an armored private key, drops its user ids and all subkeys but one to encrypt to, and certifies it anew under the principal's id. */
  importPrivate(armored: string, principalId: string, ask: AskPassphrase, protection: Protection): Promise<StoredKey>;
  /** Records a key whose private half stays in gpg-agent. */
  adoptFromGpg(fingerprint: Fingerprint, principalId: string): Promise<StoredKey>;
  list(): Promise<StoredKey[]>;
  /** Throws `key_not_found`, `passphrase_wrong` or `key_exposed`. */
  open(fingerprint: Fingerprint, ask: AskPassphrase): Promise<Signer>;
  /**
   * The encryption key that goes with a signing key, as a roster holds it: made where there is none, or found in the
   * person's gpg keyring. Throws `key_not_found` where gpg has none that fits.
   */
  encryptTo(fingerprint: Fingerprint, atSeconds: number, ask: AskPassphrase): Promise<EncryptionKey>;
  /**
   * Opens an OpenPGP message with the first of these encryption keys whose private half is here, in a file or in the
   * person's gpg keyring. Throws `key_not_found` where none is, and `message_unreadable` where it opens nothing.
   */
  decrypt(message: string, encryptedTo: readonly Fingerprint[], ask: AskPassphrase): Promise<Uint8Array>;
  /** With its encryption key, where it has one. */
  exportPublic(fingerprint: Fingerprint): Promise<string>;
  /** The armored private key as it is kept: still under its passphrase. */
  exportPrivate(fingerprint: Fingerprint): Promise<string>;
  remove(fingerprint: Fingerprint): Promise<void>;
}

/** A key of the person's own gpg keyring, and why it cannot be used if so. */
export type GpgKey = {
  readonly fingerprint: Fingerprint;
  readonly createdAtSeconds: number;
  readonly algorithm: string;
  readonly refused?: 'key_algorithm_unsupported' | 'key_secret_absent' | 'key_cannot_sign' | 'key_unusable';
};

export interface GpgKeyring {
  list(): Promise<GpgKey[]>;
  /** A public key under the principal's id, certified by the agent: no e-mail address of the keyring goes along. */
  certify(fingerprint: Fingerprint, principalId: string): Promise<Uint8Array>;
  /** The newest cv25519 encryption subkey that never expires; undefined where there is none. */
  encryptionKey(publicKey: Uint8Array): Promise<EncryptionKey | undefined>;
  /** Undefined where none of these encryption keys has its private half there. */
  decrypt(message: string, encryptedTo: readonly Fingerprint[]): Promise<Uint8Array | undefined>;
  /** Signs through gpg-agent; the private key never enters this process. */
  signer(publicKey: Uint8Array): Promise<Signer>;
}

// What lazarus asks of whoever keeps the keys of seeds: a fresh one for one participant of one cell, never written down,
// reachable by that seed's own listener only.
export interface SeedKeys {
  newSeedKey(seedName: string, atSeconds: number): Promise<Signer>;
}
