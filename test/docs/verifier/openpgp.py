"""Sections 6 and 7 of docs/ledger-format.md: armor, packets, signatures, public keys."""
import base64

from basics import Refused, need, sha, unbase64
from ed25519 import L, decode_point, ed25519


def crc24(data):
    crc = 0xB704CE
    for byte in data:
        crc ^= byte << 16
        for _ in range(8):
            crc = crc << 1 ^ (0x1864CFB if crc & 0x800000 else 0)
    return crc.to_bytes(3, 'big')


def armor(kind, data):
    text = base64.b64encode(data).decode()
    lines = [text[i:i + 64] for i in range(0, len(text), 64)]
    checksum = '=' + base64.b64encode(crc24(data)).decode()
    return '\n'.join([f'-----BEGIN PGP {kind}-----', '', *lines, checksum, f'-----END PGP {kind}-----', ''])


def dearmor(text):
    lines = text.split('\n')
    need(lines[:2] == ['-----BEGIN PGP SIGNATURE-----', ''] and lines[-2:] == ['-----END PGP SIGNATURE-----', ''], 'armor_malformed')
    lines = lines[2:-2]
    data = unbase64(''.join(lines[:-1]), 'armor_malformed')
    need(armor('SIGNATURE', data) == text, 'armor_malformed')
    return data


