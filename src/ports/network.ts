// What a cell may reach through the one listener of its participant, and what came of it. The cell has no network beside:
// no route here, no listener. Opens nothing itself.
import type { AllowedHost } from '../kernel/network/hosts.ts';
import type { Route } from '../kernel/policy/route.ts';

/** A route with its key, which never enters the cell, an argument, a log or an event. */
export type OpenRoute = Route & { readonly name: string; readonly secret: string };

export type Reach = {
  readonly hosts: readonly AllowedHost[];
  readonly routes: readonly OpenRoute[];
  /** A file with certificates that are trusted beside the system's. */
  readonly caFile?: string;
};

/** One line per host, port and decision: no URL, no header, no body. */
export type Reached = {
  readonly host: string;
  readonly port: number;
  readonly decision: 'allowed' | 'refused';
  /** A word of ours: `host_not_listed`, `address_not_public`, `name_malformed`, `other_server_name` … */
  readonly because: string;
  readonly times: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
};

export type Spent = {
  readonly route: string;
  readonly calls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Answers that did not say what they cost, or not to the end: their tokens are a guess, four bytes to each. */
  readonly guessed: number;
  readonly refused: number;
  /** Why nothing more went through, once that was so. */
  readonly cut: 'max_calls' | 'max_tokens' | null;
};

export type NetworkUse = { readonly reached: readonly Reached[]; readonly spent: readonly Spent[] };
