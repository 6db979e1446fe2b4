// The private half of a cv25519 encryption key, as a secret subkey packet behind the signing key it belongs to: one file,
// one passphrase, one backup for both. Makes and writes it; decrypts nothing.
import { generateKeyPairSync } from 'node:crypto';
import { concat } from '../../format/bytes.ts';
import { encryptionKeyBody } from '../../format/openpgp/encryption-key.ts';
import { packetHeader, writeMpi } from '../../format/openpgp/packet.ts';

export type EncryptionSecret = {
  readonly x25519: Uint8Array;
  readonly createdAtSeconds: number;
  /** Big-endian, as OpenPGP writes it: the other way round than everybody else. */
  readonly scalar: Uint8Array;
};

const TAG_SECRET_SUBKEY = 7;
const BARE = 0;
const RAW_BYTES = 32;

export function newEncryptionSecret(createdAtSeconds: number): EncryptionSecret {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const raw = new Uint8Array(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-RAW_BYTES));
  // What every computation with it does first: gpg wants to find it done.
  raw[0]! &= 248;
  raw[31] = (raw[31]! & 127) | 64;
  const x25519 = new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-RAW_BYTES));
  return { x25519, createdAtSeconds, scalar: raw.reverse() };
}

/** Without protection. */
export function bareSecretSubkeyPacket({ x25519, createdAtSeconds, scalar }: EncryptionSecret): Uint8Array {
  const mpi = writeMpi(scalar);
  const sum = mpi.reduce((total, byte) => (total + byte) & 0xffff, 0);
  const body = concat([
    encryptionKeyBody(x25519, createdAtSeconds),
    Uint8Array.of(BARE),
    mpi,
    Uint8Array.of(sum >> 8, sum & 0xff),
  ]);
  return concat([packetHeader(TAG_SECRET_SUBKEY, body.length), body]);
}
