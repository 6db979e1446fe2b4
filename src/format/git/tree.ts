// Git trees: the two modes a ledger uses, in Git's order, strict both ways. Knows nothing of what lies at a path.
import { Failure } from '../../failure.ts';
import { fromUtf8, hex, roomFor, utf8, writeAscii } from '../bytes.ts';
import { OID_BYTES, writeOid, type Oid } from './object.ts';

type TreeMode = '100644' | '40000';
export type TreeEntry = { readonly mode: TreeMode; readonly name: string; readonly oid: Oid };

/** The body of a tree with these entries, sorted by Git's rule. Refuses names that `git fsck --strict` refuses. */
export function encodeTree(entries: readonly TreeEntry[]): Uint8Array {
  const names = new Set<string>();
  let length = 0;
  let isSorted = true;
  let last: TreeEntry | undefined;
  for (const entry of entries) {
    names.add(entry.name);
    length += entry.mode.length + entry.name.length + 2 + OID_BYTES;
    isSorted &&= last === undefined || compareEntries(last, entry) < 0;
    last = entry;
  }
  if (names.size !== entries.length) throw corrupt('duplicate_name');
  const tree = new TreeBody(undefined, length);
  for (const entry of isSorted ? entries : entries.toSorted(compareEntries)) tree.append(entry);
  return tree.bytes();
}

/** Reads a tree strictly: only what encodeTree would have written. */
export function parseTree(body: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const names = new Set<string>();
  for (let at = 0; at < body.length;) {
    const nul = body.indexOf(0, at);
    const end = nul + 1 + OID_BYTES;
    if (nul < 0 || end > body.length) throw corrupt('truncated_entry');
    const entry = parseEntry(body.subarray(at, nul), hex(body.subarray(nul + 1, end)));
    const last = entries.at(-1);
    if (last !== undefined && compareEntries(last, entry) >= 0) throw corrupt('order');
    // A file `a` and a directory `a` need not be neighbours (`a`, `a.b`, `a/`): a checkout would lose one of them.
    if (names.has(entry.name)) throw corrupt('duplicate_name');
    names.add(entry.name);
    entries.push(entry);
    at = end;
  }
  return entries;
}

/**
 * A tree that only grows at its end. `bytes()` is a view and stays valid after further appends, because bytes
 * once written never change: rebuilding a hot directory commit by commit costs one entry per event, not 256.
 */
export class TreeBody {
  #bytes: Uint8Array;
  #length: number;
  #last: TreeEntry | undefined;

  /** `roomBytes` is what to expect; a body may turn out larger. */
  constructor(start: Uint8Array = new Uint8Array(0), roomBytes = Math.max(1024, 2 * start.length)) {
    this.#bytes = roomFor(roomBytes);
    this.#bytes.set(start);
    this.#length = start.length;
    this.#last = start.length === 0 ? undefined : parseTree(start).at(-1);
  }

  /** Adds an entry that sorts after all others; refuses any other. */
  append(entry: TreeEntry): void {
    if (!isUsableName(entry.name)) throw corrupt('name');
    if (this.#last !== undefined && compareEntries(this.#last, entry) >= 0) throw corrupt('order');
    const text = `${entry.mode} ${entry.name}\0`;
    let end = this.#length + text.length + OID_BYTES;
    if (end > this.#bytes.length) this.#grow(end);
    if (!writeAscii(text, this.#bytes, this.#length)) {
      const head = utf8(text);
      end = this.#length + head.length + OID_BYTES;
      if (end > this.#bytes.length) this.#grow(end);
      this.#bytes.set(head, this.#length);
    }
    // Behind the length that counts: what a refused name left there is overwritten by the next entry.
    if (!writeOid(entry.oid, this.#bytes, end - OID_BYTES)) throw corrupt('oid');
    this.#length = end;
    this.#last = entry;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(2 * needed);
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function parseEntry(head: Uint8Array, oid: Oid): TreeEntry {
  const space = head.indexOf(32);
  if (space < 0) throw corrupt('mode');
  const mode = asciiOf(head.subarray(0, space));
  if (mode !== '100644' && mode !== '40000') throw corrupt('mode');
  const name = nameOf(head.subarray(space + 1));
  if (!isUsableName(name)) throw corrupt('name');
  return { mode, name, oid };
}

function asciiOf(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, '100644'.length + 1));
}

function nameOf(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch (cause) {
    throw new Failure('object_corrupt', { object: 'tree', wrong: 'name_not_utf8' }, { cause });
  }
}

// `.git` in any case would let a checkout on a case-insensitive disk write into the repository itself. The disks of
// macOS also ignore zero-width characters and Windows knows it as `git~1`; a ledger needs none of these names.
const UNUSABLE_NAME =
  /^(?:\.{0,2}|\.git|git~[0-9]+)[. ]*$|[/\\\0:]|\p{Surrogate}|[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/iu;

/** Nearly every name a ledger has, and none that could be meant above: told apart at a fifth of the price. */
const PLAIN_NAME = /^[0-9a-z_-][0-9a-z._-]*$/;

function isUsableName(name: string): boolean {
  return PLAIN_NAME.test(name) || !UNUSABLE_NAME.test(name);
}

/** Git sorts by bytes, a directory as if its name ended in `/`. */
function compareEntries(a: TreeEntry, b: TreeEntry): number {
  const shorter = Math.min(a.name.length, b.name.length);
  let i = 0;
  while (i < shorter && a.name.charCodeAt(i) === b.name.charCodeAt(i)) i++;
  return orderAt(a, i) - orderAt(b, i);
}

function orderAt({ mode, name }: TreeEntry, i: number): number {
  if (i < name.length) return byteOrder(name.charCodeAt(i));
  return i === name.length && mode === '40000' ? SLASH : END;
}

const SLASH = 47;
/** Sorts before every byte. */
const END = -1;

/** UTF-16 puts surrogate pairs before U+E000, UTF-8 after U+FFFF: shift both so that the order is that of bytes. */
function byteOrder(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  return unit >= 0xd800 ? unit + 0x2000 : unit;
}

function corrupt(wrong: string): Failure {
  return new Failure('object_corrupt', { object: 'tree', wrong });
}
