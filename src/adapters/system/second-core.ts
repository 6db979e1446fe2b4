// A second core for signatures: one thread that is handed keys, messages and signatures and answers for each. Knows nothing
// of ledgers. Whatever goes wrong with the thread, its answers are then simply not there.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { concat } from '../../format/bytes.ts';
import type { SecondCore } from '../../ports/second-core.ts';

/** What the thread is sent: the bytes of all keys, messages and signatures, and how long each of them is. */
export type Asked = { readonly bytes: Uint8Array; readonly lengths: Uint32Array };
/** What it answers: for each signature 1 where it is valid. */
export type Answered = Uint8Array;

/** A thread takes some 40 ms to start, which is what these take: below, whoever waits gains nothing. */
const SIGNATURES_MIN = 1000;

/** Only there where the program is installed: one that was bundled into a single file does without. */
const THREAD = new URL('./second-core-thread.js', import.meta.url);

export async function openSecondCore(signatures: number): Promise<SecondCore | undefined> {
  const isWorthIt = signatures >= SIGNATURES_MIN && availableParallelism() > 1 && existsSync(THREAD);
  return isWorthIt ? startSecondCore(THREAD) : undefined;
}

type Waiting = { readonly count: number; readonly resolve: (answers: readonly boolean[] | undefined) => void };

/** @internal Exported for tests and the bench: they name the thread's source, where the program has what was built. */
export async function startSecondCore(thread: URL): Promise<SecondCore> {
  // Read when it is needed: every command has this file, and few have a long ledger.
  const { Worker } = await import('node:worker_threads');
  // Neither the environment, with what may be secret in it, nor the options of this process are its business.
  const worker = new Worker(thread, { env: {}, execArgv: [] });
  const waiting: Waiting[] = [];
  let isReady = false;
  let isLost = false;

  function lose(): void {
    isReady = false;
    isLost = true;
    for (const { resolve } of waiting.splice(0)) resolve(undefined);
  }

  worker.once('online', () => (isReady = !isLost));
  worker.on('message', (answered: Answered) => {
    const asked = waiting.shift();
    const isWhole = answered.length === asked?.count;
    asked?.resolve(isWhole ? Array.from(answered, (answer) => answer === 1) : undefined);
    if (!isWhole) lose();
  });
  for (const end of ['error', 'messageerror', 'exit']) worker.on(end, lose);
  return {
    get isReady() {
      return isReady;
    },
    verify: (signatures) => {
      if (isLost) return Promise.resolve(undefined);
      const parts = signatures.flatMap(({ publicKey, message, signature }) => [publicKey, message, signature]);
      // Joined, because a view is sent with all of the memory that it is a view of.
      const asked: Asked = { bytes: concat(parts), lengths: Uint32Array.from(parts, ({ length }) => length) };
      worker.postMessage(asked);
      return new Promise((resolve) => waiting.push({ count: signatures.length, resolve }));
    },
    close: async () => {
      lose();
      await worker.terminate();
    },
  };
}
