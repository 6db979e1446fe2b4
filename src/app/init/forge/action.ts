// The repository of the action: nothing but what a runner executes, as a commit that is the same for everybody who builds
// the same sources. Runners fetch all of it for every job, so that no ledger and no history may lie there.
import type { Crypto } from '../../../format/crypto.ts';
import { filesCommit } from '../../../format/git/files-commit.ts';
import type { GitObject, Oid } from '../../../format/git/object.ts';
import { Failure } from '../../../failure.ts';
import type { RepositoryFacts, RepositoryName } from '../../../ports/forge.ts';
import type { Remote } from '../../../ports/remote.ts';
import type { CommitFile } from '../../../ports/work-tree.ts';
import type { Ensured, Item, Would } from '../items.ts';
import type { ForgeWorld } from './world.ts';

/** Paths without folders: an action is a description and what it runs. */
export type BuiltAction = readonly CommitFile[];

/** Its name where nobody chose another. */
export const ACTION_REPOSITORY = 'lazarus-action';

type ActionCommit = { readonly commit: Oid; readonly objects: readonly GitObject[] };

export function actionCommit(crypto: Crypto, files: BuiltAction): ActionCommit {
  const all = files.map(({ path, content }) => [path, content] as const);
  // No time and no parent: the commit says what is in it and nothing else.
  return filesCommit(crypto, all, { by: 'action', message: 'The built action of lazarus\n', atSeconds: 0 });
}

export function actionItem(world: ForgeWorld, home: RepositoryName, { commit: oid, objects }: ActionCommit): Item {
  const { forge, remoteAt } = world;
  const title = `action in ${home.owner}/${home.name}`;
  // A branch per build: workflows elsewhere may still be pinned to an earlier one.
  const ref = `refs/heads/build-${oid.slice(0, 12)}`;
  const standing = <Is extends 'done' | 'already there'>({ isPrivate }: RepositoryFacts, is: Is) =>
    // The jobs of one repository cannot read another private one.
    isPrivate
      ? {
          is: 'differs' as const,
          says: `${oid} is there, but the repository is private: no job could load it`,
          next: `make ${home.owner}/${home.name} public`,
        }
      : { is, says: oid };
  const isThere = async (remote: Remote): Promise<boolean> => (await remote.heads([ref])).has(ref);
  return {
    name: 'action',
    title,
    async would(): Promise<Would> {
      const known = await forge.repository(home).facts();
      if (known === undefined || !(await withRemote(known, isThere))) return { is: 'would', says: oid };
      return standing(known, 'already there');
    },
    async ensure(): Promise<Ensured> {
      const known = await forge.repository(home).facts();
      const facts = known ?? (await forge.createRepository(home, { isPrivate: false }));
      return withRemote(facts, async (remote) => {
        if (await isThere(remote)) return standing(facts, 'already there');
        const outcome = await remote.push({ objects, updates: [{ ref, old: undefined, next: oid }] });
        if (outcome.is === 'refused') throw new Failure('push_rejected', { ref, why: outcome.why });
        if (outcome.is !== 'landed') throw new Failure('push_unknown', { ref }, { retry: 'later' });
        return standing(facts, 'done');
      });
    },
  };

  async function withRemote<T>(facts: RepositoryFacts, use: (remote: Remote) => Promise<T>): Promise<T> {
    const remote = await remoteAt(facts.cloneUrl);
    try {
      return await use(remote);
    } finally {
      await remote.close();
    }
  }
}
