// The thread of the second core: notes which signatures are valid, one run after the other, until it is ended.
import { parentPort } from 'node:worker_threads';
import { nodeCrypto } from './node-crypto.ts';
import { INVALID, OPEN, VALID, type Shared } from './second-core.ts';

parentPort!.on('message', ({ states, lengths, bytes }: Shared) => {
  let at = 0;
  let part = 0;
  const next = (): Uint8Array => bytes.subarray(at, (at += lengths[part++]!));
  for (let i = 0; i < states.length; i++) {
    const [publicKey, message, signature] = [next(), next(), next()];
    if (Atomics.load(states, i) !== OPEN) continue;
    Atomics.store(states, i, nodeCrypto.verifyEd25519(publicKey, message, signature) ? VALID : INVALID);
  }
});
