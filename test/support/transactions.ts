// Commits shaped like a ledger's (one small file added to a growing folder), unsigned: for tests of storage and transport.
import { utf8 } from '../../src/format/bytes.ts';
import { encodeCommit } from '../../src/format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../../src/format/git/object.ts';
import { encodeTree, type TreeEntry } from '../../src/format/git/tree.ts';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';

export type Step = {
  readonly oid: Oid;
  readonly objects: readonly GitObject[];
  readonly entries: readonly TreeEntry[];
  readonly tree: GitObject;
};

/** The next transaction on `parent`; `text` makes it different from every other one. */
export function nextStep(parent: Step | undefined, text: string): Step {
  const blob = gitObject(nodeCrypto, 'blob', utf8(`${text}\n`));
  const name = `${String(parent?.entries.length ?? 0).padStart(9, '0')}.json`;
  const entries = [...(parent?.entries ?? []), { mode: '100644', name, oid: blob.oid } as const];
  const base = parent === undefined ? undefined : { oid: parent.tree.oid, body: parent.tree.body };
  const tree = gitObject(nodeCrypto, 'tree', encodeTree(entries), base);
  const body = encodeCommit({
    tree: tree.oid,
    parents: parent === undefined ? [] : [parent.oid],
    author: { name: 'ana', email: 'ana@lazarus.invalid', atSeconds: 1_800_000_000 + entries.length },
    message: `ledger: ${text}\n`,
  });
  const commit = gitObject(nodeCrypto, 'commit', body);
  return { oid: commit.oid, objects: [blob, tree, commit], entries, tree };
}

/** `count` transactions one after the other, oldest first. */
export function steps(count: number, text: string, parent?: Step): Step[] {
  const made: Step[] = [];
  for (let i = 0; i < count; i++) made.push(nextStep(made.at(-1) ?? parent, `${text} ${i}`));
  return made;
}
