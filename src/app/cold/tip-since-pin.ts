// The whole tip of a remote ledger from a kept snapshot that a pin vouches for: only what came after it is fetched, and
// verified like everything. Says yes or that more is needed, never no: a flaw is named by whoever sees the whole ledger.
import type { Crypto } from '../../format/crypto.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import { parseTree } from '../../format/git/tree.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import {
  fanName,
  FETCHED_REFS,
  FILES,
  hotDirectory,
  ledgerName,
  PROJECT_REF,
  segmentName,
  segmentOf,
} from '../../ledger/names.ts';
import type { Tip } from '../../ledger/tip.ts';
import { readCommit, type ReadCommit } from '../../ledger/verify-commit.ts';
import type { Pin } from '../../ports/pins.ts';
import { chain, type Link } from '../verify/chain.ts';
import { restoreTip } from '../verify/restore.ts';
import type { Snapshot } from '../verify/snapshots.ts';
import { walk } from '../verify/walk.ts';
import { pinAt, readObject, Witness, type ColdWorld, type Fetched, type Known } from './cold-world.ts';

/** Beyond this the whole ledger is hardly more, and fetched in one go. */
const SEGMENTS_BEHIND_MAX = 16;
/** 15 KB: how many are needed is not known before. */
const COMMITS_ASKED_FIRST = 32;
const COMMITS_SPARE = 4;

export async function tipSincePin(world: ColdWorld, ref: string, head: ReadCommit, pin: Pin): Promise<Verdict<Known>> {
  const { crypto, part, snapshots } = world;
  const needed = refuse('cold_needs_history', { head: head.oid, pinned: pin.head.oid });
  const snapshot = await snapshots.upTo(ledgerName(ref), pin.head.size);
  // Nothing was kept, or there was no boundary yet.
  const from = snapshot && (await tipFrom(world, ref, head, snapshot));
  // Without the pinned commit among them, what was kept before it vouches for nothing.
  if (from === undefined || !from.oids.has(pin.head.oid)) return needed;
  const { tip, witness } = from;
  return accept({
    tip,
    way: 'since_pin',
    landed: witness.landed,
    pin: pinAt(crypto, tip, pin, witness.signed),
    crossed: witness.crossed,
    remote: part.remote,
  });
}

/** `start` is the tip that the snapshot is of; `oids` are all commits from there to the head. */
export type From = {
  readonly tip: Tip;
  readonly start: Tip;
  readonly oids: ReadonlySet<string>;
  readonly witness: Witness;
};

/** From a snapshot to a head that contains it, everything between them verified; undefined where that fails. */
export async function tipFrom(
  world: ColdWorld,
  ref: string,
  head: ReadCommit,
  snapshot: Snapshot,
): Promise<From | undefined> {
  const { crypto, part } = world;
  const from = snapshot.head;
  if (from.size > head.claims.size) return undefined;
  if (segmentOf(head.claims.size) - segmentOf(from.size) > SEGMENTS_BEHIND_MAX) return undefined;
  const links = await linksSince(world, head, from);
  const start = links?.[0] === undefined ? undefined : readCommit(crypto, links[0].object);
  if (links === undefined || start?.is !== 'accepted') return undefined;
  const { tree } = start.value.commit;
  const events = await directoriesSince(crypto, part, head, segmentOf(from.size));
  await part.remote.fetchPart({ wants: [...new Set([tree, ...events])], treeDepth: 2 }, FETCHED_REFS);
  const restored = await restoreTip(crypto, part.repository, start.value, snapshot);
  if (restored.is === 'refused') return undefined;
  const witness = new Witness();
  const walked = await walk(restored.value, links.slice(1), {
    crypto,
    reader: part.repository,
    kind: ref === PROJECT_REF ? 'project' : 'mission',
    onCommit: (seen) => witness.see(seen),
  });
  if (walked.flaw !== undefined) return undefined;
  return { tip: walked.tip, start: restored.value, oids: new Set(links.map(({ object }) => object.oid)), witness };
}

/** The commits from the one that the snapshot is of up to the head; undefined where they do not reach it. */
async function linksSince(
  { crypto, part }: ColdWorld,
  { oid, claims }: ReadCommit,
  from: TreeHead,
): Promise<Link[] | undefined> {
  const isFirst = (object: GitObject): boolean => object.oid === from.oid;
  for (let commitsMax = COMMITS_ASKED_FIRST; ;) {
    await part.remote.fetchPart({ wants: [oid], commitsMax, treeDepth: 0 }, FETCHED_REFS);
    let seen = 0;
    const links = await chain(part.repository, oid, (object) => ++seen === commitsMax || isFirst(object));
    const oldest = links[0] === undefined ? undefined : readCommit(crypto, links[0].object);
    if (links[0] === undefined || oldest?.is !== 'accepted') return undefined;
    if (isFirst(links[0].object)) return links;
    const { prevSize } = oldest.value.claims;
    // Every commit holds an event at least: whoever shows more commits than events shows no ledger.
    if (links.length < commitsMax || links.length > claims.size - from.size + 1) return undefined;
    // As many more as there would be if all were like those, but not too many: they may be the exception.
    const like = Math.ceil(((prevSize - from.size) * links.length) / (claims.size - prevSize)) + COMMITS_SPARE;
    commitsMax += Math.max(COMMITS_SPARE, Math.min(like, 3 * commitsMax));
  }
}

/** The directories of the head that hold the events since a segment began: the open one, and those filed since. */
async function directoriesSince(crypto: Crypto, part: Fetched, head: ReadCommit, segment: number): Promise<Oid[]> {
  const open = segmentOf(head.claims.size);
  const top = await entriesOf(crypto, part, head.commit.tree);
  const hot = top.get(hotDirectory(open));
  const found = hot === undefined ? [] : [hot];
  const segments = top.get(FILES.segments);
  if (open === segment || segments === undefined) return found;
  const filed = Array.from({ length: open - segment }, (_, i) => segment + i);
  const fans = await entriesOf(crypto, part, segments);
  const wanted = [...new Set(filed.map(fanName))].flatMap((name) => fans.get(name) ?? []);
  await part.remote.fetchPart({ wants: wanted, treeDepth: 0 }, FETCHED_REFS);
  for (const fan of wanted) {
    const entries = await entriesOf(crypto, part, fan);
    for (const one of filed) found.push(...[entries.get(segmentName(one))].filter((oid) => oid !== undefined));
  }
  return found;
}

async function entriesOf(crypto: Crypto, part: Fetched, tree: Oid): Promise<ReadonlyMap<string, Oid>> {
  return new Map(parseTree((await readObject(crypto, part, tree)).body).map((entry) => [entry.name, entry.oid]));
}
