// What a mission's plan is no longer, or not yet again, in step with: the plan that people voted on before, and the world
// since it was made. Only what verified ledgers and this repository's own references say.
import { planChanges } from '../../forge-text/plan-changes.ts';
import type { Drift, StatusView } from '../../forge-text/status-view.ts';
import { ballotOf, checkVoter } from '../../kernel/approval/voters.ts';
import type { Course } from '../../kernel/course/course.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { fetchedRef } from '../../ledger/names.ts';
import type { Workbench } from '../workbench.ts';
import type { Documents } from './documents.ts';
import type { Told } from './told.ts';
import { projectState, type MissionWorld } from './world.ts';

/** Of a mission that is over, nobody has to read anything again. */
export function changedSince({ plan, former }: Told, { end }: Course, documents: Documents): StatusView['changed'] {
  if (end !== null || plan === null || former === null) return null;
  const { revision: since, plan_digest: digest } = former.terms;
  const before = { terms: former.terms, document: documents.former };
  return { since, digest, items: planChanges(before, { terms: plan.terms, document: documents.plan }) };
}

export async function driftOf(
  world: MissionWorld,
  course: Course,
  { plan: document }: Documents,
): Promise<StatusView['drift']> {
  const { plan, end } = course;
  if (plan === null || end !== null) return [];
  const project = projectState(world);
  const base = document === undefined ? [] : await baseDrift(world.bench, document.proposal.base, plan.base_commit);
  return [...base, ...policyDrift(plan, project), ...rosterDrift(course, project)];
}

/**
 * A job on a forge has only what it fetched. Whether the planned commit is part of that would be two more questions to git
 * for something that whoever runs the mission asks anyway.
 */
async function baseDrift({ parts }: Workbench, base: string, planned: string): Promise<Drift[]> {
  const { repository, remote } = parts;
  if (base === planned) return [];
  const branch = `refs/heads/${base}`;
  const now = await repository.resolve(remote === undefined ? branch : fetchedRef(branch));
  if (now === undefined || now === planned) return [];
  if (remote !== undefined) return [{ is: 'base', base, planned, now, goesOn: null }];
  const [isHere] = await repository.sizes([planned]);
  const goesOn = isHere !== undefined && (await repository.isAncestor(planned, now));
  return [{ is: 'base', base, planned, now, goesOn }];
}

function policyDrift({ policy: planned }: NonNullable<Course['plan']>, { policy: now }: ProjectState): Drift[] {
  if (now === undefined || now.policy === planned.digest) return [];
  return [{ is: 'policy', planned: planned.revision, now: now.revision }];
}

function rosterDrift(course: Course, { roster }: ProjectState): Drift[] {
  const { roster_n: planned } = course.plan!;
  if (roster.n === planned) return [];
  const ballot = ballotOf({ course, roster });
  const standing = Object.values(course.approvals).flatMap(({ votes }) => votes.map(({ principal }) => principal));
  const lost = [...new Set(standing)].filter((one) => checkVoter(ballot, one).is === 'refused');
  return [{ is: 'roster', planned, now: roster.n, lost }];
}
