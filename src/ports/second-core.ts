// What verifying asks of a machine with a core to spare: whether signatures are valid, found out while the caller goes on.
// Which of them matter, and what follows from an answer, is for the caller to say.
import type { SignatureToCheck } from '../format/crypto.ts';

export interface SecondCore {
  /** Has them checked in order, behind those of earlier runs. */
  check(run: readonly SignatureToCheck[]): Answers;
  close(): Promise<void>;
}

export interface Answers {
  /**
   * Whether signature `i` of the run is valid. Undefined where that is not known yet, or never will be: nobody waits, it is
   * then for the caller to find out, and the second core passes over it.
   */
  take(i: number): boolean | undefined;
}

export type SpareCore = {
  /** So many signatures are worth the start of it. */
  readonly signaturesMin: number;
  /** Undefined where no core is to spare. */
  readonly open: () => Promise<SecondCore | undefined>;
};
