// Asks a forge that may be away or cut off for a moment. For questions alone: what changes something is done once.
import { setTimeout as pause } from 'node:timers/promises';

const TRIES = 20;
const TRY_AGAIN_MS = 500;

/** A cut may fall into a question of ours as well: it is asked again. */
export async function asked<T>(question: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await question();
    } catch (error) {
      // What the forge itself refuses it refuses again.
      if (tries === TRIES || /^[A-Z]+ \S+: 4\d\d /.test((error as Error).message)) throw error;
      await pause(TRY_AGAIN_MS);
    }
  }
}
