// How much one cell may ask of the host at once, and for how long. It only harms itself by more: these keep the supervisor
// from holding memory and descriptors for it.

export const CONNECTIONS_MAX = 64;
/** Neither side of an open connection says a word. */
export const IDLE_MS = 60_000;
/** From the answer to CONNECT to a whole ClientHello. */
export const HELLO_WITHIN_MS = 15_000;
/** A request line with its headers, in size and in time: one byte a minute would keep a connection for ever. */
export const HEADER_BYTES_MAX = 32 * 1024;
export const HEADER_WITHIN_MS = 15_000;
export const LOOKS_EVERY_MS = 5_000;
