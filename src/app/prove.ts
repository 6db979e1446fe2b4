// Making a proof bundle: verify the whole ledger, keep what a checker will need, write it as one file. Nothing is proved
// from a ledger that does not verify.
import { Failure } from '../failure.ts';
import { leafHash } from '../format/merkle.ts';
import { BUNDLE_BYTES_MAX, type Bundle } from '../ledger/bundle-format.ts';
import { ESSENTIAL } from '../ledger/bundle-steps.ts';
import { writeBundle, type Extract, type Extracts } from '../ledger/bundle-write.ts';
import { ledgerName, PROJECT_REF } from '../ledger/names.ts';
import type { Crypto } from '../format/crypto.ts';
import type { RepositoryReader } from '../ports/repository.ts';
import { refuseFlawed, type Watch, type Workbench } from './workbench.ts';
import type { Seen } from './verify/walk.ts';

/** An event, by its index or the beginning of its id, or the growth since a head of that size. */
export type Wanted = { readonly event: string } | { readonly oldSize: number };

export type Proof = {
  readonly bytes: Uint8Array;
  readonly claim: Bundle['claim'];
  readonly ledger: string;
  readonly size: number;
};

export async function prove(bench: Workbench, ref: string, wanted: Wanted, watch: Watch = {}): Promise<Proof> {
  const { crypto, repository } = bench.parts;
  const own = new Collector(crypto, wanted);
  const project = new Collector(crypto, {});
  const { report } = await bench.verify(ref, 'full', {
    ...watch,
    onCommit: (seen) => {
      (seen.ledger === 'project' && ref !== PROJECT_REF ? project : own).add(seen);
      watch.onCommit?.(seen);
    },
  });
  refuseFlawed(report);
  const ledger = ledgerName(ref);
  const claim = own.claim(ledger);
  const material = {
    claim,
    ledger: await own.extracts(repository),
    project: project.size === 0 ? undefined : await project.extracts(repository),
  };
  const bundle = writeBundle(crypto, material);
  if (bundle.is === 'refused') throw new Failure(bundle.code, { ...bundle.facts, bytes_max: BUNDLE_BYTES_MAX });
  return { bytes: bundle.value, claim, ledger, size: own.size };
}

type Kept = Omit<Extract, 'commit'> & { readonly oid: string };

/** Remembers of a ledger, as it is verified, the hash of every event and the few transactions to be shown. */
class Collector {
  readonly #crypto: Crypto;
  readonly #wanted: { readonly event?: string; readonly oldSize?: number };
  readonly #leaves: Uint8Array[] = [];
  readonly #kept: Kept[] = [];
  readonly #found: { readonly index: number; readonly id: string }[] = [];
  #last: Kept | undefined;

  constructor(crypto: Crypto, wanted: { readonly event?: string; readonly oldSize?: number }) {
    this.#crypto = crypto;
    this.#wanted = wanted;
  }

  get size(): number {
    return this.#leaves.length;
  }

  add({ events, blobs, claims, oid }: Seen): void {
    const { prevSize, size } = claims;
    for (const blob of blobs) this.#leaves.push(leafHash(this.#crypto, blob));
    const matter = events.flatMap(({ event_type, event_id }, i) => {
      const index = prevSize + i;
      const isWanted = this.#isWanted(index, event_id);
      if (isWanted) this.#found.push({ index, id: event_id });
      return isWanted || ESSENTIAL.has(event_type) ? [{ index, bytes: blobs[i]! }] : [];
    });
    this.#last = { oid, prevSize, size, events: matter };
    if (matter.length > 0 || size === this.#wanted.oldSize) this.#kept.push(this.#last);
  }

  claim(ledger: string): Bundle['claim'] {
    const { event, oldSize } = this.#wanted;
    if (oldSize !== undefined) {
      if (this.#kept.some(({ size }) => size === oldSize)) return { is: 'continuation', old_size: oldSize };
      throw new Failure('head_not_found', { ledger, size: oldSize });
    }
    const [first, second] = this.#found;
    if (first === undefined) throw new Failure('event_not_found', { ledger, event: event ?? '', size: this.size });
    if (second !== undefined)
      throw new Failure('event_ambiguous', { ledger, candidates: this.#found.slice(0, 5).map(({ id }) => id) });
    return { is: 'event', index: first.index };
  }

  async extracts(reader: RepositoryReader): Promise<Extracts> {
    const last = this.#last;
    const shown = last === undefined || this.#kept.at(-1) === last ? this.#kept : [...this.#kept, last];
    const transactions: Extract[] = [];
    for await (const { body } of reader.read(shown.map(({ oid }) => oid))) {
      const { prevSize, size, events } = shown[transactions.length]!;
      transactions.push({ commit: body, prevSize, size, events });
    }
    return { leaves: this.#leaves, transactions };
  }

  /** Digits alone are an index; an id is looked for by four digits at least, like everywhere. */
  #isWanted(index: number, id: string): boolean {
    const { event } = this.#wanted;
    if (event === undefined) return false;
    return /^\d{1,9}$/.test(event)
      ? index === Number(event)
      : event.length >= ID_DIGITS_MIN && id.startsWith(event.toLowerCase());
  }
}

const ID_DIGITS_MIN = 4;
