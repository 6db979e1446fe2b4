// A principal and its key, which may have to be made first. The key is opened when it signs and not before, so that
// nobody is asked for a passphrase in vain.
import { Failure } from '../../failure.ts';
import type { KeyStore, Protection, Signer, StoredKey } from '../../ports/keys.ts';
import type { Chosen } from './founders.ts';
import type { Item } from './items.ts';

export type Identity = {
  readonly principal: string;
  /** Undefined until the key is made. */
  readonly signer: () => Signer | undefined;
  /** Both public halves, armored, as far as there are two; undefined where nobody knows more than the signer. */
  readonly exported?: () => Promise<string>;
};

export type KeyMaking = {
  readonly store: KeyStore;
  readonly nowSeconds: () => number;
  readonly protection: () => Promise<Protection>;
  readonly ask: () => Promise<string>;
  /** With a new key comes one to encrypt to, under the same passphrase: for a person, who reads. */
  readonly isReader?: boolean;
};

/** A key that is there for sure. */
export function identityOf(principal: string, signer: Signer): Identity {
  return { principal, signer: () => signer };
}

/** The identity, and the item that makes its key where `stored` is undefined. */
export function identityToMake(
  { principal, stored }: Chosen,
  making: KeyMaking,
  words: Pick<Item, 'name' | 'title'>,
): { readonly identity: Identity; readonly item: Item } {
  let made = stored;
  let signer = stored === undefined ? undefined : openLater(making.store, stored, making.ask);
  const item: Item = {
    ...words,
    look: () =>
      Promise.resolve(
        stored === undefined
          ? { is: 'absent', says: `a new key for ${principal}` }
          : { is: 'there', says: `${stored.fingerprint} of ${principal}` },
      ),
    async act() {
      const protection = await making.protection();
      const key = await making.store.generate(principal, making.nowSeconds(), protection);
      // Whoever has just chosen a passphrase is not asked for it again.
      const ask = 'passphrase' in protection ? () => Promise.resolve(protection.passphrase) : making.ask;
      if (making.isReader === true) await making.store.encryptTo(key.fingerprint, making.nowSeconds(), ask);
      made = key;
      signer = openLater(making.store, key, ask);
      return `${key.fingerprint} of ${principal}${'unprotected' in protection ? UNPROTECTED : ''}`;
    },
  };
  const exported = async (): Promise<string> => {
    if (made === undefined) throw new Failure('key_not_found', { wanted: principal });
    return making.store.exportPublic(made.fingerprint);
  };
  return { identity: { principal, signer: () => signer, exported }, item };
}

/** Steps that sign come after those that make keys. */
export function signerOf({ principal, signer }: Identity): Signer {
  const made = signer();
  if (made === undefined) throw new Failure('key_not_found', { wanted: principal });
  return made;
}

const UNPROTECTED = ', kept without a passphrase in a file that only you may read: it signs while nobody is there';

function openLater(store: KeyStore, { fingerprint, publicKey }: StoredKey, ask: () => Promise<string>): Signer {
  let opened: Promise<Signer> | undefined;
  return {
    fingerprint,
    publicKey,
    async sign(bytes, atSeconds) {
      opened ??= store.open(fingerprint, ask);
      return (await opened).sign(bytes, atSeconds);
    },
  };
}
