// Ledgers for the tests of the documents: written with the rules of the program, stored with nothing but plain git.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import { encodeCommit } from '../../src/format/git/commit.ts';
import { gitObject, type GitObject, type ObjectType, type Oid } from '../../src/format/git/object.ts';
import type { Event } from '../../src/kernel/event.ts';
import { emptyMission, emptyProject, type Tip } from '../../src/ledger/tip.ts';
import type { Draft, Sealed } from '../../src/ledger/transaction.ts';
import { T0_SECONDS, uuid } from '../support/events.ts';
import type { TestKey } from '../support/people.ts';
import { sealedOn } from '../support/sealed.ts';
import { git, scratch } from '../support/repos.ts';

type Settings = Partial<Pick<Draft, 'tx' | 'atSeconds' | 'project'>>;

export class Written {
  tip: Tip;
  readonly transactions: Sealed[] = [];
  /** Commits on the branch that no ledger wrote. */
  readonly strangers: GitObject[] = [];

  private constructor(tip: Tip) {
    this.tip = tip;
  }

  static project(): Written {
    return new Written(emptyProject(nodeCrypto));
  }

  static mission(project: Written): Written {
    return new Written(emptyMission(nodeCrypto, project.tip));
  }

  get objects(): GitObject[] {
    return [...this.transactions.flatMap((transaction) => transaction.objects), ...this.strangers];
  }

  append(key: TestKey, said: readonly Event[], settings: Settings = {}): Sealed {
    const { size, state } = this.tip;
    const tx = uuid(`tx ${size} of ${state?.ledger_id ?? said[0]?.entity_id}`);
    const sealed = sealedOn(this.tip, key, said, { tx, atSeconds: T0_SECONDS + size, ...settings });
    this.transactions.push(sealed);
    this.tip = sealed.tip;
    return sealed;
  }

  /** A commit of somebody who knows no ledgers, on top of another one. */
  litter(parent: Oid, message: string): GitObject {
    const author = { name: 'stranger', email: 'stranger@example.invalid', atSeconds: T0_SECONDS + 900 };
    const body = encodeCommit({ tree: this.tip.layout.root!.oid, parents: [parent], author, message });
    const commit = gitObject(nodeCrypto, 'commit', body);
    this.strangers.push(commit);
    return commit;
  }
}

/** Stores objects through `git hash-object`, which names and checks them itself. */
export function store(repository: string, objects: readonly GitObject[]): void {
  const folder = scratch('objects');
  for (const type of ['blob', 'tree', 'commit'] satisfies ObjectType[]) {
    const some = [...new Map(objects.filter((object) => object.type === type).map((o) => [o.oid, o])).values()];
    const paths = some.map(({ oid, body }) => {
      const path = join(folder, oid);
      writeFileSync(path, body);
      return path;
    });
    const args = ['hash-object', '-w', '-t', type, '--no-filters', '--stdin-paths'];
    // One call for all: a process per object would take most of the test's time.
    const named = paths.length === 0 ? '' : git(repository, args, `${paths.join('\n')}\n`);
    if (named !== some.map((object) => object.oid).join('\n')) throw new Error(`git names these ${type}s otherwise`);
  }
}
