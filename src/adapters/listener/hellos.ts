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
      const isBetween = !isFirst && BETWEEN.has(rest[0]!);
      if (!isFirst && !isBetween && rest[0] !== HANDSHAKE) return passed('through', waiting.length);
      if (!isFirst && rest.length <= HEADER_BYTES) return passed('more', at);
      if (isBetween) {
        const length = rest.readUInt16BE(3);
        between += 1;
        if (length > BETWEEN_BYTES_MAX || between > BETWEEN_MAX) return { is: 'refused', because: 'tunnel_not_tls' };
        if (rest.length < HEADER_BYTES + length) {
          between -= 1;
          return passed('more', at);
        }
        at += HEADER_BYTES + length;
        continue;
      }
      // TLS 1.2 goes on with its keys in the clear: behind those everything is encrypted.
      if (!isFirst && rest[HEADER_BYTES] !== 1) return passed('through', waiting.length);
      const judged = judge(rest);
      if (judged === undefined) return passed('more', at);
      if (typeof judged === 'string') return { is: 'refused', because: judged };
      isFirst = false;
      at += judged;
    }
  };
}
