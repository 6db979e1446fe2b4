// One transaction on a tip, written by the rules of the program and sealed with a test key: for ledgers without a repository.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { Event } from '../../src/kernel/event.ts';
import type { Tip } from '../../src/ledger/tip.ts';
import { prepareTransaction, type Draft, type Sealed } from '../../src/ledger/transaction.ts';
import { allCaused } from './causes.ts';
import type { TestKey } from './people.ts';
import { taken } from './taken.ts';

type Settings = Pick<Draft, 'tx' | 'atSeconds' | 'project'> & {
  /** Made by something else than the key at hand. */
  readonly signature?: ((payload: Uint8Array) => Uint8Array) | undefined;
};

export function sealedOn(tip: Tip, by: TestKey, said: readonly Event[], { signature, ...draft }: Settings): Sealed {
  const events = allCaused(said, tip.state);
  const prepared = prepareTransaction(nodeCrypto, tip, { ...draft, events, fingerprint: by.fingerprint });
  const { payload, finish } = taken(prepared);
  return finish(signature?.(payload) ?? by.signNow(payload, draft.atSeconds));
}
