// Small Git objects for tests, the same on every run, so that two processes can name them without talking.
import { createHash } from 'node:crypto';
import { utf8 } from '../../src/format/bytes.ts';
import type { Crypto } from '../../src/format/crypto.ts';
import { encodeCommit } from '../../src/format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../../src/format/git/object.ts';
import { encodeTree, TreeBody } from '../../src/format/git/tree.ts';

/** Hashes only: what naming Git objects needs. */
export const hashes: Crypto = {
  hash: (name, bytes) => createHash(name).update(bytes).digest(),
  hashHex: (name, bytes) => createHash(name).update(bytes).digest('hex'),
  verifyEd25519: () => false,
};

export function blob(text: string): GitObject {
  return gitObject(hashes, 'blob', utf8(text));
}

export function commitOf(tree: Oid, parents: readonly Oid[], message: string, signature?: string): GitObject {
  const author = { name: 'test', email: 'test@lazarus.invalid', atSeconds: 1_700_000_000 };
  const fields = { tree, parents, author, message: `${message}\n` };
  return gitObject(hashes, 'commit', encodeCommit(signature === undefined ? fields : { ...fields, signature }));
}

export type Link = { readonly commit: GitObject; readonly file: GitObject; readonly objects: readonly GitObject[] };

/** Commits that each add one file to a growing folder `hot/`, as ledger transactions do, with bases for deltas. */
export function chain(length: number, label = 'chain', parent?: Oid): Link[] {
  const links: Link[] = [];
  const hot = new TreeBody();
  let hotBase: GitObject | undefined;
  let head = parent;
  for (let i = 0; i < length; i++) {
    const file = blob(`{"event":${i},"of":"${label}","filler":"${label.repeat(40)}"}\n`);
    hot.append({ mode: '100644', name: `${String(i).padStart(9, '0')}.json`, oid: file.oid });
    const folder: GitObject = gitObject(hashes, 'tree', hot.bytes(), hotBase);
    const root = gitObject(hashes, 'tree', encodeTree([{ mode: '40000', name: 'hot', oid: folder.oid }]));
    const commit = commitOf(root.oid, head === undefined ? [] : [head], `${label} ${i}`);
    links.push({ commit, file, objects: [file, folder, root, commit] });
    hotBase = folder;
    head = commit.oid;
  }
  return links;
}
