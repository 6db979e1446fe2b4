// The mission in its project's registry: paths that are its alone from the approval to its end.
import { within, type Drafts } from '../../kernel/decide/about.ts';
import type { Roster } from '../../kernel/roster/roster.ts';
import type { MissionState, ProjectState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';

export type InProject = (state: ProjectState) => Verdict<Drafts>;

/**
 * For a change after which the mission may run: then its paths are its own. Whether they collide with another mission's
 * is for the project ledger's rule to say.
 */
export function claimPaths(genesis: string, after: MissionState): InProject {
  const plan = after.course?.plan ?? null;
  if (plan === null || !isToRun(after)) return () => accept([]);
  return register(after.ledger_id, after.project_id, { genesis, paths: plan.paths });
}

/** Granted and about to run. */
export function isToRun({ course }: MissionState): boolean {
  return Object.values(course?.grants ?? {}).some(({ action_class }) => action_class === 'execute_command');
}

/** A runner's key alone cannot let go of paths. */
export function mayRelease(principal: string, { members }: Roster): boolean {
  const roles = members.find(({ principal_id }) => principal_id === principal)?.roles ?? [];
  return roles.includes('gate') || roles.includes('writer');
}

function register(
  mission: string,
  project: string,
  what: { readonly genesis: string; readonly paths: readonly string[] },
): InProject {
  return (state) => {
    const held = state.missions[mission]?.claims ?? [];
    if (held.length > 0 && held.join('\n') === what.paths.join('\n')) return accept([]);
    return accept([
      // Claimed for an earlier revision, which asked for other paths.
      ...(held.length > 0 ? [within('claims.released', mission, project, { mission_id: mission })] : []),
      within('mission.registered', mission, project, {
        claims: [...what.paths],
        genesis: what.genesis,
        mission_id: mission,
      }),
    ]);
  };
}

export function releaseClaims(mission: string, project: string): InProject {
  return (state) =>
    accept(
      (state.missions[mission]?.claims.length ?? 0) > 0
        ? [within('claims.released', mission, project, { mission_id: mission })]
        : [],
    );
}
