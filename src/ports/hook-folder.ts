// What lazarus asks of the folder in which git looks for the hooks of a clone: read, place and take back single files.
// Knows no hook.

/** `isGits`: git runs it by its name. */
export type Hook = { readonly name: string; readonly text: string; readonly isGits: boolean };

export interface HookFolder {
  /** As a person would find it. */
  readonly path: string;
  /** Undefined: there is none. `null`: there is something, and it is no plain text file. */
  read(name: string): Promise<string | null | undefined>;
  /** Whole or not at all, and executable. What was there is replaced. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}
