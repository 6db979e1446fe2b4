// What a work branch may change, out of the verified ledgers: the paths of the plan in force, and the sacred scopes.
import { Failure } from '../../failure.ts';
import { sacredWith } from '../../kernel/scope/sacred.ts';
import type { MissionState } from '../../kernel/state.ts';
import { planDocumentOf } from '../mission/documents.ts';
import { rulesAt } from '../mission/rules.ts';
import type { MissionWorld } from '../mission/world.ts';
import type { WorkScope } from './kept.ts';

export async function findScope(world: MissionWorld, ref: string, state: MissionState): Promise<WorkScope> {
  const plan = state.course?.plan ?? null;
  if (plan === null) throw new Failure('plan_missing');
  const { proposal, agent } = await planDocumentOf({ world, ref }, state);
  // A branch outlives its mission, and the policy may have changed since.
  const { sacred } = await rulesAt(world, plan.base_commit);
  return {
    base: plan.base_commit,
    filesOwned: proposal.paths,
    allowances: proposal.allowances,
    sacred: [...sacredWith(sacred, agent.configured_by)],
  };
}
