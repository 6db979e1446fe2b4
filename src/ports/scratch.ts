// What the quickstart asks of the machine: a folder of its own with fresh repositories, and the stock tools' opinion.

export type StockOpinion =
  /** Both say the signature is good. */
  | { readonly is: 'agrees'; readonly signer: string }
  | { readonly is: 'disagrees'; readonly says: string }
  /** gpg is not installed. */
  | { readonly is: 'absent' };

export interface Scratch {
  readonly path: string;
  /** A path inside the folder. */
  at(name: string): string;
  initRepository(name: string, options?: { readonly bare: boolean }): Promise<string>;
  /** Writes these files into one of its repositories and commits them, on the branch that is checked out. */
  commitFiles(name: string, files: Readonly<Record<string, Uint8Array>>, message: string): Promise<void>;
  /** `git verify-commit` with stock gpg, which gets the keys from the ledger's own `keys.asc` and nothing else. */
  stockOpinion(repository: string, commit: string): Promise<StockOpinion>;
  write(name: string, bytes: Uint8Array): Promise<string>;
  remove(): Promise<void>;
}
