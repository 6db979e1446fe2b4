// Remembers of a ledger, while it is verified, the hash of every event and the few transactions that a proof shows. Holds
// no event that does not matter, however long the ledger is.
import { Failure } from '../failure.ts';
import type { Crypto } from '../format/crypto.ts';
import { leafHash } from '../format/merkle.ts';
import type { Bundle, Cosignature } from '../ledger/bundle-format.ts';
import { ESSENTIAL } from '../ledger/bundle-commits.ts';
import type { Extract, Extracts } from '../ledger/bundle-write.ts';
import type { RepositoryReader } from '../ports/repository.ts';
import type { Seen } from './verify/walk.ts';

export type Sought = {
  /** An index in digits, or the beginning of an event id. */
  readonly event?: string;
  /** Sizes whose tree heads are to be shown. */
  readonly sizes?: ReadonlySet<number>;
};

type Kept = Omit<Extract, 'commit'> & { readonly oid: string; readonly root: string };

const EVENT_ID_DIGITS_MIN = 4;
const CANDIDATES_SHOWN = 5;

export class ProofCollector {
  readonly #crypto: Crypto;
  readonly #sought: Sought;
  readonly #leaves: Uint8Array[] = [];
  readonly #kept: Kept[] = [];
  readonly #found: { readonly index: number; readonly id: string }[] = [];
  #last: Kept | undefined;

  constructor(crypto: Crypto, sought: Sought = {}) {
    this.#crypto = crypto;
    this.#sought = sought;
  }

  get size(): number {
    return this.#leaves.length;
  }

  add({ events, blobs, claims, oid }: Seen): void {
    const { prevSize, size, root } = claims;
    for (const blob of blobs) this.#leaves.push(leafHash(this.#crypto, blob));
    const matter = events.flatMap(({ event_type, event_id }, i) => {
      const index = prevSize + i;
      const isSought = this.#isSought(index, event_id);
      if (isSought) this.#found.push({ index, id: event_id });
      return isSought || ESSENTIAL.has(event_type) ? [{ index, bytes: blobs[i]! }] : [];
    });
    this.#last = { oid, prevSize, size, root, events: matter };
    if (matter.length > 0 || this.#sought.sizes?.has(size) === true) this.#kept.push(this.#last);
  }

  /** The claim about the one event that was sought. */
  claim(ledger: string): Bundle['claim'] {
    const [first, second] = this.#found;
    if (first === undefined)
      throw new Failure('event_not_found', { ledger, event: this.#sought.event ?? '', size: this.size });
    if (second !== undefined)
      throw new Failure('event_ambiguous', {
        ledger,
        candidates: this.#found.slice(0, CANDIDATES_SHOWN).map(({ id }) => id),
      });
    return { is: 'event', index: first.index };
  }

  hasHead(size: number): boolean {
    return this.#kept.some((one) => one.size === size);
  }

  /** Of the co-signatures given, each signer's newest over a head that is in this ledger. */
  newest(cosignatures: readonly Cosignature[]): readonly Cosignature[] {
    const heads = new Map(
      [...this.#kept, ...(this.#last === undefined ? [] : [this.#last])].map((one) => [one.size, one.root]),
    );
    const bySigner = new Map<string, Cosignature>();
    for (const one of cosignatures)
      if (heads.get(one.size) === one.root && one.size > (bySigner.get(one.fingerprint)?.size ?? 0))
        bySigner.set(one.fingerprint, one);
    return [...bySigner.values()];
  }

  /** What is shown: everything that decides on signers, what was sought, the heads of `sizes`, and the newest. */
  async extracts(reader: RepositoryReader, sizes: ReadonlySet<number>): Promise<Extracts> {
    const shown = this.#kept.filter((one) => one.events.length > 0 || sizes.has(one.size) || one === this.#last);
    if (this.#last !== undefined && shown.at(-1) !== this.#last) shown.push(this.#last);
    const transactions: Extract[] = [];
    for await (const { body } of reader.read(shown.map(({ oid }) => oid))) {
      const { prevSize, size, events } = shown[transactions.length]!;
      transactions.push({ commit: body, prevSize, size, events });
    }
    return { leaves: this.#leaves, transactions };
  }

  /** Digits alone are an index; an id is looked for by four digits at least, like everywhere. */
  #isSought(index: number, id: string): boolean {
    const { event } = this.#sought;
    if (event === undefined) return false;
    if (/^\d{1,9}$/.test(event)) return index === Number(event);
    const digits = event.replaceAll('-', '').toLowerCase();
    return digits.length >= EVENT_ID_DIGITS_MIN && id.replaceAll('-', '').startsWith(digits);
  }
}
