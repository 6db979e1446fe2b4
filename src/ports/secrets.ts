// Where a key is found that policy names by reference: a variable of this process, a file, the vault. Nobody but whoever
// opens a route asks, at the moment of use, and nothing of it is written down.
export interface Secrets {
  /** Throws `secret_missing`, `secret_unsafe`, `login_not_a_key`. */
  resolve(reference: string): Promise<string>;
}
