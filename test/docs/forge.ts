// The last transaction of a ledger, altered as an attacker would: everything that hangs on the change is rebuilt, and
// what the attacker has no key for is left as it was.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { utf8 } from '../../src/format/bytes.ts';
import { encodeCommit, parseCommit, type CommitFields } from '../../src/format/git/commit.ts';
import { gitObject, type GitObject, type Oid } from '../../src/format/git/object.ts';
import { encodeTree, parseTree, type TreeEntry } from '../../src/format/git/tree.ts';
import { armor } from '../../src/format/openpgp/armor.ts';
import { rosterDigest } from '../../src/kernel/roster/roster.ts';
import { headOf } from '../../src/ledger/tip.ts';
import { event } from '../support/events.ts';
import { member, roster, testKey, agreed, type TestKey } from '../support/people.ts';
import { ana } from './story.ts';
import { Written } from './written.ts';

export type Forged = { readonly head: Oid; readonly objects: readonly GitObject[] };

/** Nobody's key at hand: the old signature stays on. */
export function alteredEvent(ledger: Written): Forged {
  return withTree(ledger, undefined, (entries, objects) => {
    const hot = entries.find(({ name }) => name.startsWith('hot-'))!;
    const files = treeOf(ledger, hot.oid);
    const last = files.at(-1)!;
    const text = new TextDecoder().decode(bodyOf(ledger, last.oid)).replace('"ana"', '"ann"');
    const blob = keep(objects, gitObject(nodeCrypto, 'blob', utf8(text)));
    const tree = keep(
      objects,
      gitObject(nodeCrypto, 'tree', encodeTree([...files.slice(0, -1), { ...last, oid: blob.oid }])),
    );
    return entries.map((entry) => (entry === hot ? { ...entry, oid: tree.oid } : entry));
  });
}

export function alteredFrontier(ledger: Written): Forged {
  return withTree(ledger, ana, (entries, objects) => {
    const blob = keep(objects, gitObject(nodeCrypto, 'blob', utf8(`${'A'.repeat(43)}=\n`)));
    return entries.map((entry) => (entry.name === 'frontier' ? { ...entry, oid: blob.oid } : entry));
  });
}

export function removedEvent(ledger: Written): Forged {
  return withTree(ledger, ana, (entries) => entries.filter(({ name }) => !name.startsWith('hot-')));
}

/** A key that no roster knows, under its own name. */
export function signedByStranger(ledger: Written): Forged {
  return withTree(ledger, testKey('mallory'), (entries) => entries);
}

/** Roots who would undo a transaction call it foreign. */
export function repairOfValid(): Forged {
  const { ledger, before, halt, repair } = mendable('9b2f3d52-8f1c-4a4e-9a53-6f5f0c1f6c11');
  const foreign = halt();
  ledger.tip = before;
  return { head: repair(foreign, 1), objects: ledger.objects };
}

/** Roots who mended a ledger mend it again from the same head: what was written in between would be gone. */
export function repairOfRepair(): Forged {
  const { ledger, before, halt, repair } = mendable('7d0c9f0e-2d35-4b5e-8f54-0d7d8f5e2c77');
  repair(ledger.litter(before.oid!, 'hi\n').oid, 1);
  const foreign = halt();
  ledger.tip = before;
  return { head: repair(foreign, 3), objects: ledger.objects };
}

/** A project of one root, and what that root can do to it: declare a halt, and repair from its first head. */
function mendable(id: string) {
  const about = { entity_id: id, task_id: id, actor_id: 'ana' };
  const ledger = Written.project();
  ledger.append(ana, [event('project.opened', { roster: roster(id, [member(ana)]) }, about)]);
  const before = ledger.tip;
  const signedUnder = rosterDigest(nodeCrypto, before.state!.roster);
  const halt = (): Oid => ledger.append(ana, [event('halt.declared', {}, about)]).commit.oid;
  const repair = (foreign_tip: Oid, foreign_count: number): Oid => {
    const named = { foreign_count, foreign_tip, ledger_id: id, roster: signedUnder, valid_head: headOf(before) };
    return ledger.append(ana, [event('ledger.repaired', agreed([ana], 'repair', named), about)]).commit.oid;
  };
  return { ledger, before, halt, repair };
}

function withTree(
  ledger: Written,
  signer: TestKey | undefined,
  change: (entries: TreeEntry[], objects: GitObject[]) => TreeEntry[],
): Forged {
  const objects: GitObject[] = [];
  const { signature, ...old } = parseCommit(bodyOf(ledger, ledger.tip.oid!));
  const tree = keep(objects, gitObject(nodeCrypto, 'tree', encodeTree(change(treeOf(ledger, old.tree), objects))));
  const fields = {
    tree: tree.oid,
    parents: old.parents,
    author: signer === undefined ? old.author : authorOf(signer, old.author.atSeconds),
    message: old.message,
  };
  const signed =
    signer !== undefined ? armor('SIGNATURE', signer.signNow(encodeCommit(fields), old.author.atSeconds)) : signature;
  const commit = keep(objects, gitObject(nodeCrypto, 'commit', encodeCommit({ ...fields, signature: signed })));
  return { head: commit.oid, objects };
}

function authorOf(key: TestKey, atSeconds: number): CommitFields['author'] {
  return { name: key.principalId, email: `${key.fingerprint}@lazarus.invalid`, atSeconds };
}

function keep(objects: GitObject[], object: GitObject): GitObject {
  objects.push(object);
  return object;
}

function treeOf(ledger: Written, oid: Oid): TreeEntry[] {
  return parseTree(bodyOf(ledger, oid));
}

function bodyOf(ledger: Written, oid: Oid): Uint8Array {
  return ledger.objects.find((object) => object.oid === oid)!.body;
}
