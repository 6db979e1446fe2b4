// Opens the second core as soon as a ledger turns out to be long enough for it, while its commits are still being found, and
// lets it go however the work ends.
import type { SecondCore, SpareCore } from '../../ports/second-core.ts';

export type WhenLong = {
  /** So many commits are to be verified, and maybe more. */
  readonly found: (commits: number) => void;
  readonly opened: () => Promise<SecondCore | undefined>;
};

export async function besideSecondCore<T>(
  spare: SpareCore | undefined,
  work: (second: WhenLong) => Promise<T>,
): Promise<T> {
  let opening: Promise<SecondCore | undefined> | undefined;
  const found = (commits: number): void => {
    if (spare !== undefined && commits >= spare.signaturesMin) opening ??= spare.open();
  };
  try {
    return await work({ found, opened: async () => opening });
  } finally {
    await (await opening)?.close();
  }
}
