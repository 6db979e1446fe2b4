// The commits of a ledger in the order they were made, found by walking back from its head. Jumps over what a repair
// leaves behind. Judges nothing: a forged repair is found out when the commits are verified in order.
import { fromUtf8, utf8 } from '../../format/bytes.ts';
import { Failure } from '../../failure.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import { isDamage } from './damage.ts';

export type Link = {
  readonly object: GitObject;
  /** On a repair: what history holds between the head it goes on from and its parent. */
  readonly foreign?: { readonly validHead: Oid; readonly tip: Oid; readonly count: number };
};

export type Stop = (object: GitObject) => boolean;

/** Links from the first to the last; ends before `until` is passed, with it where `until` answers true. `found`: so many so far. */
export async function chain(
  reader: RepositoryReader,
  head: Oid,
  until: Stop = () => false,
  found: (links: number) => void = () => undefined,
): Promise<Link[]> {
  const links: Link[] = [];
  let cursor: Oid | undefined = head;
  while (cursor !== undefined) {
    let next: Oid | undefined;
    for await (const object of naming(reader.history(cursor), () => links.at(-1)?.object)) {
      const validHead = repairedFrom(object);
      const link: Link = validHead === undefined ? { object } : await withForeign(reader, object, validHead);
      found(links.push(link));
      if (until(object)) return links.reverse();
      if (link.foreign !== undefined) {
        next = link.foreign.validHead;
        break;
      }
    }
    cursor = next;
  }
  return links.reverse();
}

/**
 * What is behind a commit and cannot be read makes that commit the first one that is not as it should be. No generator: one
 * more takes a verification about one per cent.
 */
function naming(history: AsyncIterable<GitObject>, last: () => GitObject | undefined): AsyncIterable<GitObject> {
  const commits = history[Symbol.asyncIterator]();
  const named = (error: unknown): never => {
    const before = last();
    if (!isDamage(error) || before === undefined) throw error;
    throw new Failure(
      error.code,
      { ...error.facts, index: claimedIndex(before), commit: before.oid },
      { cause: error },
    );
  };
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => commits.next().catch(named),
      return: async () => (await commits.return?.()) ?? { value: undefined, done: true },
    }),
  };
}

/** Where a commit says that it begins, however broken the rest of it is. */
export function claimedIndex(commit: GitObject): number {
  return Number(matchIn(messageEnd(commit), PREV_SIZE) ?? 0);
}

/** The end of a commit, where its trailers stand. */
export function messageEnd({ body }: GitObject): Uint8Array {
  return body.subarray(-MESSAGE_BYTES_MAX);
}

const PREV_SIZE = /\nLedger-Prev-Size: (\d{1,9})\n/;
/** Trailers are shorter. */
const MESSAGE_BYTES_MAX = 1024;
const REPAIRS = /^Ledger-Repairs: ([0-9a-f]{40}) \d{1,9}\n$/;
const LF = 10;
const FIRST_PARENT = /^tree [0-9a-f]{40}\nparent ([0-9a-f]{40})\n/;
const REPAIRS_BEGIN = utf8('Ledger-Repairs: ');
/** A longer last line is no such trailer, however long a stranger made it. */
const TRAILER_BYTES_MAX = 80;
/** No more than this of a commit's beginning need be looked at. */
const PARENT_WITHIN_BYTES = 160;

/** The head that a repair goes on from. The trailer is the last line, and nearly no commit has it. */
function repairedFrom({ body }: GitObject): Oid | undefined {
  const line = body.lastIndexOf(LF, body.length - 2) + 1;
  for (let i = 0; i < REPAIRS_BEGIN.length; i++) if (body[line + i] !== REPAIRS_BEGIN[i]) return undefined;
  return matchIn(body.subarray(line, line + TRAILER_BYTES_MAX), REPAIRS);
}

async function withForeign(reader: RepositoryReader, object: GitObject, validHead: Oid): Promise<Link> {
  const tip = matchIn(object.body.subarray(0, PARENT_WITHIN_BYTES), FIRST_PARENT);
  if (tip === undefined || !(await reader.isAncestor(validHead, tip))) return { object };
  return { object, foreign: { validHead, tip, count: await reader.countBetween(validHead, tip) } };
}

export type RepairLink = Link & Required<Pick<Link, 'foreign'>>;

/** Commits on any parent between a head and a foreign tip that say they are repairs of that same head. */
export async function repairsBetween(
  reader: RepositoryReader,
  { validHead, tip }: { readonly validHead: Oid; readonly tip: Oid },
): Promise<readonly RepairLink[]> {
  const found: RepairLink[] = [];
  for await (const object of reader.read(await reader.commitsBetween(validHead, tip))) {
    if (repairedFrom(object) !== validHead) continue;
    const link = await withForeign(reader, object, validHead);
    if (link.foreign !== undefined) found.push({ object, foreign: link.foreign });
  }
  return found;
}

function matchIn(bytes: Uint8Array, pattern: RegExp): string | undefined {
  try {
    return pattern.exec(fromUtf8(bytes))?.[1];
  } catch {
    return undefined;
  }
}
