// The real difference between base and work, as the scope's rule reads it: every path with its modes, and of a
// package.json whether the code it brings in is another.
import { fromUtf8 } from '../../format/bytes.ts';
import { compareDependencies } from '../../kernel/scope/dependencies.ts';
import type { Change } from '../../kernel/scope/ownership.ts';
import type { Work } from '../../ports/cells.ts';
import type { TreeChange, WorkRepositories } from '../../ports/work.ts';

const MANIFEST = /(^|\/)package\.json$/;
const ABSENT = '000000';

export async function judgeWork(
  repositories: WorkRepositories,
  work: Pick<Work, 'repository' | 'base' | 'tree'>,
): Promise<readonly Change[]> {
  const changes = await repositories.readDiff(work.repository, work.base, work.tree);
  return Promise.all(
    changes.map(async (change): Promise<Change> => {
      const { path, oldMode, newMode, oldOid, newOid } = change;
      const plain = { path, oldMode, newMode, oldOid, newOid };
      return MANIFEST.test(path) ? { ...plain, dependencies: await dependenciesOf(repositories, work, change) } : plain;
    }),
  );
}

async function dependenciesOf(
  repositories: WorkRepositories,
  { repository }: Pick<Work, 'repository'>,
  { oldMode, newMode, oldOid, newOid }: TreeChange,
): Promise<'same' | 'changed'> {
  const text = async (mode: string, oid: string): Promise<string | undefined> =>
    mode === ABSENT ? undefined : fromUtf8(await repositories.blob(repository, oid));
  try {
    return compareDependencies(await text(oldMode, oldOid), await text(newMode, newOid));
  } catch {
    return 'changed';
  }
}
