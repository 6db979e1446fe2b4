// What git sees in trees and commits of anybody's making: other modes than a ledger has, messages in any encoding. Reads no
// more of them than the way to their files and parents, and judges nothing; a ledger's own are read strictly elsewhere.
import { Failure } from '../../failure.ts';
import { fromUtf8, hex } from '../bytes.ts';
import { OID_BYTES, type GitObject, type Oid } from './object.ts';

export type Entry = {
  readonly is: 'file' | 'folder' | 'submodule';
  readonly name: string;
  readonly oid: Oid;
  /** As a number, as git reads it. */
  readonly mode: number;
};

export function* entriesOf({ oid, type, body }: GitObject): Generator<Entry, void, undefined> {
  if (type !== 'tree') throw new Failure('object_corrupt', { oid, type });
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(SPACE, at);
    const nul = body.indexOf(0, at);
    const end = nul + 1 + OID_BYTES;
    if (space < 0 || nul < space || end > body.length) throw new Failure('object_corrupt', { oid, wrong: 'entry' });
    // A number to git, which also reads the zeros that some programs put before it.
    const mode = Number.parseInt(latin1(body, at, space), 8);
    const is = mode === 0o40000 ? 'folder' : mode === 0o160000 ? 'submodule' : 'file';
    yield { is, name: nameOf(body.subarray(space + 1, nul)), oid: hex(body.subarray(nul + 1, end)), mode };
    at = end;
  }
}

export function treeOf({ oid, body }: GitObject): Oid {
  const found = /^tree ([0-9a-f]{40})\n/.exec(latin1(body, 0, TREE_LINE_BYTES))?.[1];
  if (found === undefined) throw new Failure('object_corrupt', { oid, wrong: 'tree' });
  return found;
}

/**
 * Those directly behind the tree, as git reads them. Of a commit that git itself cannot read (a carriage return in a header,
 * a signature in front, a tree of another length) every parent that its headers name: whoever pushed it must not be able to
 * hide the ledger behind it.
 */
export function parentsOf({ type, body }: GitObject): Oid[] {
  if (type !== 'commit') return [];
  const parents: Oid[] = [];
  let at = TREE_LINE_BYTES;
  if (/^tree [0-9a-f]{40}\n$/.test(latin1(body, 0, TREE_LINE_BYTES)))
    for (; ; at += PARENT_LINE_BYTES) {
      const line = latin1(body, at, at + PARENT_LINE_BYTES);
      const found = /^parent ([0-9a-f]{40})\n$/.exec(line)?.[1];
      if (found !== undefined) parents.push(found);
      else if (line.startsWith('parent ')) break;
      else return parents;
    }
  return namedParents(body);
}

function namedParents(body: Uint8Array): Oid[] {
  const header = decoder.decode(body.subarray(0, HEADER_BYTES_MAX)).split(/\r?\n\r?\n/, 1)[0] ?? '';
  return [...header.matchAll(/^parent ([0-9a-f]{40})\r?$/gm)].map((match) => match[1]!);
}

/** Each character is a byte. */
const decoder = new TextDecoder('latin1');
/** No more than this of a broken commit is looked at. */
const HEADER_BYTES_MAX = 64 * 1024;
const SPACE = 32;
const TREE_LINE_BYTES = 'tree \n'.length + 2 * OID_BYTES;
const PARENT_LINE_BYTES = 'parent \n'.length + 2 * OID_BYTES;

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, Math.min(to, from + PARENT_LINE_BYTES)));
}

function nameOf(bytes: Uint8Array): string {
  try {
    return fromUtf8(bytes);
  } catch (cause) {
    throw new Failure('object_corrupt', { object: 'tree', wrong: 'name_not_utf8' }, { cause });
  }
}
