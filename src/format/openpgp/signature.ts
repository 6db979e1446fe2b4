// Detached signatures over bytes: what signs commits, statements of thresholds and co-signatures.
// Knows the one allowed form (binary, ed25519); who may sign what is somebody else's rule.
import { fromBase64 } from '../bytes.ts';
import type { Crypto } from '../crypto.ts';
import { Failure } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import { prepareSignaturePacket } from './prepare.ts';
import type { Signable } from './prepare.ts';
import { checkSignaturePacket, parseSignaturePacket } from './signature-packet.ts';
import type { SignaturePacket } from './signature-packet.ts';

export type ParsedSignature = SignaturePacket;

const TYPE_BINARY = 0x00;
const TYPE_TEXT = 0x01;

/** Parses exactly one binary signature packet; throws a Failure that names what is wrong. */
export function parseSignature(packet: Uint8Array): ParsedSignature {
  const signature = parseSignaturePacket(packet, []);
  // Text mode signs a text with its line ends normalised: two different commits could share one signature.
  if (signature.type === TYPE_TEXT) throw new Failure('signature_text_mode');
  if (signature.type !== TYPE_BINARY) throw new Failure('signature_type', { type: signature.type });
  return signature;
}

/** undefined when `signature` is good over `data` by this key, else the reason it is not. */
export function verifySignature(
  crypto: Crypto,
  signature: ParsedSignature,
  ed25519: Uint8Array,
  fingerprint: string,
  data: Uint8Array,
): ReasonCode | undefined {
  return checkSignaturePacket(crypto, signature, { ed25519, fingerprint }, [data]);
}

/** The same of a packet as documents hold it, where one of another form is a flaw like any other. */
export function flawOf(
  crypto: Crypto,
  signature: string,
  ed25519: Uint8Array,
  fingerprint: string,
  data: Uint8Array,
): ReasonCode | undefined {
  const packet = fromBase64(signature);
  if (packet === undefined) return 'signature_malformed';
  try {
    return verifySignature(crypto, parseSignature(packet), ed25519, fingerprint, data);
  } catch (cause) {
    if (cause instanceof Failure) return cause.code;
    throw cause;
  }
}

/** A signature in two steps, so that the private key may live anywhere: sign `toSign` (raw ed25519), then `finish`. */
export function prepareSignature(
  by: { readonly fingerprint: string; readonly atSeconds: number },
  data: Uint8Array,
  crypto: Crypto,
): Signable {
  return prepareSignaturePacket(crypto, { ...by, type: TYPE_BINARY }, [data]);
}
