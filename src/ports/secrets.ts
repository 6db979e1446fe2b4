// What lazarus asks of whoever keeps keys of others: find one by its reference, and keep one for this machine and the people
// who may read it. A value leaves as the answer of these calls and in no other way.
import type { Reader } from '../kernel/roster/people.ts';

/** Nobody but whoever opens a route asks, at the moment of use. */
export interface Secrets {
  /**
   * `env:NAME`, `file:/path` or `vault:name`. Throws `secret_missing`, `secret_exposed`, `secret_unusable`,
   * `login_not_a_key` or `vault_unreadable`.
   */
  resolve(reference: string): Promise<string>;
}

/** `readers`: who can read it beside this machine. */
export type VaultEntry = { readonly name: string; readonly setAtSeconds: number; readonly readers: readonly Reader[] };

export interface Vault {
  list(): Promise<readonly VaultEntry[]>;
  /** Takes the place of what has this name. */
  put(entry: VaultEntry, value: string): Promise<void>;
  /** Throws `secret_missing` or `vault_unreadable`. */
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
}
