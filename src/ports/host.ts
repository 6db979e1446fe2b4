// What is asked of this machine by whoever only looks at it: what lies at a path, and how much room is left. Changes
// nothing, and reads no file.

/** With less room than this a cell that grows is ended, whatever it was promised. */
export const FREE_BYTES_MIN = 256 << 20;

export interface Host {
  /**
   * Where links lead. `program`: a file that we may execute; `socket`: one that we may talk to. Undefined where there is
   * nothing, or nothing of these that we may see.
   */
  at(path: string): Promise<'folder' | 'program' | 'file' | 'socket' | undefined>;
  /** For us, on the disk of this path, or of the nearest folder above it that is there. Undefined where nobody says. */
  freeBytes(path: string): Promise<number | undefined>;
}