class Bytes:
    """Reads from the left; `code` is the answer when bytes break off."""

    def __init__(self, data, code):
        self.data, self.at, self.code = data, 0, code

    def take(self, count):
        need(self.at + count <= len(self.data), self.code)
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, count):
        return int.from_bytes(self.take(count), 'big')

    def rest(self):
        return self.at < len(self.data)

    def new_length(self, two_octets_until):
        first = self.number(1)
        if first < 192:
            return first
        if first < two_octets_until:
            return (first - 192) * 256 + self.number(1) + 192
        need(first == 255, self.code)
        length = self.number(4)
        need(length >= 8384, self.code)
        return length

    def packet(self):
        first = self.number(1)
        need(first & 0x80, self.code)
        if first & 0x40:
            return first & 0x3F, self.take(self.new_length(224))
        need(first & 3 != 3, self.code)
        length = self.number(1 << (first & 3))
        need(length >= (0, 0x100, 0x10000)[first & 3], self.code)
        return first >> 2 & 15, self.take(length)

    def subpackets(self):
        found = []
        while self.rest():
            length = self.new_length(255)
            need(length > 0, self.code)
            kind = self.number(1)
            found.append((kind & 0x7F, kind >> 7, self.take(length - 1)))
        return found

    def integer(self):
        bits = self.number(2)
        data = self.take((bits + 7) // 8)
        need(int.from_bytes(data, 'big').bit_length() == bits, self.code)
        return data


HASHES = {8: 'sha256', 9: 'sha384', 10: 'sha512'}


def check_signature(packet, key, fingerprint, data, types=(0,), critical=()):
    """Returns the signed subpackets that are neither time nor issuer."""
    outer = Bytes(packet, 'signature_malformed')
    tag, body = outer.packet()
    need(tag == 2, 'signature_malformed')
    need(not outer.rest(), 'signature_trailing_bytes')
    need(packet == (b'\x88' + bytes([len(body)]) if len(body) < 256 else b'\x89' + len(body).to_bytes(2, 'big')) + body, 'signature_malformed')
    need(body[:1] == b'\x04', 'signature_version')
    need(body[2:3] == b'\x16', 'signature_algorithm')
    need(len(body) > 3 and body[3] in HASHES, 'signature_hash_weak')
    reader = Bytes(body, 'signature_malformed')
    reader.take(4)
    signed = reader.take(reader.number(2))
    need(len(signed) <= 512, 'signature_malformed')
    signed = Bytes(signed, 'signature_malformed').subpackets()
    head = body[:reader.at]
    unsigned = reader.take(reader.number(2))
    prefix, r, s = reader.take(2), reader.integer(), reader.integer()
    need(not reader.rest(), 'signature_trailing_bytes')
    need(len(r) <= 32 and len(s) <= 32, 'signature_malformed')
    times_, issuers, key_ids, others = [], [], [], []
    for kind, is_critical, value in signed:
        need(kind != 3, 'signature_expires')
        need(not is_critical or kind in (2, 16, 33) or kind in critical, 'signature_critical_subpacket')
        {2: times_, 33: issuers, 16: key_ids}.get(kind, others).append(value if kind in (2, 16, 33) else (kind, value))
    need(len(unsigned) == 10 and unsigned[:2] == b'\x09\x10', 'signature_unsigned_data')
    need(len(times_) == 1 and len(times_[0]) == 4 and len(issuers) == 1 and len(issuers[0]) == 21 and issuers[0][0] == 4
         and len(key_ids) <= 1 and all(len(i) == 8 for i in key_ids), 'signature_malformed')
    if body[1] not in types:
        raise Refused('signature_text_mode' if body[1] == 1 else 'signature_type')
    need(issuers[0][1:].hex().upper() == fingerprint, 'signature_issuer_wrong')
    need(all(i == issuers[0][-8:] for i in key_ids + [unsigned[2:]]), 'signature_issuer_wrong')
    r, s = r.rjust(32, b'\0'), s.rjust(32, b'\0')
    need(int.from_bytes(s, 'little') < L, 'signature_not_canonical')
    digest = sha(data + head + b'\x04\xff' + len(head).to_bytes(4, 'big'), HASHES[body[3]])
    need(ed25519(key, digest, r, s), 'signature_invalid')
    need(prefix == digest[:2], 'signature_prefix_wrong')
    return others


CURVE = bytes.fromhex('092b06010401da470f01')


def read_key(data):
    """The fingerprint, user id and point of the three packets of a public key."""
    outer = Bytes(data, 'key_malformed')
    tag, body = outer.packet()
    need(tag == 6, 'key_malformed')
    need(body[:1] == b'\x04', 'key_version_unsupported')
    need(body[5:16] == b'\x16' + CURVE, 'key_algorithm_unsupported')
    reader = Bytes(body, 'key_malformed')
    reader.take(16)
    point = reader.integer()
    need(not reader.rest() and len(point) == 33 and point[0] == 0x40, 'key_malformed')
    decode_point(point[1:])
    tag, user = outer.packet()
    need(tag == 13 and 1 <= len(user) <= 255, 'key_malformed')
    prefixed = b'\x99' + len(body).to_bytes(2, 'big') + body
    fingerprint = sha(prefixed, 'sha1').hex().upper()
    signed = prefixed + b'\xb4' + len(user).to_bytes(4, 'big') + user
    certification, before = data[outer.at:], outer.at
    need(outer.packet()[0] == 2 and not outer.rest() and before < len(data), 'key_malformed')
    try:
        others = check_signature(certification, point[1:], fingerprint, signed, range(0x10, 0x14), (9, 11, 21, 22, 25, 27, 30, 34, 39))
    except Refused as why:
        raise Refused('key_certification_invalid' if why.args[0] in ('signature_invalid', 'signature_issuer_wrong', 'signature_prefix_wrong', 'signature_not_canonical') else why.args[0])
    for kind, value in others:
        need(kind != 9, 'key_expires')
        need(kind != 27 or value[:1] and value[0] & 2, 'key_cannot_sign')
    return fingerprint, user, point[1:]


CV25519 = bytes.fromhex('0a2b060104019755010501')
WEAK_READERS = {
    '0000000000000000000000000000000000000000000000000000000000000000',
    '0100000000000000000000000000000000000000000000000000000000000000',
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
}


def read_encryption_key(data, binders):
    """The fingerprint of the two packets of an encryption key; `binders`: fingerprint -> (key packets, point)."""
    outer = Bytes(data, 'key_malformed')
    tag, body = outer.packet()
    need(tag == 14, 'key_malformed')
    need(data[:outer.at] == (b'\xb8' + bytes([len(body)]) if len(body) < 256 else b'\xb9' + len(body).to_bytes(2, 'big')) + body, 'key_malformed')
    need(body[:1] == b'\x04', 'key_version_unsupported')
    need(body[5:17] == b'\x12' + CV25519, 'key_algorithm_unsupported')
    reader = Bytes(body, 'key_malformed')
    reader.take(17)
    point = reader.integer()
    need(len(point) == 33 and point[0] == 0x40, 'key_malformed')
    kdf = body[reader.at:]
    need(len(kdf) == 4 and kdf[:2] == b'\x03\x01' and kdf[2] in HASHES and kdf[3] in (7, 8, 9), 'key_malformed')
    need(int.from_bytes(point[1:], 'little') < 2**255 - 19 and point[1:].hex() not in WEAK_READERS, 'key_weak')
    prefixed = b'\x99' + len(body).to_bytes(2, 'big') + body
    fingerprint = sha(prefixed, 'sha1').hex().upper()
    binding = data[outer.at:]
    issuer = issuer_of(binding)
    need(issuer in binders, 'encryption_key_unbound')
    packets, signing = binders[issuer]
    primary = Bytes(packets, 'key_malformed').packet()[1]
    signed = b'\x99' + len(primary).to_bytes(2, 'big') + primary + prefixed
    try:
        others = check_signature(binding, signing, issuer, signed, (0x18,), (9, 11, 21, 22, 25, 27, 30, 34, 39))
    except Refused as why:
        raise Refused('encryption_key_unbound' if why.args[0] in ('signature_invalid', 'signature_issuer_wrong', 'signature_prefix_wrong', 'signature_not_canonical') else why.args[0])
    for kind, value in others:
        need(kind != 9, 'key_expires')
        need(kind != 27 or value[:1] and value[0] & 12, 'key_cannot_encrypt')
    return fingerprint


def issuer_of(packet):
    """Whom a signature packet names in its signed area; nobody, where it is not well-formed."""
    body = Bytes(packet, 'signature_malformed').packet()[1]
    reader = Bytes(body, 'signature_malformed')
    reader.take(4)
    named = [value for kind, _, value in Bytes(reader.take(reader.number(2)), 'signature_malformed').subpackets() if kind == 33]
    return named[0][1:].hex().upper() if named else ''
