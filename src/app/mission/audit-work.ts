// Judges work against what its mission owns, on the real difference from base to commit. Asked twice: by the runner when it
// takes the work out of a cell, and by the writer before it leaves, who does not take the runner's word for it.
import { courseOf } from '../../kernel/course/steps.ts';
import { Failure } from '../../failure.ts';
import { fromUtf8 } from '../../format/bytes.ts';
import type { Oid } from '../../format/git/object.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import { auditOwnership, type OwnershipAudit } from '../../kernel/scope/audit.ts';
import { sacredWith } from '../../kernel/scope/sacred.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Work } from '../../ports/cells.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import type { Workbench } from '../workbench.ts';
import { judgeWork } from './judge-work.ts';
import { rulesOf, type Rules } from './rules.ts';
import { bringIncoming } from './target.ts';
import type { Acting } from './world.ts';

type Where = Pick<Work, 'repository' | 'commit' | 'tree' | 'base'>;

export async function auditWork(
  bench: Workbench,
  repositories: WorkRepositories,
  work: Where,
  { proposal, agent, sacred }: Pick<PlanDocument, 'proposal' | 'agent'> & Pick<Rules, 'sacred'>,
): Promise<OwnershipAudit> {
  return auditOwnership({ base: work.base, head: work.commit }, await judgeWork(repositories, work), {
    filesOwned: proposal.paths,
    sacred: sacredWith(sacred, agent.configured_by),
    allowances: proposal.allowances,
    basePaths: await pathsOf(bench, work.base),
  });
}

/** The work as it was handed over, judged again by whoever is about to let it out. */
export async function auditIncoming(
  { world }: Acting,
  { proposal, agent }: PlanDocument,
  state: MissionState,
): Promise<OwnershipAudit> {
  const { bench, work } = world;
  const { id, work: handed } = courseOf(state)!.attempt!;
  const { commit, tree, base_commit: base } = handed!;
  await bringIncoming(bench, id, commit);
  await assertCommit(bench, { commit, tree, base });
  const { sacred } = await rulesOf(world, state.course!.plan!);
  return auditWork(
    bench,
    work.repositories,
    { repository: work.source, commit, tree, base },
    { proposal, agent, sacred },
  );
}

/** One commit on the approved base with exactly the tree that was checked: no history may ride along. */
async function assertCommit({ parts }: Workbench, { commit, tree, base }: Omit<Where, 'repository'>): Promise<void> {
  for await (const { type, body } of parts.repository.read([commit])) {
    if (type === 'commit' && fromUtf8(body).startsWith(`tree ${tree}\nparent ${base}\nauthor `)) return;
  }
  throw new Failure('work_refused', { commit, base, why: 'is not one commit on the approved base' });
}

async function pathsOf({ parts }: Workbench, commit: Oid): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of parts.repository.files(commit)) paths.push(path);
  return paths;
}
