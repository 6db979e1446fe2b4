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
export function alteredEvent(ledger: Written): Promise<Forged> {
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

export function alteredFrontier(ledger: Written): Promise<Forged> {
  return withTree(ledger, ana, (entries, objects) => {
    const blob = keep(objects, gitObject(nodeCrypto, 'blob', utf8(`${'A'.repeat(43)}=\n`)));
    return entries.map((entry) => (entry.name === 'frontier' ? { ...entry, oid: blob.oid } : entry));
  });
}

export function removedEvent(ledger: Written): Promise<Forged> {
  return withTree(ledger, ana, (entries) => entries.filter(({ name }) => !name.startsWith('hot-')));
}

/** A key that no roster knows, under its own name. */
export function signedByStranger(ledger: Written): Promise<Forged> {
  return withTree(ledger, testKey('mallory'), (entries) => entries);
}

/** Roots who would undo a transaction call it foreign. */
export async function repairOfValid(): Promise<Forged> {
  const id = '9b2f3d52-8f1c-4a4e-9a53-6f5f0c1f6c11';
  const about = { entity_id: id, task_id: id, actor_id: 'ana' };
  const ledger = Written.project();
  await ledger.append(ana, [event('project.opened', { roster: roster(id, [member(ana)]) }, about)]);
  const before = ledger.tip;
  const { commit } = await ledger.append(ana, [event('halt.declared', {}, about)]);
  ledger.tip = before;
  const repair = {
    foreign_count: 1,
    foreign_tip: commit.oid,
    ledger_id: id,
    roster: rosterDigest(nodeCrypto, before.state!.roster),
    valid_head: headOf(before),
  };
  const repaired = await ledger.append(ana, [event('ledger.repaired', agreed([ana], 'repair', repair), about)]);
  return { head: repaired.commit.oid, objects: ledger.objects };
}

/** Roots who mended a ledger mend it again from the same head: what was written in between would be gone. */
export async function repairOfRepair(): Promise<Forged> {
  const id = '7d0c9f0e-2d35-4b5e-8f54-0d7d8f5e2c77';
  const about = { entity_id: id, task_id: id, actor_id: 'ana' };
  const ledger = Written.project();
  await ledger.append(ana, [event('project.opened', { roster: roster(id, [member(ana)]) }, about)]);
  const before = ledger.tip;
  const tree = before.layout.root!.oid;
  const author = { name: 'stranger', email: 'stranger@example.invalid', atSeconds: 1_795_000_900 };
  const garbage = gitObject(
    nodeCrypto,
    'commit',
    encodeCommit({ tree, parents: [before.oid!], author, message: 'hi\n' }),
  );
  ledger.strangers.push(garbage);
  const repair = async (foreign_tip: Oid, foreign_count: number) => {
    const named = { foreign_count, foreign_tip, ledger_id: id, roster: rosterDigest(nodeCrypto, before.state!.roster) };
    const document = { ...named, valid_head: headOf(before) };
    return ledger.append(ana, [event('ledger.repaired', agreed([ana], 'repair', document), about)]);
  };
  await repair(garbage.oid, 1);
  const { commit } = await ledger.append(ana, [event('halt.declared', {}, about)]);
  ledger.tip = before;
  const again = await repair(commit.oid, 3);
  return { head: again.commit.oid, objects: ledger.objects };
}

async function withTree(
  ledger: Written,
  signer: TestKey | undefined,
  change: (entries: TreeEntry[], objects: GitObject[]) => TreeEntry[],
): Promise<Forged> {
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
    signer !== undefined
      ? armor('SIGNATURE', await signer.sign(encodeCommit(fields), old.author.atSeconds))
      : signature;
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
