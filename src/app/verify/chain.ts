// The commits of a ledger in the order they were made, found by walking back from its head. Jumps over what a repair
// leaves behind. Judges nothing: a forged repair is found out when the commits are verified in order.
import { fromUtf8 } from '../../format/bytes.ts';
import type { GitObject, Oid } from '../../format/git/object.ts';
import type { RepositoryReader } from '../../ports/repository.ts';

export type Link = {
  readonly object: GitObject;
  /** On a repair: what history holds between the head it goes on from and its parent. */
  readonly foreign?: { readonly validHead: Oid; readonly tip: Oid; readonly count: number };
};

export type Stop = (object: GitObject) => boolean;

/** Links from the first to the last; ends before `until` is passed, with it where `until` answers true. */
export async function chain(reader: RepositoryReader, head: Oid, until: Stop = () => false): Promise<Link[]> {
  const links: Link[] = [];
  let cursor: Oid | undefined = head;
  while (cursor !== undefined) {
    let next: Oid | undefined;
    for await (const object of reader.history(cursor)) {
      const link: Link = await withForeign(reader, object);
      links.push(link);
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

const REPAIRS = /\nLedger-Repairs: ([0-9a-f]{40}) \d{1,9}\n$/;
const FIRST_PARENT = /^tree [0-9a-f]{40}\nparent ([0-9a-f]{40})\n/;
/** The trailer is the last line: no more than this of a commit need be looked at. */
const TRAILER_BYTES = 80;

async function withForeign(reader: RepositoryReader, object: GitObject): Promise<Link> {
  const validHead = matchIn(object.body.subarray(-TRAILER_BYTES), REPAIRS);
  if (validHead === undefined) return { object };
  const tip = matchIn(object.body.subarray(0, 2 * TRAILER_BYTES), FIRST_PARENT);
  if (tip === undefined || !(await reader.isAncestor(validHead, tip))) return { object };
  return { object, foreign: { validHead, tip, count: await reader.countBetween(validHead, tip) } };
}

function matchIn(bytes: Uint8Array, pattern: RegExp): string | undefined {
  // Cheap first: a repair is rare, and decoding every commit twice is not.
  if (bytes[bytes.length - 1] !== 10 && pattern === REPAIRS) return undefined;
  try {
    return pattern.exec(fromUtf8(bytes))?.[1];
  } catch {
    return undefined;
  }
}
