"""Ed25519 (RFC 8032) in plain integers, and the points that docs/ledger-format.md section 7 refuses."""
from basics import need, sha


P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
WEAK = {0, 1, P - 1,
        int.from_bytes(bytes.fromhex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'), 'little'),
        int.from_bytes(bytes.fromhex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'), 'little')}


def decode_point(data):
    y, sign = int.from_bytes(data, 'little') & ((1 << 255) - 1), data[31] >> 7
    need(y < P and y not in WEAK, 'key_weak')
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    need((x * x - square) % P == 0, 'signature_invalid')
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    result = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            result = add(result, point)
        point, scalar = add(point, point), scalar >> 1
    return result


BASE = decode_point(bytes([0x58]) + bytes([0x66]) * 31)


def ed25519(key, message, r, s):
    k = int.from_bytes(sha(r + key + message, 'sha512'), 'little') % L
    a = decode_point(key)
    x, y, z, _ = add(times(int.from_bytes(s, 'little'), BASE), times(k, (P - a[0], a[1], 1, P - a[3])))
    inverse = pow(z, -1, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, 'little') == r
