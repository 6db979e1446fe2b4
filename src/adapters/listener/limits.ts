// How much one cell may ask of the host at once, and for how long. It only harms itself by more: these keep the supervisor
// from holding memory and descriptors for it.

export type Limits = {
  /** Of the cell to us; and, by themselves, of us to hosts: one connection can carry any number of requests at once. */
  readonly connections: number;
  /** In both directions together, all connections of one cell. */
  readonly bytes: number;
  /** Neither side of an open connection says a word. */
  readonly idleMs: number;
  /** A request line with its headers, in size and in time: at a byte a minute one would keep its connection for ever. */
  readonly headerBytes: number;
  readonly headerMs: number;
  /** From the answer to CONNECT to a whole ClientHello. */
  readonly helloMs: number;
};

export const LIMITS: Limits = {
  connections: 64,
  bytes: 8 * 1024 ** 3,
  idleMs: 60_000,
  headerBytes: 32 * 1024,
  headerMs: 15_000,
  helloMs: 15_000,
};
