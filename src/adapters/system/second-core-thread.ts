// The thread of the second core: answers which signatures are valid, one message at a time, until it is ended.
import { parentPort } from 'node:worker_threads';
import { nodeCrypto } from './node-crypto.ts';
import type { Answered, Asked } from './second-core.ts';

/** A key, a message and a signature. */
const PARTS = 3;

parentPort!.on('message', ({ bytes, lengths }: Asked) => {
  let at = 0;
  const parts = Array.from(lengths, (length) => bytes.subarray(at, (at += length)));
  const answered: Answered = Uint8Array.from({ length: lengths.length / PARTS }, (_, i) => {
    const [publicKey, message, signature] = parts.slice(PARTS * i) as [Uint8Array, Uint8Array, Uint8Array];
    return nodeCrypto.verifyEd25519(publicKey, message, signature) ? 1 : 0;
  });
  parentPort!.postMessage(answered);
});
