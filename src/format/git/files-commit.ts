// A commit of ours that holds a few files: what is laid beside ledgers, and the built action. Knows nothing of what is in
// them; nobody's name stands on it, for who said what is signed inside.
import type { Crypto } from '../crypto.ts';
import { encodeCommit } from './commit.ts';
import { gitObject, type GitObject, type Oid } from './object.ts';
import { encodeTree, type TreeEntry } from './tree.ts';

/** A path has folders in it, if any, as Git writes them. */
export type CommittedFile = readonly [path: string, content: Uint8Array];

type About = {
  /** Of the address that stands on it. */
  readonly by: string;
  readonly message: string;
  readonly atSeconds: number;
  readonly parents?: readonly Oid[];
};

export function filesCommit(
  crypto: Crypto,
  files: readonly CommittedFile[],
  { by, message, atSeconds, parents = [] }: About,
): { readonly objects: readonly GitObject[]; readonly commit: Oid } {
  const objects: GitObject[] = [];
  const add = (type: GitObject['type'], body: Uint8Array): Oid => {
    const object = gitObject(crypto, type, body);
    objects.push(object);
    return object.oid;
  };
  const treeOf = (within: readonly CommittedFile[]): Oid => {
    const entries: TreeEntry[] = [];
    const folders = new Map<string, CommittedFile[]>();
    for (const [path, content] of within) {
      const slash = path.indexOf('/');
      if (slash < 0) {
        entries.push({ mode: '100644', name: path, oid: add('blob', content) });
        continue;
      }
      const name = path.slice(0, slash);
      const inside = folders.get(name) ?? [];
      folders.set(name, inside);
      inside.push([path.slice(slash + 1), content]);
    }
    for (const [name, inside] of folders) entries.push({ mode: '40000', name, oid: treeOf(inside) });
    return add('tree', encodeTree(entries));
  };
  const tree = treeOf(files);
  const author = { name: 'lazarus', email: `${by}@lazarus.invalid`, atSeconds };
  return { commit: add('commit', encodeCommit({ tree, parents, author, message })), objects };
}
