// A second core for signatures: one thread that is handed keys, messages and signatures and notes an answer for each. Knows
// nothing of ledgers. Whatever goes wrong with the thread, its answers are then simply not there.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { SignatureToCheck } from '../../format/crypto.ts';
import type { Answers, SecondCore, SpareCore } from '../../ports/second-core.ts';

/**
 * A run as both cores see it, in memory that they share: neither has to wait for the other to be told anything. `states` has
 * one number per signature; `bytes` the keys, messages and signatures one after the other, `lengths` how long each of them is.
 */
export type Shared = { readonly states: Uint8Array; readonly lengths: Uint32Array; readonly bytes: Uint8Array };

export const OPEN = 0;
/** The caller came by first, and checks it. */
const TAKEN = 1;
export const INVALID = 2;
export const VALID = 3;

/** Only there where the program is installed: one that was bundled into a single file does without. */
const THREAD = new URL('./second-core-thread.js', import.meta.url);

export const spareCore: SpareCore = {
  // A thread takes some 40 ms to start, which is what these take.
  signaturesMin: 1000,
  open: async () => (availableParallelism() > 1 && existsSync(THREAD) ? startSecondCore(THREAD) : undefined),
};

/** @internal Exported for tests and the bench: they name the thread that was built, and watch it. */
export async function startSecondCore(thread: URL): Promise<ThreadCore> {
  // Read when it is needed: every command has this file, and few have a long ledger.
  const { Worker } = await import('node:worker_threads');
  // Neither the environment, with what may be secret in it, nor the options of this process are its business.
  const worker = new Worker(thread, { env: {}, execArgv: [] });
  // Lost, and with it the answers that are not there yet.
  worker.on('error', () => undefined);
  return {
    thread: worker,
    check: (run) => {
      const shared = share(run);
      worker.postMessage(shared);
      return { states: shared.states, take: (i) => take(shared.states, i) };
    },
    close: async () => {
      await worker.terminate();
    },
  };
}

type ThreadCore = Omit<SecondCore, 'check'> & {
  readonly thread: Worker;
  readonly check: (run: readonly SignatureToCheck[]) => Answers & Pick<Shared, 'states'>;
};

function share(run: readonly SignatureToCheck[]): Shared {
  const parts = run.flatMap(({ publicKey, message, signature }) => [publicKey, message, signature]);
  const lengths = Uint32Array.from(parts, ({ length }) => length);
  const bytes = new Uint8Array(new SharedArrayBuffer(lengths.reduce((sum, length) => sum + length, 0)));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { states: new Uint8Array(new SharedArrayBuffer(run.length)), lengths, bytes };
}

function take(states: Uint8Array, i: number): boolean | undefined {
  const state = Atomics.compareExchange(states, i, OPEN, TAKEN);
  return state === VALID ? true : state === INVALID ? false : undefined;
}
