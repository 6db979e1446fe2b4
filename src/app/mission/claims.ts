// The mission in its project's registry: paths that are its alone from the approval to its end.
import { within, type Drafts } from '../../kernel/decide/about.ts';
import type { ProjectState } from '../../kernel/state.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';

export type InProject = (state: ProjectState) => Verdict<Drafts>;

/** Whether it collides with another mission's claims is for the project ledger's rule to say. */
export function register(
  mission: string,
  project: string,
  what: { readonly genesis: string; readonly paths: readonly string[] },
): InProject {
  return (state) =>
    accept(
      (state.missions[mission]?.claims.length ?? 0) === 0
        ? [
            within('mission.registered', mission, project, {
              claims: [...what.paths],
              genesis: what.genesis,
              mission_id: mission,
            }),
          ]
        : [],
    );
}

export function releaseClaims(mission: string, project: string): InProject {
  return (state) =>
    accept(
      (state.missions[mission]?.claims.length ?? 0) > 0
        ? [within('claims.released', mission, project, { mission_id: mission })]
        : [],
    );
}
