// The mission in its project's registry: paths that are its alone from the approval to its end.
import { pathsOf } from '../../kernel/course/plan.ts';
import { within, type Drafts } from '../../kernel/decide/about.ts';
import type { EventOf } from '../../kernel/event.ts';
import { isToBeGranted, isToRun } from '../../kernel/mission/claims.ts';
import type { Roster } from '../../kernel/roster/roster.ts';
import type { ProjectState } from '../../kernel/state.ts';
import type { TreeHead } from '../../kernel/values.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';
import type { MissionPart } from '../act.ts';

export type InProject = (state: ProjectState) => Verdict<Drafts>;

/**
 * For a change after which the mission may run: then its paths are its own. Whether they collide with another mission's
 * is for the project ledger's rule to say.
 */
export function claimPaths(after: MissionPart): InProject {
  const { course, ledger_id, project_id } = after.mission;
  const plan = course?.plan ?? null;
  if (plan === null || course === undefined || !isToRun(course)) return () => accept([]);
  return register(ledger_id, project_id, { genesis: after.genesis, paths: pathsOf(plan), head: after.head });
}

/**
 * Another mission has a path that it needs. It stands in the registry with no paths until then, so that whoever lets go of
 * some finds who waited for them without looking at every mission there is.
 */
export function waitForPaths({ mission, head, genesis }: MissionPart): InProject {
  const { course, ledger_id: id, project_id: project } = mission;
  if (course === undefined || !isToBeGranted(course)) return () => accept([]);
  return ({ missions }) => {
    const known = missions[id];
    if (known === undefined)
      return accept([within('mission.registered', id, project, { claims: [], genesis, mission_id: id })]);
    return accept(known.claims.length === 0 ? [] : [released(id, project, head, 'revised')]);
  };
}

/** A runner's key alone cannot let go of paths. */
export function mayRelease(principal: string, { members }: Roster): boolean {
  const roles = members.find(({ principal_id }) => principal_id === principal)?.roles ?? [];
  return roles.includes('gate') || roles.includes('writer');
}

function register(
  mission: string,
  project: string,
  what: { readonly genesis: string; readonly paths: readonly string[]; readonly head: TreeHead },
): InProject {
  return (state) => {
    const held = state.missions[mission]?.claims ?? [];
    if (held.length > 0 && held.join('\n') === what.paths.join('\n')) return accept([]);
    return accept([
      // Claimed for an earlier revision, which asked for other paths.
      ...(held.length > 0 ? [released(mission, project, what.head, 'revised')] : []),
      within('mission.registered', mission, project, {
        claims: [...what.paths],
        genesis: what.genesis,
        mission_id: mission,
      }),
    ]);
  };
}

/** A vote was taken back: others may have the paths until it is given again. */
export function releaseClaims({ mission, head }: Pick<MissionPart, 'mission' | 'head'>): InProject {
  const { ledger_id, project_id } = mission;
  return (state) =>
    accept(
      (state.missions[ledger_id]?.claims.length ?? 0) > 0 ? [released(ledger_id, project_id, head, 'withdrawn')] : [],
    );
}

/** The mission has ended, and leaves the registry. */
export function leaveRegistry({ mission, head }: Pick<MissionPart, 'mission' | 'head'>): InProject {
  const { ledger_id, project_id } = mission;
  return (state) =>
    accept(state.missions[ledger_id] === undefined ? [] : [released(ledger_id, project_id, head, 'ended')]);
}

/** The same in the change that ends it, and nothing in any other. */
export function leaveIfOver(after: MissionPart): InProject {
  return (after.mission.course?.end ?? null) === null ? () => accept([]) : leaveRegistry(after);
}

function released(
  mission: string,
  project: string,
  after: TreeHead,
  because: EventOf<'claims.released'>['payload']['because'],
): Drafts[number] {
  return within('claims.released', mission, project, { after, because, mission_id: mission });
}
