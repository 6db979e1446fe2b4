// How often each commit of a ledger was verified, and how far back its history was walked, seen from the ports: by the
// signatures that are checked, and the commits that are asked for.
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { hex } from '../../src/format/bytes.ts';
import { parseCommit } from '../../src/format/git/commit.ts';
import type { GitObject, Oid } from '../../src/format/git/object.ts';
import { dearmor } from '../../src/format/openpgp/armor.ts';
import { parseSignature } from '../../src/format/openpgp/signature.ts';
import { signedDigest } from '../../src/format/openpgp/signature-packet.ts';
import type { Repository } from '../../src/ports/repository.ts';
import { around } from '../app/seats.ts';

export type Verifications = {
  readonly crypto: typeof nodeCrypto;
  readonly wrap: (repository: Repository) => Repository;
  /** How often each of these commits was verified, by its name. */
  readonly of: (repository: Repository, head: Oid) => Promise<ReadonlyMap<Oid, number>>;
  /** Of each walk back through a history since `forget`, how many commits it came by. */
  readonly walks: () => readonly number[];
  /** The trees and files that were asked for since `forget`, as often as they were. */
  readonly trees: () => readonly string[];
  readonly forget: () => void;
};

export function verifications(): Verifications {
  const checked = new Map<string, number>();
  let walks: { commits: number }[] = [];
  let trees: string[] = [];
  return {
    crypto: {
      ...nodeCrypto,
      verifyEd25519: (publicKey, message, signature) => {
        const name = hex(message);
        checked.set(name, (checked.get(name) ?? 0) + 1);
        return nodeCrypto.verifyEd25519(publicKey, message, signature);
      },
    },
    wrap: (repository) =>
      around(repository, {
        files(treeish, prefix) {
          trees.push([treeish, prefix ?? ''].join(' '));
          return repository.files(treeish, prefix);
        },
        async *history(head, until) {
          const walk = { commits: 0 };
          walks.push(walk);
          for await (const commit of repository.history(head, until)) {
            walk.commits += 1;
            yield commit;
          }
        },
      }),
    async of(repository, head) {
      const found = new Map<Oid, number>();
      for await (const commit of repository.history(head)) found.set(commit.oid, checked.get(messageOf(commit)) ?? 0);
      return found;
    },
    walks: () => walks.map(({ commits }) => commits),
    trees: () => trees,
    forget: () => {
      walks = [];
      trees = [];
    },
  };
}

/** What the signature of a commit is about. */
export function messageOf({ body }: GitObject): string {
  const { payload, signature } = parseCommit(body);
  return hex(signedDigest(nodeCrypto, parseSignature(dearmor('SIGNATURE', signature)), payload));
}
