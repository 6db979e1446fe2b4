// The first message of TLS, read as far as the name that it asks for. Knows no policy; reads at most what it is given, and
// says when that is not enough.

export type Hello =
  | { readonly is: 'incomplete' }
  /** Not a ClientHello, or one that two programs could read differently. */
  | { readonly is: 'other' }
  /** `serverName`: as it stands there; undefined when it asks for none. `bytes`: of the records that it stands in. */
  | { readonly is: 'hello'; readonly serverName: string | undefined; readonly bytes: number };

/** Those of today have up to two thousand. */
export const HELLO_BYTES_MAX = 1 << 14;

// RFC 8446 and RFC 6066.
const HANDSHAKE_RECORD = 22;
const MAJOR_VERSION = 3;
const RECORD_HEADER_BYTES = 5;
const RECORD_BYTES_MAX = 1 << 14;
const CLIENT_HELLO = 1;
const MESSAGE_HEADER_BYTES = 4;
const VERSION_AND_RANDOM_BYTES = 34;
const SERVER_NAME = 0;
const HOST_NAME = 0;

/** A message may be cut into several records, as small as a byte each: a filter that reads the first alone sees no name. */
export function readClientHello(bytes: Uint8Array): Hello {
  const message = new Uint8Array(bytes.length);
  let have = 0;
  for (let at = 0; ;) {
    if (bytes.length > at && bytes[at] !== HANDSHAKE_RECORD) return { is: 'other' };
    if (bytes.length > at + 1 && bytes[at + 1] !== MAJOR_VERSION) return { is: 'other' };
    if (bytes.length < at + RECORD_HEADER_BYTES) return { is: 'incomplete' };
    const length = number(bytes, at + 3, 2);
    if (length === 0 || length > RECORD_BYTES_MAX) return { is: 'other' };
    const part = bytes.subarray(at + RECORD_HEADER_BYTES, at + RECORD_HEADER_BYTES + length);
    message.set(part, have);
    have += part.length;
    at += RECORD_HEADER_BYTES + length;
    if (have > 0 && message[0] !== CLIENT_HELLO) return { is: 'other' };
    const wanted = have < MESSAGE_HEADER_BYTES ? Infinity : MESSAGE_HEADER_BYTES + number(message, 1, 3);
    if (wanted !== Infinity && wanted > HELLO_BYTES_MAX) return { is: 'other' };
    if (part.length < length) return { is: 'incomplete' };
    // Nothing may follow it in its record.
    if (have >= wanted) return have === wanted ? nameIn(message.subarray(0, have), at) : { is: 'other' };
  }
}

function nameIn(message: Uint8Array, bytes: number): Hello {
  const reader = { message, at: MESSAGE_HEADER_BYTES + VERSION_AND_RANDOM_BYTES };
  const session = vector(reader, 1);
  const ciphers = vector(reader, 2);
  const compressions = vector(reader, 1);
  if (session === undefined || ciphers === undefined || compressions === undefined) return { is: 'other' };
  const extensions = reader.at === message.length ? new Uint8Array(0) : vector(reader, 2);
  if (extensions === undefined || reader.at !== message.length) return { is: 'other' };
  const within = { message: extensions, at: 0 };
  let found: Uint8Array | undefined;
  while (within.at < extensions.length) {
    const type = within.at + 2 <= extensions.length ? number(extensions, within.at, 2) : -1;
    within.at += 2;
    const body = vector(within, 2);
    // Of two names a server may take either.
    if (body === undefined || (type === SERVER_NAME && found !== undefined)) return { is: 'other' };
    if (type === SERVER_NAME) found = body;
  }
  if (found === undefined) return { is: 'hello', serverName: undefined, bytes };
  const serverName = onlyName(found);
  return serverName === undefined ? { is: 'other' } : { is: 'hello', serverName, bytes };
}

/** A list of exactly one host name. */
function onlyName(body: Uint8Array): string | undefined {
  const outer = { message: body, at: 0 };
  const list = vector(outer, 2);
  if (list === undefined || outer.at !== body.length || list[0] !== HOST_NAME) return undefined;
  const inner = { message: list, at: 1 };
  const name = vector(inner, 2);
  if (name === undefined || name.length === 0 || inner.at !== list.length) return undefined;
  return String.fromCharCode(...name);
}

type Reader = { readonly message: Uint8Array; at: number };

/** So many bytes of length, and that many more; undefined when they are not there. */
function vector(reader: Reader, lengthBytes: number): Uint8Array | undefined {
  const from = reader.at + lengthBytes;
  if (from > reader.message.length) return undefined;
  const to = from + number(reader.message, reader.at, lengthBytes);
  if (to > reader.message.length) return undefined;
  reader.at = to;
  return reader.message.subarray(from, to);
}

function number(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value = value * 256 + bytes[at + i]!;
  return value;
}
