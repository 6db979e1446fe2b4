// Attacks on the signature itself. Most of these gpg and git wave through; each would give one signature a second
// spelling, or make it cover other bytes than a reader thinks.
import { concat } from '../../../../src/format/bytes.ts';
import { uint32, writeMpi } from '../../../../src/format/openpgp/packet.ts';
import type { ReasonCode } from '../../../../src/reasons.ts';
import { KEY } from '../../../support/forge/cast.ts';
import { shaped, signatureOf } from '../../../support/forge/edit.ts';
import { everywhere, forgedOn, refused, type Attack, type Holds } from '../../../support/forge/attack.ts';
import { note } from '../../../support/forge/facts.ts';
import { MISSION_ID } from '../../../support/forge/golden.ts';
import { authorOf, type Lie } from '../../../support/forge/workshop.ts';
import { created, issuer, issuerKeyId, subpacket, type Shape } from '../../../format/openpgp/packets.ts';
import { T0_SECONDS } from '../../../support/events.ts';

/** The order of the group, little-endian: S and S + L sign alike. */
const ORDER = Buffer.from('edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010', 'hex');
const CRITICAL = 0x80;
const NOTATION = 20;
const EXPIRES = 3;

export const SIGNATURE: readonly Attack[] = [
  lied('signed-by-a-stranger', 'signs with a key that no roster has', 'signer_unknown', 'nothing', {
    author: authorOf(KEY.mallory),
    signature: (payload) => KEY.mallory.signNow(payload, T0_SECONDS),
  }),
  lied(
    're-signed-by-a-stranger',
    'signs under a member’s name with a key that no roster has',
    'signature_issuer_wrong',
    'nothing',
    {
      signature: (payload) => KEY.mallory.signNow(payload, T0_SECONDS),
    },
  ),
  lied('re-signed-by-another-member', 'signs under another member’s name', 'signature_issuer_wrong', 'a member’s key', {
    signature: (payload) => KEY.wes.signNow(payload, T0_SECONDS),
  }),
  lied(
    'issuer-of-another-key',
    'signs with its own key and names the author’s as the issuer',
    'signature_invalid',
    'a member’s key',
    {
      signature: (payload) =>
        shaped(KEY.wes, payload, { hashed: [issuer(of('sam')), created()], unhashed: [issuerKeyId(of('sam'))] }),
    },
  ),
  {
    name: 'signature-over-other-bytes',
    does: 'puts the signature of an earlier transaction onto a new one',
    holds: 'nothing',
    forge: ({ bench, long }) => {
      const signature = () => signatureOf(bench, long.at('second').oid!);
      return forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: one(), signature });
    },
    ...everywhere(refused('signature_invalid')),
  },
  packet('signature-in-text-mode', 'signs in text mode, blind to line ends', 'signature_text_mode', { type: 1 }),
  packet('signature-of-another-type', 'uses a certification as a signature', 'signature_type', { type: 0x10 }),
  packet('signature-version-3', 'uses a packet of version 3', 'signature_version', { version: 3 }),
  packet('signature-of-another-algorithm', 'claims algorithm 27', 'signature_algorithm', { algorithm: 27 }),
  packet('signature-sha1', 'signs a SHA-1 digest', 'signature_hash_weak', { hash: 2 }),
  packet('subpacket-critical', 'adds a critical condition that nobody knows', 'signature_critical_subpacket', {
    hashed: [issuer(of('sam')), created(), subpacket(NOTATION | CRITICAL, Uint8Array.of(1))],
  }),
  packet(
    'signature-expires',
    'adds an expiry time, after which the record would stop being true',
    'signature_expires',
    {
      hashed: [issuer(of('sam')), created(), subpacket(EXPIRES, uint32(3600))],
    },
  ),
  packet('subpacket-unsigned', 'adds text to the unsigned part', 'signature_unsigned_data', {
    unhashed: [issuerKeyId(of('sam')), subpacket(NOTATION, Uint8Array.of(1, 2, 3))],
  }),
  packet('key-id-of-another', 'names another key in the unsigned part', 'signature_issuer_wrong', {
    unhashed: [issuerKeyId(of('wes'))],
  }),
  packet(
    'signature-malleated',
    'adds the group order to S: a second valid signature out of a first',
    'signature_not_canonical',
    {
      mpis: (rs) => concat([writeMpi(rs.subarray(0, 32)), writeMpi(plusOrder(rs.subarray(32)))]),
    },
  ),
  packet('digest-prefix-altered', 'alters the two digest bytes that are not signed', 'signature_prefix_wrong', {
    prefix: (digest) => Uint8Array.of(digest[0]! ^ 1, digest[1]!),
  }),
  packet('bytes-behind-the-signature', 'adds bytes inside the packet', 'signature_trailing_bytes', {
    inside: Uint8Array.of(1, 2),
  }),
  lied('packet-behind-the-signature', 'adds a second signature packet', 'signature_trailing_bytes', 'a member’s key', {
    signature: (payload) => concat([KEY.sam.signNow(payload, T0_SECONDS), KEY.wes.signNow(payload, T0_SECONDS)]),
  }),
  lied('armor-with-a-comment', 'adds a comment to the armor', 'armor_malformed', 'nothing', {
    armored: (text) => text.replace('SIGNATURE-----\n', 'SIGNATURE-----\nComment: anything\n'),
  }),
  lied('armor-with-other-lines', 'breaks the lines of the armor elsewhere', 'armor_malformed', 'nothing', {
    armored: (text) => text.replace(/\n\n(.{10})/, '\n\n$1\n'),
  }),
  lied('armor-without-checksum', 'leaves the checksum of the armor out', 'armor_malformed', 'nothing', {
    armored: (text) => text.replace(/\n=.{4}\n/, '\n'),
  }),
  lied('armor-of-other-columns', 'writes the armor in lines of 76 columns', 'armor_malformed', 'nothing', {
    armored: (text) => {
      const [begin = '', inside = '', end = ''] = text.split(/(?<=-----\n\n)|(?=\n=)/);
      return `${begin}${inside.replaceAll('\n', '').replaceAll(/(.{76})/g, '$1\n')}${end}`;
    },
  }),
  lied(
    'header-of-another-form',
    'writes the header of the packet in the new format',
    'signature_malformed',
    'nothing',
    {
      signature: (payload) => concat([Uint8Array.of(0xc2), KEY.sam.signNow(payload, T0_SECONDS).subarray(1)]),
    },
  ),
  packet('key-id-left-out', 'leaves the unsigned part empty', 'signature_unsigned_data', { unhashed: [] }),
  packet('signed-part-too-long', 'signs a notation that no proof has room for', 'signature_malformed', {
    hashed: [issuer(of('sam')), created(), ...[1, 2, 3].map(() => subpacket(NOTATION, new Uint8Array(180)))],
  }),
  lied('armor-checksum-wrong', 'alters the checksum of the armor', 'armor_malformed', 'nothing', {
    armored: (text) => text.replace(/\n=.{4}/, '\n=AAAA'),
  }),
];

function lied(name: string, does: string, code: ReasonCode, holds: Holds, lie: Lie): Attack {
  return {
    name,
    does,
    holds,
    forge: ({ bench, long }) => forgedOn(bench, 'long', long.at('base'), KEY.sam, { events: one(), ...lie }),
    ...everywhere(refused(code)),
  };
}

function packet(name: string, does: string, code: ReasonCode, shape: Shape): Attack {
  return lied(name, does, code, 'a member’s key', { signature: (payload) => shaped(KEY.sam, payload, shape) });
}

function of(name: 'sam' | 'wes'): Parameters<typeof issuer>[0] {
  return KEY[name] as unknown as Parameters<typeof issuer>[0];
}

function plusOrder(s: Uint8Array): Uint8Array {
  let carry = 0;
  return s.map((byte, i) => {
    carry += byte + ORDER[i]!;
    const low = carry & 0xff;
    carry >>= 8;
    return low;
  });
}

function one() {
  return [note(KEY.sam, MISSION_ID.long, 9000)];
}
