// Alters one event in the newest commit of a ledger, the way somebody with write access to the repository could: new
// blob, new trees, the old signature. For the quickstart and for teaching; it shows what verification says to it.
import { concat, fromUtf8, utf8 } from '../format/bytes.ts';
import type { Crypto } from '../format/crypto.ts';
import { gitObject, type GitObject, type Oid } from '../format/git/object.ts';
import { encodeTree, parseTree } from '../format/git/tree.ts';
import { Failure } from '../failure.ts';
import type { Repository } from '../ports/repository.ts';

/** Replaces `from` by `to`, of the same length, in the newest event; moves the reference there. */
export async function tamperWithHead(
  crypto: Crypto,
  repository: Repository,
  ref: string,
  [from, to]: readonly [string, string],
): Promise<Oid> {
  const head = await repository.resolve(ref);
  if (head === undefined) throw new Failure('ledger_not_found', { ledger: ref });
  const commit = await readOne(repository, head);
  const text = fromUtf8(commit.body);
  const root = parseTree((await readOne(repository, text.slice('tree '.length, 'tree '.length + 40))).body);
  const hot = root.find((entry) => entry.name.startsWith('hot-'));
  if (hot === undefined) throw new Failure('event_not_found', { ledger: ref });
  const events = parseTree((await readOne(repository, hot.oid)).body);
  const last = events.at(-1)!;
  const altered = gitObject(
    crypto,
    'blob',
    utf8(fromUtf8((await readOne(repository, last.oid)).body).replace(from, to)),
  );
  const directory = gitObject(crypto, 'tree', encodeTree([...events.slice(0, -1), { ...last, oid: altered.oid }]));
  const tree = gitObject(
    crypto,
    'tree',
    encodeTree(root.map((entry) => (entry === hot ? { ...hot, oid: directory.oid } : entry))),
  );
  const forged = gitObject(
    crypto,
    'commit',
    concat([utf8(`tree ${tree.oid}`), commit.body.subarray('tree '.length + 40)]),
  );
  await repository.commit({
    objects: [altered, directory, tree, forged],
    updates: [{ ref, old: head, next: forged.oid }],
  });
  return forged.oid;
}

async function readOne(repository: Repository, oid: Oid): Promise<GitObject> {
  for await (const object of repository.read([oid])) return object;
  throw new Failure('object_missing', { oid });
}
