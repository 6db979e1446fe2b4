// A self-signed certificate for 127.0.0.1 and any names, made anew for each use: no private key lies in the repository, no tool is needed.
import { generateKeyPairSync, sign } from 'node:crypto';

const ECDSA_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex');
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex');

export function selfSignedCertificate(names: readonly string[] = []): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, ECDSA_SHA256);
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from('loopback')))));
  const validity = der(0x30, time('20200101000000Z'), time('21000101000000Z'));
  const alternatives = names.map((text) => der(0x82, Buffer.from(text)));
  const loopback = der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])), ...alternatives);
  const isAuthority = der(0x30, der(0x01, Buffer.from([0xff])));
  const extensions = der(
    0x30,
    der(0x30, SUBJECT_ALT_NAME, der(0x04, loopback)),
    der(0x30, BASIC_CONSTRAINTS, der(0x01, Buffer.from([0xff])), der(0x04, isAuthority)),
  );
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', body, privateKey);
  const whole = der(0x30, body, algorithm, der(0x03, Buffer.from([0]), signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}
