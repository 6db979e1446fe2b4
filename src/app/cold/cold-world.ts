// What a writer without a clone works with, and what it can come to know of a remote ledger. Names no technology.
import type { Crypto } from '../../format/crypto.ts';
import { Failure } from '../../failure.ts';
import { objectId, type GitObject, type Oid } from '../../format/git/object.ts';
import { headOf, type Tip } from '../../ledger/tip.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Pin, Pins } from '../../ports/pins.ts';
import type { Remote } from '../../ports/remote.ts';
import type { Repository } from '../../ports/repository.ts';
import { pinOf } from '../pin-of.ts';
import type { ProjectView } from '../adoption.ts';
import type { LandedTransaction } from '../tip-source.ts';
import { Crossings, type Snapshots } from '../verify/snapshots.ts';
import type { Seen } from '../verify/walk.ts';

/**
 * A repository that lives as long as the append, and the remote that fills it. Which repository it is shows once something
 * was fetched: to be looked up then, and each time.
 */
export type Fetched = { readonly repository: Repository; readonly remote: Remote };

export type ColdWorld = {
  readonly crypto: Crypto;
  readonly pins: Pins;
  readonly snapshots: Snapshots;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly backOff: (upToMs: number) => Promise<void>;
  /** Holds parts of a history: objects may be absent from it, and then that is said by name. */
  readonly part: Fetched;
  /** Another one, for whole histories; made when first asked for. */
  readonly whole: () => Promise<Fetched>;
};

/**
 * How a tip came to be known: by the pin alone, by verifying what is newer than it, by verifying what is newer than a
 * snapshot that two others co-signed, or by verifying everything.
 */
export type Way = 'pinned' | 'since_pin' | 'cosigned' | 'whole';

export type Known = {
  readonly tip: Tip;
  readonly way: Way;
  /** The transactions that were verified on the way: ours may be among them after a lost answer. */
  readonly landed: ReadonlyMap<string, LandedTransaction>;
  readonly pin: Pin;
  /** To be kept beside that pin. */
  readonly crossed: readonly Tip[];
  /** Missions: their project as it is now, where all of it was verified on the way. */
  readonly project?: ProjectView | undefined;
  /** The one whose repository holds what an append builds on: git pushes from there. */
  readonly remote: Remote;
};

/** Remembers of verified transactions what a pin and a lost answer need. */
export class Witness {
  readonly landed = new Map<string, LandedTransaction>();
  readonly signed: Signed[] = [];
  readonly #crossings = new Crossings();

  see({ tip, claims, signer, events }: Pick<Seen, 'tip' | 'claims' | 'signer' | 'events'>): void {
    this.#crossings.add(tip, events.length);
    const { tx, prevSize: from } = claims;
    this.landed.set(tx, { head: headOf(tip), from, tx });
    this.signed.push({ fingerprint: signer.key.fingerprint, from, until: tip.size });
  }

  get crossed(): readonly Tip[] {
    return this.#crossings.take();
  }
}

type Signed = { readonly fingerprint: string; readonly from: number; readonly until: number };

/** A pin moved forward to a tip, and to who signed what on the way there. */
export function pinAt(crypto: Crypto, tip: Tip, before: Pin, signed: readonly Signed[]): Pin {
  const signers = { ...before.signers };
  for (const { fingerprint, from, until } of signed) {
    const [first, last] = signers[fingerprint] ?? [from, 0];
    signers[fingerprint] = [Math.min(first, from), Math.max(last, until - 1)];
  }
  return pinOf(crypto, tip, { genesis_confirmed: before.genesis_confirmed, signers });
}

/** Reads one object and holds it to its name: what a pin vouches for is a name, not what a server sends under it. */
export async function readObject(crypto: Crypto, { repository }: Fetched, oid: Oid): Promise<GitObject> {
  for await (const object of repository.read([oid])) {
    if (objectId(crypto, object.type, object.body) !== oid) throw new Failure('object_corrupt', { oid });
    return object;
  }
  throw new Failure('object_missing', { oid });
}
