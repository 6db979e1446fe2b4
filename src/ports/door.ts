// A door of this machine at which jobs of another user knock: each says one line, and is told what becomes of it. Whoever
// stands there is a stranger; only that the system let them come as far says anything about them.

export type Caller = {
  /** Its one line; undefined where none came in time, or more than that. */
  readonly asked: Promise<string | undefined>;
  /** Aborted once it is gone, or was itself told to leave. */
  readonly leaving: AbortSignal;
  /** A line on the way; lost on somebody who does not read. */
  tell(line: string): void;
  /** The last line, and goodbye. */
  end(line: string): Promise<void>;
};

export type Door = { close(): Promise<void> };
