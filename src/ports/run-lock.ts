// What lazarus asks of a machine that may run one mission in one process only: whether another process of it is alive.
// Between machines the lease decides; this is for two terminals of one person, and for what a killed one left behind.

export type RunLock = { release(): Promise<void> };

export interface RunLocks {
  /** Throws `mission_running` while a living process holds it; a dead one's is taken over. */
  take(mission: string): Promise<RunLock>;
  /** Whether a process left it behind that lives no more. */
  isLeft(mission: string): Promise<boolean>;
}
