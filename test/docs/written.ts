// Ledgers for the tests of the documents: written with the rules of the program, stored with nothing but plain git.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeCrypto } from '../../src/adapters/system/node-crypto.ts';
import type { GitObject, ObjectType } from '../../src/format/git/object.ts';
import type { Event } from '../../src/kernel/event.ts';
import { emptyMission, emptyProject, type Tip } from '../../src/ledger/tip.ts';
import { prepareTransaction, type Draft, type Prepared, type Sealed } from '../../src/ledger/transaction.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import { allCaused } from '../support/causes.ts';
import { T0_SECONDS, uuid } from '../support/events.ts';
import type { TestKey } from '../support/people.ts';
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

  async append(key: TestKey, said: readonly Event[], settings: Settings = {}): Promise<Sealed> {
    const events = allCaused(said, this.tip.state);
    const tx = uuid(`tx ${this.tip.size} of ${this.tip.state?.ledger_id ?? events[0]?.entity_id}`);
    const atSeconds = T0_SECONDS + this.tip.size;
    const draft = { tx, events, fingerprint: key.fingerprint, atSeconds, ...settings };
    const prepared = accepted(prepareTransaction(nodeCrypto, this.tip, draft));
    const sealed = prepared.finish(await key.sign(prepared.payload, draft.atSeconds));
    this.transactions.push(sealed);
    this.tip = sealed.tip;
    return sealed;
  }
}

function accepted(verdict: Verdict<Prepared>): Prepared {
  if (verdict.is === 'accepted') return verdict.value;
  throw new Error(`${verdict.code} ${JSON.stringify(verdict.facts)}`);
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
