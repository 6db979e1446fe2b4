// The Git objects that make a shelf: a folder for each first byte of a digest, and a commit without parent. The same
// artifacts always make the same commit.
import type { Crypto } from '../../format/crypto.ts';
import { encodeCommit } from '../../format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../../format/git/object.ts';
import { encodeTree } from '../../format/git/tree.ts';

const FAN_DIGITS = 2;
// Nobody's name and no time: who added what and when is in the ledger, signed; here it could never be erased.
const NOBODY = { name: 'lazarus', email: 'artifacts@lazarus.invalid', atSeconds: 0 };

/** The folder of a digest. */
export function fanOf(digest: string): string {
  return digest.slice(0, FAN_DIGITS);
}

/** `before`: what a remote that has it needs to be sent no more of than the difference to. */
export function fanTree(crypto: Crypto, blobs: ReadonlyMap<string, Oid>, before?: GitObject): GitObject {
  return gitObject(
    crypto,
    'tree',
    encodeTree([...blobs].map(([name, oid]) => ({ mode: '100644', name, oid }))),
    before,
  );
}

export function rootTree(crypto: Crypto, fans: ReadonlyMap<string, GitObject>, before?: GitObject): GitObject {
  const folders = [...fans].map(([name, { oid }]) => ({ mode: '40000', name, oid }) as const);
  return gitObject(crypto, 'tree', encodeTree(folders), before);
}

export function shelfCommit(crypto: Crypto, root: GitObject): GitObject {
  const body = encodeCommit({ tree: root.oid, parents: [], author: NOBODY, message: 'artifacts\n' });
  return gitObject(crypto, 'commit', body);
}
