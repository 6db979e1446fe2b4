// What verifying asks of a machine with a core to spare: whether signatures are valid, answered while the caller goes on.
// Which of them matter, and what follows from an answer, is for the caller to say.
import type { SignatureToCheck } from '../format/crypto.ts';

export interface SecondCore {
  /** False while it is being started and once it is lost: the caller then checks for itself. */
  readonly isReady: boolean;
  /** One answer per signature, in order; undefined when it was lost before it had answered. Never rejects. */
  verify(signatures: readonly SignatureToCheck[]): Promise<readonly boolean[] | undefined>;
  close(): Promise<void>;
}

/** Undefined where no core is to spare, or where so many signatures are too few to be worth its start. */
export type OpenSecondCore = (signatures: number) => Promise<SecondCore | undefined>;
