// Verifies links one after the other from a tip on: every signature, root, tree and rule. Stops at the first that does
// not hold and says where. A mission's history begins in its project's: crossing over is part of the walk.
import { equalBytes, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { enforced } from '../../kernel/enforced.ts';
import type { LedgerKind } from '../../kernel/traits.ts';
import { accept, refuse, type Refused, type Verdict } from '../../kernel/verdict.ts';
import { emptyMission, type Tip } from '../../ledger/tip.ts';
import { readCommit, verifyCommit, type ReadCommit, type VerifiedCommit } from '../../ledger/verify-commit.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import type { SecondCore } from '../../ports/second-core.ts';
import { messageEnd, repairsBetween, type Link } from './chain.ts';
import { isDamage } from './damage.ts';
import { EventSource, readFromTree } from './event-source.ts';
import { SignaturesAhead } from './signatures-ahead.ts';

export type Seen = VerifiedCommit & {
  readonly blobs: readonly Uint8Array[];
  readonly ledger: LedgerKind;
  readonly oid: string;
};

export type Flaw = Refused & {
  /** First event index that is not as it should be, in the ledger named. */
  readonly index: number;
  readonly oid: string;
  readonly ledger: LedgerKind;
};

export type Walk = {
  readonly crypto: Crypto;
  readonly reader: RepositoryReader;
  /** What the last link must belong to. */
  readonly kind: LedgerKind;
  /** Waited for, where it has to look something up. */
  readonly onCommit: (seen: Seen) => void | Promise<void>;
  /** Where a long walk may have its signatures checked beside it. */
  readonly second?: SecondCore | undefined;
  readonly signal?: AbortSignal;
};

export type Walked = { readonly tip: Tip; readonly flaw: Flaw | undefined };

export async function walk(from: Tip, links: readonly Link[], context: Walk): Promise<Walked> {
  let tip = from;
  let source: EventSource | undefined;
  const ahead = new SignaturesAhead(context.crypto, links, context.second);
  const known = { ...context, crypto: ahead.crypto };
  try {
    for (const [i, link] of links.entries()) {
      context.signal?.throwIfAborted();
      const read = ahead.read(i, tip);
      if (read.is === 'refused') return { tip, flaw: flawAt(tip, link, read) };
      const crossing = crossesOver(tip, read.value, context.kind);
      if (crossing) {
        tip = emptyMission(context.crypto, tip);
      }
      if (source === undefined || crossing) {
        await source?.close();
        const newest = newestOf(context.crypto, links, i, read.value);
        source = await EventSource.open(context.reader, newest.commit.tree, tip.size, newest.claims.size);
      }
      const verdict = await verifyLink(tip, link, read.value, source, known);
      if (verdict.is === 'refused') return { tip, flaw: flawAt(tip, link, verdict) };
      tip = verdict.value.tip;
      await context.onCommit(verdict.value);
    }
  } finally {
    await source?.close();
  }
  return { tip, flaw: undefined };
}

async function verifyLink(
  tip: Tip,
  link: Link,
  read: ReadCommit,
  source: EventSource,
  context: Walk,
): Promise<Verdict<Seen>> {
  const { crypto, reader } = context;
  const { prevSize, size } = read.claims;
  const foreign = link.foreign === undefined ? undefined : { count: link.foreign.count, tip: link.foreign.tip };
  const repair = link.foreign === undefined ? undefined : await refuseRepairOfValid(tip, link.foreign, context);
  if (repair !== undefined) return repair;
  const fast = await source.next(prevSize, size);
  if (fast !== undefined) {
    const verdict = verifyCommit(crypto, tip, read, fast, foreign);
    if (verdict.is === 'accepted') return accept(seen(verdict.value, fast, tip.kind, read.oid));
  }
  const sane = size > prevSize && size - prevSize <= MOST_READ_FOR_ONE_COMMIT;
  const sure = sane ? await readOrDamage(() => readFromTree(reader, read.commit.tree, prevSize, size)) : [];
  // What is absent may never have been there: place and signature need no event, and say so first.
  if (!Array.isArray(sure)) {
    const verdict = verifyCommit(crypto, tip, read, [], foreign);
    return verdict.is === 'refused' && verdict.code !== 'events_missing' ? verdict : sure;
  }
  const verdict = verifyCommit(crypto, tip, read, sure, foreign);
  return verdict.is === 'refused' ? verdict : accept(seen(verdict.value, sure, tip.kind, read.oid));
}

/** Spelled out: an object that is spread into a larger one is made by the engine's slow path, twice for each commit. */
function seen(
  { tip, claims, events, leaves, signer, atSeconds }: VerifiedCommit,
  blobs: readonly Uint8Array[],
  ledger: LedgerKind,
  oid: string,
): Seen {
  return { tip, claims, events, leaves, signer, atSeconds, blobs, ledger, oid };
}

/** An object that is absent or unreadable refuses the commit that needs it; what stands before it was verified. */
async function readOrDamage(read: () => Promise<Uint8Array[]>): Promise<Uint8Array[] | Refused> {
  try {
    return await read();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return refuse(error.code, error.facts);
  }
}

/** A forged size must not make the verifier read a million files before it is refused. */
const MOST_READ_FOR_ONE_COMMIT = 1024;

/**
 * A repair may leave behind garbage only. If what goes on from the valid head verifies, or is merely of a newer format
 * than we read, the roots are discarding history, and that is refused.
 */
export async function refuseRepairOfValid(
  tip: Tip,
  foreign: { readonly validHead: string; readonly tip: string },
  { crypto, reader }: Pick<Walk, 'crypto' | 'reader'>,
): Promise<Refused | undefined> {
  for (const child of await reader.childrenOf(foreign.validHead, foreign.tip)) {
    for await (const object of reader.read([child])) {
      const read = readCommit(crypto, object);
      if (read.is === 'refused') {
        if (read.code === 'format_newer') return refuse('repair_of_valid', { commit: child, because: read.code });
        continue;
      }
      const { prevSize, size } = read.value.claims;
      const { tree } = read.value.commit;
      const blobs = await readOrDamage(() => readFromTree(reader, tree, prevSize, size));
      const verdict = verifyCommit(crypto, tip, read.value, Array.isArray(blobs) ? blobs : []);
      // It may verify where its events are: what this repository has lost is no reason to give it up.
      if (!Array.isArray(blobs) && verdict.is === 'refused' && verdict.code === 'events_missing') return blobs;
      if (verdict.is === 'accepted' || verdict.code === 'event_version_newer' || verdict.code === 'event_type_unknown')
        return refuse('repair_of_valid', {
          commit: child,
          because: verdict.is === 'refused' ? verdict.code : 'verifies',
        });
    }
  }
  return enforced('repair_keeps_valid_repairs') ? refuseRepairOfRepair(tip, foreign, { crypto, reader }) : undefined;
}

/** An earlier repair goes on from the same head without being its child: all that was written since hangs on it. */
async function refuseRepairOfRepair(
  tip: Tip,
  foreign: { readonly validHead: string; readonly tip: string },
  { crypto, reader }: Pick<Walk, 'crypto' | 'reader'>,
): Promise<Refused | undefined> {
  for (const link of await repairsBetween(reader, foreign)) {
    const read = readCommit(crypto, link.object);
    if (read.is === 'refused') continue;
    const { prevSize, size } = read.value.claims;
    if (size !== prevSize + 1) continue;
    const { tree } = read.value.commit;
    const blobs = await readOrDamage(() => readFromTree(reader, tree, prevSize, size));
    if (!Array.isArray(blobs)) continue;
    const verdict = verifyCommit(crypto, tip, read.value, blobs, link.foreign);
    if (verdict.is === 'refused') continue;
    // One that discards what is valid is itself none. Its own range is smaller, so that this comes to an end.
    const refused = await refuseRepairOfValid(tip, link.foreign, { crypto, reader });
    if (refused === undefined) return refuse('repair_of_valid', { commit: read.value.oid, because: 'repairs' });
  }
  return undefined;
}

/** The first commit of a mission: it starts from nothing and cites the project head it stands on. */
function crossesOver(tip: Tip, { claims }: ReadCommit, kind: LedgerKind): boolean {
  return (
    kind === 'mission' &&
    tip.kind === 'project' &&
    tip.oid !== undefined &&
    claims.prevSize === 0 &&
    claims.project !== undefined
  );
}

/**
 * The newest commit that claims to belong to the same ledger: the one listing that serves them all. They lie together, and
 * what is altered about that costs time only.
 */
function newestOf(crypto: Crypto, links: readonly Link[], from: number, read: ReadCommit): ReadCommit {
  const claim = utf8(`\nLedger-Id: ${read.claims.ledgerId}\n`);
  let last = from;
  for (let until = links.length, i = until - 1; last < until - 1; i = (last + until) >> 1)
    if (includes(messageEnd(links[i]!.object), claim)) last = i;
    else until = i;
  for (; last > from; last--) {
    const newest = readCommit(crypto, links[last]!.object);
    if (newest.is === 'accepted') return newest.value;
  }
  return read;
}

function includes(body: Uint8Array, part: Uint8Array): boolean {
  for (let at = body.indexOf(part[0]!); at !== -1; at = body.indexOf(part[0]!, at + 1))
    if (equalBytes(body.subarray(at, at + part.length), part)) return true;
  return false;
}

function flawAt(tip: Tip, link: Link, refused: Refused): Flaw {
  const { index } = refused.facts;
  return { ...refused, index: typeof index === 'number' ? index : tip.size, oid: link.object.oid, ledger: tip.kind };
}
