// What a work branch may change, out of the verified ledgers: the paths of the plan in force, and the sacred scopes.
import { Failure } from '../../failure.ts';
import { sacredWith } from '../../kernel/scope/sacred.ts';
import type { MissionState } from '../../kernel/state.ts';
import { planDocumentOf } from '../mission/documents.ts';
import { rulesAt, type Rules } from '../mission/rules.ts';
import { baseCommit } from '../mission/target.ts';
import type { MissionWorld } from '../mission/world.ts';
import type { WorkScope } from './kept.ts';

export async function findScope(world: MissionWorld, ref: string, state: MissionState): Promise<WorkScope> {
  const plan = state.course?.plan ?? null;
  if (plan === null) throw new Failure('plan_missing');
  const { proposal, agent } = await planDocumentOf({ world, ref }, state);
  const { sacred } = await rulesInForce(world, plan.base_commit, proposal.base);
  return {
    base: plan.base_commit,
    filesOwned: proposal.paths,
    allowances: proposal.allowances,
    sacred: [...sacredWith(sacred, agent.configured_by)],
  };
}

/** A branch outlives its mission, and the policy may have changed since: then the rules are those of its base branch now. */
async function rulesInForce(world: MissionWorld, base: string, branch: string): Promise<Rules> {
  try {
    return await rulesAt(world, base);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'policy_drifted') throw error;
    return rulesAt(world, await baseCommit(world.bench, branch));
  }
}
