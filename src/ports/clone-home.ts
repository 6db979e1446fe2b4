// Where the ledgers live that the commands of a clone are about, if that is not the clone itself.

export interface CloneHome {
  /** The name or address of a remote; undefined: nobody said so. */
  read(): Promise<string | undefined>;
  keep(remote: string): Promise<void>;
}
