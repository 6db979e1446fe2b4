// Where verifying a ledger begins: at the project's first commit, or at the newest snapshot that a pin vouches for; and
// whether its head still contains what was pinned. Judges no commit: that is the walk's work.
import type { Crypto } from '../../format/crypto.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { refuse, type Refused } from '../../kernel/verdict.ts';
import { emptyProject, type Tip } from '../../ledger/tip.ts';
import { readCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import { chain, type Link } from './chain.ts';
import { restoreTip, snapshotAt } from './restore.ts';

type World = { readonly crypto: Crypto; readonly reader: RepositoryReader };
type Place = { readonly tip: Tip; readonly links: readonly Link[] };

/** `floor`: why the head is not one that the pin allows. */
export type Start = Place & { readonly floor: Refused | undefined };

/** How far back: to the first commit, the pin being a floor only; or to the pin, or to a head before it. */
export type Since = { readonly is: 'genesis' } | { readonly is: 'pin'; readonly earlier?: TreeHead | undefined };

export async function startOf(world: World, head: string, pin: Pin | undefined, since: Since): Promise<Start> {
  const near = since.is === 'pin' && pin !== undefined ? await nearest(world, head, pin, since.earlier) : undefined;
  // Git walks all of history to say what is an ancestor (commits of one second have no order), and the way to the
  // snapshot leads past the pin anyway: git is asked only once the pin was not met.
  if (near?.isMet === true) return { ...near, floor: undefined };
  const whole = near === undefined ? await atGenesis(world, head) : undefined;
  if (pin === undefined) return { ...whole!, floor: undefined };
  if (whole?.links.some((link) => link.object.oid === pin.head.oid) === true) return { ...whole, floor: undefined };
  const floor = await fallenBelow(world.reader, head, pin);
  if (floor === undefined && near !== undefined) return { ...near, floor };
  return { ...(whole ?? (await atGenesis(world, head))), floor };
}

async function atGenesis({ crypto, reader }: World, head: string): Promise<Place> {
  return { tip: emptyProject(crypto), links: await chain(reader, head) };
}

type Near = Place & { readonly isMet: boolean };

/**
 * An earlier head is nobody's word but that of whoever kept it: it counts only on the way back from the pin, where it was
 * verified when the pin was. Anywhere else the pin does without it.
 */
async function nearest(world: World, head: string, pin: Pin, earlier: TreeHead | undefined): Promise<Near | undefined> {
  if (earlier !== undefined && earlier.size < pin.head.size) {
    // It may name what is not here, or what is no ledger's.
    const near = await atSnapshotOf(world, head, earlier.oid).catch(() => undefined);
    const places = [earlier, pin.head].map(({ oid }) => near?.oids.indexOf(oid) ?? -1);
    if (near !== undefined && places[0]! >= 0 && places[0]! < places[1]!) return { ...near, isMet: true };
  }
  const near = await atSnapshotOf(world, head, pin.head.oid);
  return near === undefined ? undefined : { ...near, isMet: near.oids.includes(pin.head.oid) };
}

/** A verified commit's tree was verified, so its snapshot is; the few commits behind it are verified again on the way. */
async function atSnapshotOf(
  { crypto, reader }: World,
  head: string,
  oid: Oid,
): Promise<(Place & { readonly oids: readonly Oid[] }) | undefined> {
  for await (const object of reader.read([oid])) {
    const pinned = readCommit(crypto, object);
    if (pinned.is === 'refused') return undefined;
    const snapshot = await snapshotAt(crypto, reader, pinned.value.commit.tree);
    if (snapshot === undefined) return undefined;
    const [first, ...links] = await chain(reader, head, (link) => isAtSize(crypto, link, snapshot.size));
    const read = first === undefined ? undefined : readCommit(crypto, first.object);
    if (first === undefined || read?.is !== 'accepted' || read.value.claims.size !== snapshot.size) return undefined;
    const tip = await restoreTip(crypto, reader, read.value, snapshot);
    if (tip.is === 'refused') return undefined;
    return { tip: tip.value, links, oids: [first, ...links].map((link) => link.object.oid) };
  }
  return undefined;
}

function isAtSize(crypto: Crypto, object: GitObject, size: number): boolean {
  const read = readCommit(crypto, object);
  return read.is === 'accepted' && read.value.claims.size === size;
}

/** A head that does not contain the pinned one is older than it, or of another history. */
async function fallenBelow(reader: RepositoryReader, head: string, pin: Pin): Promise<Refused | undefined> {
  if (head === pin.head.oid || (await reader.isAncestor(pin.head.oid, head))) return undefined;
  const facts = { pinned_size: pin.head.size, pinned: pin.head.oid, found: head };
  return refuse((await reader.isAncestor(head, pin.head.oid)) ? 'rollback_detected' : 'fork_detected', facts);
}
