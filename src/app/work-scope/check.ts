// Whether a work branch keeps to its mission's paths: the difference from the approved base to a commit or tree, judged by
// the rule that judges the work of agents.
import type { Oid } from '../../format/git/object.ts';
import { judgeChanges, type ScopeVerdict } from '../../kernel/scope/ownership.ts';
import type { RepositoryReader } from '../../ports/repository.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { judgeWork } from '../mission/judge-work.ts';
import type { WorkScope } from './kept.ts';

export type Looking = {
  readonly repository: Pick<RepositoryReader, 'files'>;
  readonly work: { readonly repositories: WorkRepositories; readonly source: string };
};

const ABSENT = '000000';

export async function checkWork(
  { repository, work }: Looking,
  { base, ...scope }: WorkScope,
  at: Oid,
): Promise<ScopeVerdict> {
  const changes = await judgeWork(work.repositories, { repository: work.source, base, tree: at });
  const basePaths: string[] = [];
  // Only a new name can be taken for one that is there.
  if (changes.some(({ oldMode }) => oldMode === ABSENT))
    for await (const { path } of repository.files(base)) basePaths.push(path);
  return judgeChanges(changes, { ...scope, basePaths });
}
