// What the use cases of missions share: the ledgers, the artifacts, the verified project; ids that a retry draws again;
// instants. Knows no rule and no surface.
import type { Names } from '../../kernel/decide/about.ts';
import { whatIsDue, type Asking, type Due } from '../../kernel/decide/due.ts';
import type { MissionState, ProjectState } from '../../kernel/state.ts';
import type { Verdict } from '../../kernel/verdict.ts';
import { Failure } from '../../failure.ts';
import { ledgerName, PROJECT_REF } from '../../ledger/names.ts';
import type { ArtifactKit } from '../../ports/artifacts.ts';
import type { Ids } from '../../ports/ids.ts';
import type { Signer } from '../../ports/keys.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import type { ProjectView } from '../adoption.ts';
import { FollowedMissions } from '../followed-mission.ts';
import { MissionDesk } from '../mission-desk.ts';
import type { Workbench } from '../workbench.ts';
import type { Rules } from './rules.ts';

export type MissionWorld = {
  readonly bench: Workbench;
  readonly kit: ArtifactKit;
  readonly project: ProjectView;
  /** Its missions, each verified once however many look and act. */
  readonly missions: FollowedMissions;
  /** The rules of bases that were looked at, by base and by what was in force then. */
  readonly rules: Map<string, Promise<Rules>>;
  /** Repositories that the host alone writes, and the one that missions are about among them. */
  readonly work: { readonly repositories: WorkRepositories; readonly source: string };
};

export function worldAround(parts: Omit<MissionWorld, 'missions' | 'rules'>): MissionWorld {
  return { ...parts, missions: new FollowedMissions(parts.bench, parts.project), rules: new Map() };
}

/** Somebody who acts on one mission, and the desk they act at. */
export type Acting = {
  readonly world: MissionWorld;
  readonly ref: string;
  readonly signer: Signer;
  /** The signer's name on the roster. */
  readonly principal: string;
  readonly desk: MissionDesk;
};

export function actOn(world: MissionWorld, ref: string, signer: Signer): Acting {
  const principal = principalOf(projectState(world), signer);
  const { bench, project, missions } = world;
  const desk = new MissionDesk(bench, { ref, signer, project, followed: missions.at(ref) });
  return { world, ref, signer, principal, desk };
}

/** A mission to look at: whoever acts on it can, and no signer is needed. */
export type Looking = Pick<Acting, 'ref'> & { readonly desk: Pick<MissionDesk, 'state' | 'head' | 'told'> };

export async function missionState({ desk, ref }: Looking): Promise<MissionState> {
  const state = await desk.state();
  if (state === undefined) throw new Failure('ledger_not_opened', { ledger: ledgerName(ref) });
  return state;
}

/** The same word gives the same id for as long as the decision is the same, however often it is made again. */
export function namesFrom(ids: Ids): Names {
  const drawn = new Map<string, string>();
  return (what) => {
    const id = drawn.get(what) ?? ids.next();
    drawn.set(what, id);
    return id;
  };
}

export function instant({ bench }: MissionWorld, inSeconds = 0): string {
  return new Date((bench.parts.clock.nowSeconds() + inSeconds) * 1000).toISOString();
}

/** What a mission waits for, here and now. */
export function dueNow(
  world: MissionWorld,
  state: Pick<MissionState, 'course' | 'roster'>,
  besides: Pick<Asking, 'own' | 'silent'> = {},
): Due {
  return whatIsDue(state, { now: instant(world), inForce: projectState(world).policy, ...besides });
}

export function projectState({ project }: MissionWorld): ProjectState {
  const { state } = project.tip;
  if (state?.kind !== 'project') throw new Failure('ledger_not_opened', { ledger: PROJECT_REF });
  return state;
}

function principalOf({ roster }: ProjectState, { fingerprint }: Signer): string {
  const member = roster.members.find(({ keys }) => keys.some((key) => key.fingerprint === fingerprint));
  if (member === undefined) throw new Failure('signer_unknown', { fingerprint });
  return member.principal_id;
}

/** Documents are refused like rules; here that ends the use case. */
export function expectAccepted<T>(verdict: Verdict<T>): T {
  if (verdict.is === 'refused') throw new Failure(verdict.code, verdict.facts);
  return verdict.value;
}

export { HOUR_SECONDS, MINUTE_SECONDS } from '../../kernel/time.ts';
