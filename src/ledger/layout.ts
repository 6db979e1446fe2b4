// The tree of a ledger as a value: which entries it has at a size, and what an append changes. Costs the same at any
// length: one directory grows, a full one is moved unchanged. Verifying rebuilds the very same trees and compares names.
import { concat } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { gitObject, type GitObject, type Oid } from '../format/git/object.ts';
import { encodeTree, TreeBody, type TreeEntry } from '../format/git/tree.ts';
import { SEGMENT_EVENTS } from '../kernel/limits.ts';
import { eventFile, fanName, FILES, hotDirectory, segmentName, SEGMENTS_PER_FAN, segmentOf } from './names.ts';

type Directory = { readonly oid: Oid; readonly body: Uint8Array };

/**
 * The directories an append touches, with their bodies; all else is named by its object. Spelled out wherever one is made,
 * as tips are.
 */
export type Layout = {
  readonly size: number;
  /** The open segment; undefined when the size is a multiple of a segment. */
  readonly hot: Directory | undefined;
  /** The directory of `seg/` that the last full segment lies in, and the entries of `seg/` before it. */
  readonly fan: Directory | undefined;
  readonly fullFans: Uint8Array;
  readonly segments: Oid | undefined;
  readonly root: Directory | undefined;
};

const NOTHING = new Uint8Array(0);
export const EMPTY_LAYOUT: Layout = {
  size: 0,
  hot: undefined,
  fan: undefined,
  fullFans: NOTHING,
  segments: undefined,
  root: undefined,
};

/** What an append adds: event blobs in order, and the files at the top of the tree. */
export type Additions = {
  readonly events: readonly Oid[];
  readonly files: Readonly<Record<string, Oid>>;
};

export type Extended = { readonly layout: Layout; readonly tree: Oid; readonly objects: readonly GitObject[] };

export function extend(crypto: Crypto, before: Layout, { events, files }: Additions): Extended {
  const objects: GitObject[] = [];
  let layout = before;
  for (let at = 0; at < events.length;) {
    const some = events.slice(at, at + SEGMENT_EVENTS - (layout.size % SEGMENT_EVENTS));
    layout = growHot(crypto, layout, some, objects);
    if (layout.size % SEGMENT_EVENTS === 0) layout = fileSegment(crypto, layout, objects);
    at += some.length;
  }
  const root = gitObject(crypto, 'tree', encodeTree(topEntries(layout, files)), before.root);
  objects.push(root);
  const { size, hot, fan, fullFans, segments } = layout;
  return { layout: { size, hot, fan, fullFans, segments, root }, tree: root.oid, objects };
}

function growHot(crypto: Crypto, layout: Layout, events: readonly Oid[], objects: GitObject[]): Layout {
  const entries = events.map((oid, i): TreeEntry => ({ mode: '100644', name: eventFile(layout.size + i), oid }));
  const hot = grow(crypto, layout.hot, entries, objects);
  const { fan, fullFans, segments, root } = layout;
  return { size: layout.size + events.length, hot, fan, fullFans, segments, root };
}

/** Puts the segment that just became full below `seg/`; its directory keeps its object. */
function fileSegment(crypto: Crypto, layout: Layout, objects: GitObject[]): Layout {
  const segment = segmentOf(layout.size) - 1;
  let { fan, fullFans } = layout;
  if (segment % SEGMENTS_PER_FAN === 0 && fan !== undefined) {
    fullFans = concat([fullFans, fanEntry(fan.oid, segment - 1)]);
    fan = undefined;
  }
  fan = grow(crypto, fan, [{ mode: '40000', name: segmentName(segment), oid: layout.hot!.oid }], objects);
  const segments = gitObject(crypto, 'tree', concat([fullFans, fanEntry(fan.oid, segment)]));
  objects.push(segments);
  return { size: layout.size, hot: undefined, fan, fullFans, segments: segments.oid, root: layout.root };
}

function topEntries(layout: Layout, files: Readonly<Record<string, Oid>>): TreeEntry[] {
  const entries: TreeEntry[] = Object.entries(files).map(([name, oid]) => ({ mode: '100644', name, oid }));
  const directory = (name: string, oid: Oid | undefined): void => {
    if (oid !== undefined) entries.push({ mode: '40000', name, oid });
  };
  directory(hotDirectory(segmentOf(layout.size)), layout.hot?.oid);
  directory(FILES.segments, layout.segments);
  return entries;
}

/** New entries always sort after the old ones, so a directory grows at its end and stores as a small difference. */
function grow(
  crypto: Crypto,
  from: Directory | undefined,
  entries: readonly TreeEntry[],
  objects: GitObject[],
): Directory {
  const tree = takeRoom(from);
  for (const entry of entries) tree.append(entry);
  const grown = gitObject(crypto, 'tree', tree.bytes(), from);
  rooms.set(grown.body, tree);
  objects.push(grown);
  return grown;
}

/** Where a directory's body can grow in place: a copy of up to 11 KB per commit would be 3 % of a verification. */
const rooms = new WeakMap<Uint8Array, TreeBody>();

/** Taken once: of two transactions on one tip, the second grows a copy of its own. */
function takeRoom(directory: Directory | undefined): TreeBody {
  if (directory === undefined) return new TreeBody();
  const room = rooms.get(directory.body);
  rooms.delete(directory.body);
  return room ?? new TreeBody(directory.body);
}

function fanEntry(fan: Oid, segment: number): Uint8Array {
  return encodeTree([{ mode: '40000', name: fanName(segment), oid: fan }]);
}
