// Where verifying a ledger begins: at the project's first commit, or at a kept snapshot that a pin vouches for; and
// whether its head still contains what was pinned. Judges no commit: that is the walk's work.
import type { Crypto } from '../../format/crypto.ts';
import type { GitObject } from '../../format/git/object.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { refuse, type Refused } from '../../kernel/verdict.ts';
import { emptyMission, emptyProject, type Ground, type Tip } from '../../ledger/tip.ts';
import { readCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import { chain, claimedIndex, type Link } from './chain.ts';
import { restoreTip } from './restore.ts';
import type { Snapshot } from './snapshots.ts';

type World = {
  readonly crypto: Crypto;
  readonly reader: RepositoryReader;
  /** The newest one kept of this ledger that is not beyond a size. */
  readonly snapshot?: ((size: number) => Promise<Snapshot | undefined>) | undefined;
  /** The project at one of its heads, where it was verified already: a mission that grew there begins behind it. */
  readonly groundAt?: ((cited: TreeHead, ledgerId: string) => Promise<Ground | undefined>) | undefined;
  /** Told how many commits there are to verify, while they are being found. */
  readonly found?: (links: number) => void;
};
type Footing = { readonly tip: Tip; readonly links: readonly Link[] };

/** `floor`: why the head is not one that the pin allows. */
export type Start = Footing & { readonly floor: Refused | undefined };

/** How far back: to the first commit, the pin being a floor only; or to the pin, or to a head before it. */
export type Since = { readonly is: 'genesis' } | { readonly is: 'pin'; readonly earlier?: TreeHead | undefined };

export async function startOf(world: World, head: string, pin: Pin | undefined, since: Since): Promise<Start> {
  const near = since.is === 'pin' && pin !== undefined ? await nearest(world, head, pin, since.earlier) : undefined;
  if (near?.isMet === true) return { ...near, floor: undefined };
  const whole = await atGenesis(world, head);
  const isMet = pin === undefined || whole.links.some((link) => link.object.oid === pin.head.oid);
  return { ...whole, floor: isMet ? undefined : await floorOf(world.reader, head, pin) };
}

async function atGenesis({ crypto, reader, groundAt, found }: World, head: string): Promise<Footing> {
  if (groundAt !== undefined) {
    const links = await chain(reader, head, (object) => grewFrom(crypto, object) !== undefined, found);
    const grew = links[0] && grewFrom(crypto, links[0].object);
    const ground = grew && (await groundAt(grew.project, grew.ledgerId));
    // A name of a commit stands for all that lies before it: what was verified under it once need not be again.
    if (ground !== undefined) return { tip: emptyMission(crypto, ground), links };
  }
  return { tip: emptyProject(crypto), links: await chain(reader, head, undefined, found) };
}

/** The project head that it says it grows from, for the first commit of a mission; the walk finds out whether that is so. */
function grewFrom(
  crypto: Crypto,
  object: GitObject,
): { readonly project: TreeHead; readonly ledgerId: string } | undefined {
  if (claimedIndex(object) > 0) return undefined;
  const read = readCommit(crypto, object);
  if (read.is === 'refused') return undefined;
  const { claims, commit } = read.value;
  // Any commit can say of itself that it is the first: behind a false one lies more of the ledger.
  const { ledgerId, prevSize, project } = claims;
  const isFirst = prevSize === 0 && project !== undefined && commit.parents[0] === project.oid;
  return isFirst ? { project, ledgerId } : undefined;
}

type Near = Footing & { readonly isMet: boolean };

/**
 * An earlier head is nobody's word but that of whoever kept it: it counts only on the way back from the pin, where it was
 * verified when the pin was. Anywhere else the pin does without it.
 */
async function nearest(world: World, head: string, pin: Pin, earlier: TreeHead | undefined): Promise<Near | undefined> {
  if (earlier !== undefined && earlier.size < pin.head.size) {
    // It may name what is not here, or what is no ledger's.
    const near = await atSnapshot(world, head, earlier.size).catch(() => undefined);
    const places = [earlier, pin.head].map(({ oid }) => near?.oids.indexOf(oid) ?? -1);
    if (near !== undefined && places[0]! >= 0 && places[0]! < places[1]!) return { ...near, isMet: true };
  }
  const near = await atSnapshot(world, head, pin.head.size);
  return near === undefined ? undefined : { ...near, isMet: near.oids.includes(pin.head.oid) };
}

/** A snapshot was kept of a commit that was verified; the few commits behind it are verified again on the way. */
async function atSnapshot(
  { crypto, reader, snapshot: kept, found }: World,
  head: string,
  size: number,
): Promise<(Footing & { readonly oids: readonly string[] }) | undefined> {
  const snapshot = await kept?.(size);
  if (snapshot === undefined) return undefined;
  const [first, ...links] = await chain(reader, head, ({ oid }) => oid === snapshot.head.oid, found);
  const read = first === undefined ? undefined : readCommit(crypto, first.object);
  if (first === undefined || read?.is !== 'accepted' || read.value.oid !== snapshot.head.oid) return undefined;
  const tip = await restoreTip(crypto, reader, read.value, snapshot);
  if (tip.is === 'refused') return undefined;
  return { tip: tip.value, links, oids: [first, ...links].map((link) => link.object.oid) };
}

/**
 * Refuses a head whose ledger does not lead past the pinned one. To git that one may be an ancestor all the same: a
 * second repair that names an older head has everything since among its foreign commits.
 */
export async function fallenBelow(reader: RepositoryReader, head: string, pin: Pin): Promise<Refused | undefined> {
  const [first] = await chain(reader, head, (object) => object.oid === pin.head.oid);
  return first?.object.oid === pin.head.oid ? undefined : floorOf(reader, head, pin);
}

/** Older than what is pinned, or of another history. */
async function floorOf(reader: RepositoryReader, head: string, pin: Pin): Promise<Refused> {
  const facts = { pinned_size: pin.head.size, pinned: pin.head.oid, found: head };
  return refuse((await reader.isAncestor(head, pin.head.oid)) ? 'rollback_detected' : 'fork_detected', facts);
}
