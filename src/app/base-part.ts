// For a job that looks at two files of a branch and then ends: of branches that people work on only the newest commit is
// brought, and of its files those that are asked for by name. Ledgers come whole, and what is absent from them stays so.
import { Failure } from '../failure.ts';
import type { Oid } from '../format/git/object.ts';
import { FETCHED_REFS, fetchedRef, LEDGER_REFS } from '../ledger/names.ts';
import type { Remote } from '../ports/remote.ts';
import type { Repository } from '../ports/repository.ts';
import { entryAt } from './tree-entry.ts';

/** Where a branch says what missions may do: whoever brings one to plan on asks for this file. */
export const POLICY_FILE = '.gitea/lazarus/policy.yml';

export type BaseParts = {
  /** Brings a part of every branch that is no ledger. */
  readonly remote: Remote;
  /** Makes a file of such a branch readable, where there is one. */
  readonly bringFile: (commit: Oid, path: string) => Promise<void>;
  /** Makes readable what stands at a path of such a branch, and not what is in it: a film is asked for by its name alone. */
  readonly bringEntry: (commit: Oid, path: string) => Promise<void>;
};

/**
 * A folder, what lies in it, and what lies in folders of it: the way to `.gitea/lazarus/policy.yml` in one go. Of any other
 * folder nothing but itself: it may be the one where a team keeps its films.
 */
const RULES_DEEP = 3;
const OWN_REFS = [LEDGER_REFS, 'refs/lazarus/'];

/** `first`: the file that whoever brings a branch will ask for. */
export function withBaseParts(repository: Repository, remote: Remote, first: string): BaseParts {
  /** With what is on its way already, whose failure is told to whoever asks for the file. */
  const bases = new Map<Oid, Promise<unknown>>();

  async function bringBase(ref: string, known?: ReadonlyMap<string, Oid>): Promise<void> {
    await remote.fetchPart({ wants: [ref], commitsMax: 1, treeDepth: 1 }, FETCHED_REFS, known);
    const head = await repository.resolve(fetchedRef(ref));
    if (head !== undefined)
      bases.set(
        head,
        bringFile(head, first).catch(() => undefined),
      );
  }

  const bringFile = (commit: Oid, path: string): Promise<void> =>
    bringAll(path, () => absentOnTheWay(repository, commit, path));
  const bringEntry = (commit: Oid, path: string): Promise<void> =>
    bringAll(path, () => absentBefore(repository, commit, path));

  async function bringAll(path: string, look: () => Promise<Absent | undefined>): Promise<void> {
    const asked = new Set<Oid>();
    for (;;) {
      const absent = await look();
      if (absent === undefined) return;
      const isOfRules = absent.is === 'folder' && topOf(path) === topOf(first);
      await bring(absent.oid, isOfRules ? RULES_DEEP : 0, asked);
    }
  }

  async function ofBase(commit: Oid, path: string, bring: () => Promise<void>): Promise<void> {
    if (!bases.has(commit)) return;
    // What lies beside the first file comes along with it.
    if (topOf(path) === topOf(first)) await bases.get(commit);
    await bring();
  }

  /** Every name once: what a server has left out is missing. */
  async function bring(oid: Oid, treeDepth: number, asked: Set<Oid>): Promise<void> {
    if (asked.has(oid)) throw new Failure('object_missing', { oid });
    asked.add(oid);
    await remote.fetchPart({ wants: [oid], treeDepth }, FETCHED_REFS);
  }

  return {
    remote: {
      ...remote,
      fetch: async (refs, into, known) => {
        const isOwn = (ref: string): boolean => OWN_REFS.some((own) => ref.startsWith(own));
        const own = refs.filter(isOwn);
        await Promise.all([
          remote.fetch(own, into, known),
          ...refs.filter((ref) => !isOwn(ref)).map((ref) => bringBase(ref, known)),
        ]);
      },
    },
    bringFile: (commit, path) => ofBase(commit, path, () => bringFile(commit, path)),
    bringEntry: (commit, path) => ofBase(commit, path, () => bringEntry(commit, path)),
  };
}

type Absent = { readonly is: 'file' | 'folder'; readonly oid: Oid };

async function absentOnTheWay(repository: Repository, commit: Oid, path: string): Promise<Absent | undefined> {
  try {
    for await (const file of repository.files(commit, path))
      if (file.path === path && (await repository.sizes([file.oid]))[0] === undefined)
        return { is: 'file', oid: file.oid };
    return undefined;
  } catch (error) {
    return folderOf(error);
  }
}

async function absentBefore(repository: Repository, commit: Oid, path: string): Promise<Absent | undefined> {
  try {
    await entryAt(repository, commit, path);
    return undefined;
  } catch (error) {
    return folderOf(error);
  }
}

function folderOf(error: unknown): Absent {
  if (!(error instanceof Failure && error.code === 'object_missing')) throw error;
  return { is: 'folder', oid: String(error.facts['oid']) };
}

function topOf(path: string): string {
  return path.split('/', 1)[0] ?? '';
}
