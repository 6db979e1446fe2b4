// What lazarus asks of a machine that runs missions: hand-overs that could not leave wait on its disk, for this project, until
// the next job there takes them. Knows no mission and does not read what it keeps.

export type Stowed = {
  readonly attempt: string;
  /** For people. */
  readonly path: string;
};

/** In the hands of this process alone, until it is let go. */
export type TakenStowed = {
  /** Throws `handover_altered` for what this user did not write there. */
  read(): Promise<Uint8Array>;
  /** Nobody needs it any more. */
  remove(): Promise<void>;
  letGo(): Promise<void>;
};

/** `endsAtSeconds`: from then on nothing can be made of it, and whoever comes by sweeps it up. */
type ToStow = { readonly attempt: string; readonly endsAtSeconds: number; readonly bytes: Uint8Array };

export interface Stow {
  /** On the disk and whole when this returns, for this user alone. Throws `disk_full`, `not_writable`, `limit_reached`. */
  put(one: ToStow): Promise<Stowed>;
  /** What waits for this project; one look into one folder. */
  list(): Promise<readonly Stowed[]>;
  /** Undefined where another living process has it, or it is gone. */
  take(one: Stowed): Promise<TakenStowed | undefined>;
}
