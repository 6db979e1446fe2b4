// What a program in a cell printed, opened again for one of those it was encrypted to. Nothing is handed out before it was
// held against the digest that the document names: whoever ran the cell wrote both.
import type { Crypto } from '../../format/crypto.ts';
import { Failure } from '../../failure.ts';
import type { KeyStore } from '../../ports/keys.ts';
import { printedIn, type Printed } from './document.ts';

export type Opening = {
  readonly crypto: Crypto;
  readonly keys: Pick<KeyStore, 'decrypt'>;
  /** Asked only where the key that opens it has a passphrase. */
  readonly ask: () => Promise<string>;
};

/** Throws `printed_not_kept`, `printed_not_for_you` or `printed_altered`. */
export async function openPrinted({ crypto, keys, ask }: Opening, printed: Printed): Promise<Uint8Array> {
  const { message, encrypted_to: readers, digest } = printed;
  if (message === null) throw new Failure('printed_not_kept', { digest });
  const content = printedIn(crypto, printed, await opened(() => keys.decrypt(message, readers, ask), printed));
  if (content === undefined) throw new Failure('printed_altered', { digest, because: 'other words than the digest' });
  return content;
}

async function opened(open: () => Promise<Uint8Array>, { encrypted_to, digest }: Printed): Promise<Uint8Array> {
  try {
    return await open();
  } catch (cause) {
    if (!(cause instanceof Failure)) throw cause;
    if (cause.code === 'key_not_found') throw new Failure('printed_not_for_you', { encrypted_to }, { cause });
    if (cause.code !== 'message_unreadable') throw cause;
    throw new Failure('printed_altered', { digest, because: 'opens with no key it names' }, { cause });
  }
}
