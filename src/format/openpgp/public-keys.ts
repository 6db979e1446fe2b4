// What a member hands to others: the signing key, and behind it, where there is one, the encryption key that it binds.
// Together they are an OpenPGP certificate that other programs import and encrypt to.
import type { Crypto } from '../crypto.ts';
import { parseEncryptionKey, type EncryptionKey } from './encryption-key.ts';
import { readPacket } from './packet.ts';
import { parsePublicKey, type PublicKey } from './public-key.ts';

export type PublicKeys = { readonly key: PublicKey; readonly encryption?: EncryptionKey };

export function parsePublicKeys(bytes: Uint8Array, crypto: Crypto): PublicKeys {
  let end = 0;
  for (let packet = 0; packet < PACKETS_OF_A_KEY && end < bytes.length; packet++)
    end = readPacket(bytes, end, 'key_malformed').end;
  const key = parsePublicKey(bytes.subarray(0, end), crypto);
  const rest = bytes.subarray(end);
  return rest.length === 0 ? { key } : { key, encryption: parseEncryptionKey(rest, [key], crypto) };
}

const PACKETS_OF_A_KEY = 3;
