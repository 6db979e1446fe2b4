// The beginning of a tunnel: nothing leaves it before its ClientHello asked for the host that was judged. A server may ask for
// a second one, and would take another name from it: so long as the client speaks in the clear, each is read.
import { HELLO_BYTES_MAX, readClientHello } from '../../format/tls/client-hello.ts';
import { serverNameRefusal, type Refusal } from '../../kernel/network/decide.ts';
import { readHostName, type Target } from '../../kernel/network/target.ts';

/** What may go on now, and whether all that follows may as well. */
type Read =
  | { readonly is: 'refused'; readonly because: Refusal }
  | { readonly is: 'more' | 'through'; readonly pass: Buffer };

const HANDSHAKE = 22;
/** Alerts and the change of ciphers that TLS 1.3 pretends: two bytes at most, and a few of them. */
const BETWEEN = new Set([20, 21]);
const HEADER_BYTES = 5;
const CLIENT_HELLO = 1;
const ENCRYPTED_BYTES_MIN = 16;
/** The first of three bytes of length: no server takes a ClientHello of more than 131,396 bytes. */
const LENGTH_HIGH_MAX = 2;
const BETWEEN_BYTES_MAX = 2;
const BETWEEN_MAX = 8;
const WAITING_BYTES_MAX = 2 * HELLO_BYTES_MAX;

export function readHellos(target: Target): (chunk: Buffer) => Read {
  let waiting: Buffer = Buffer.alloc(0);
  let isFirst = true;
  let between = 0;

  const judge = (bytes: Buffer): number | Refusal | undefined => {
    const hello = readClientHello(bytes);
    if (hello.is === 'incomplete') return bytes.length > WAITING_BYTES_MAX ? 'tunnel_not_tls' : undefined;
    if (hello.is === 'other') return 'tunnel_not_tls';
    const name = hello.serverName === undefined ? undefined : (readHostName(hello.serverName) ?? '');
    return serverNameRefusal(target, name) ?? hello.bytes;
  };

  return (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    let at = 0;
    const passed = (is: 'more' | 'through', upTo: number): Read => {
      const pass = waiting.subarray(0, upTo);
      waiting = waiting.subarray(upTo);
      return { is, pass };
    };
    for (;;) {
      const rest = waiting.subarray(at);
      if (rest.length === 0) return passed('more', at);
      const next = isFirst ? 'hello' : kindOf(rest);
      if (next === 'through') return passed('through', waiting.length);
      if (next === 'unknown') return passed('more', at);
      const judged = next === 'hello' ? judge(rest) : wholeRecord(rest);
      if (judged === undefined) return passed('more', at);
      if (typeof judged === 'string') return { is: 'refused', because: judged };
      if (next === 'between') between += 1;
      if (between > BETWEEN_MAX || next === 'empty') return { is: 'refused', because: 'tunnel_not_tls' };
      isFirst = false;
      at += judged;
    }
  };
}

function wholeRecord(rest: Buffer): number | undefined {
  const length = HEADER_BYTES + rest.readUInt16BE(3);
  return rest.length < length ? undefined : length;
}

/** What a record behind the first ClientHello is. `through`: from here on everything is encrypted. */
function kindOf(rest: Buffer): 'unknown' | 'through' | 'between' | 'empty' | 'hello' {
  const isBetween = BETWEEN.has(rest[0]!);
  if (!isBetween && rest[0] !== HANDSHAKE) return 'through';
  if (rest.length < HEADER_BYTES) return 'unknown';
  const length = rest.readUInt16BE(3);
  if (isBetween) return length > BETWEEN_BYTES_MAX ? 'through' : 'between';
  // No server takes one, and behind it would stand what nobody looked at.
  if (length === 0) return 'empty';
  if (rest.length < HEADER_BYTES + Math.min(length, 2)) return 'unknown';
  if (rest[HEADER_BYTES] !== CLIENT_HELLO) return 'through';
  // TLS 1.2 that is taken up again goes on with an encrypted message in a record of the same kind. That one has no header
  // in the clear and is never this short.
  return length < ENCRYPTED_BYTES_MIN || rest[HEADER_BYTES + 1]! <= LENGTH_HIGH_MAX ? 'hello' : 'through';
}
