// A repository with the example project, its rules in force, two people and one machine: where missions are tested.
import { execFileSync } from 'node:child_process';
import { folded } from '../../../src/app/folded.ts';
import { documentsOf } from '../../../src/app/mission/documents.ts';
import { statusView } from '../../../src/app/mission/status-view.ts';
import { TOLD } from '../../../src/app/mission/told.ts';
import type { StatusView } from '../../../src/forge-text/status-view.ts';
import { planMission } from '../../../src/app/mission/plan.ts';
import type { Setting } from '../../../src/app/mission/planning.ts';
import { proposeMission } from '../../../src/app/mission/propose.ts';
import { vote } from '../../../src/app/mission/vote.ts';
import { actOn, worldAround, type Acting, type MissionWorld } from '../../../src/app/mission/world.ts';
import { readMissionFile } from '../../../src/documents/mission-file.ts';
import { fromUtf8 } from '../../../src/format/bytes.ts';
import type { Member } from '../../../src/kernel/roster/roster.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import { missionRef } from '../../../src/ledger/names.ts';
import { desk, type Desk, type Seat } from '../../support/desk.ts';
import { ANA, BEN, member, testKey, type TestKey } from '../../support/people.ts';
import { scratch } from '../../support/repos.ts';
import { taken } from '../../support/taken.ts';
import { exampleProject, missionText, RULES } from '../../support/templates.ts';
import { workAt } from '../../support/work.ts';
import { foundProject, reviseRules } from '../../support/workbench.ts';

export const LAPTOP = testKey('laptop');
export const LAPTOP_SETTING = { forge: null, tierMax: 3 } as const;

export type Site = Desk & { readonly world: MissionWorld; readonly as: (key: TestKey, mission: string) => Acting };

/** Ana is root and proposes, Ben votes, the laptop does the rest. */
export async function site({
  members = MEMBERS,
  policy = (text) => text,
  ...seat
}: Seat & { readonly members?: readonly Member[]; readonly policy?: (text: string) => string } = {}): Promise<Site> {
  const folder = seat.folder ?? scratch();
  const rules = { ...RULES, policy: policy(RULES.policy) };
  exampleProject(folder, rules);
  const at = await desk({ ...seat, folder });
  await reviseRules(at.bench, await foundProject(at.bench, members), rules);
  const project = await at.bench.project();
  const world = worldAround({ bench: at.bench, kit: at.kit, project, work: workAt(at.bench) });
  return { ...at, world, as: (key, mission) => actOn(world, missionRef(mission), key) };
}

const MEMBERS: readonly Member[] = [
  member(ANA, { roles: ['person', 'root'] }),
  member(BEN, { roles: ['person'] }),
  member(LAPTOP, { roles: ['gate', 'runner', 'writer'], principal_type: 'runner', person_id: null }),
];

export async function proposed(at: Site, text = missionText(), by: TestKey = ANA): Promise<string> {
  const proposal = taken(readMissionFile(text, 'mission.yaml'));
  const raw = new TextEncoder().encode(text);
  return taken(await proposeMission(at.world, by, { proposal, raw, rawMediaType: 'application/yaml' })).mission;
}

export async function planned(
  at: Site,
  text = missionText(),
  setting: Setting = LAPTOP_SETTING,
): Promise<{ mission: string; state: MissionState }> {
  const mission = await proposed(at, text);
  return { mission, state: taken(await planMission(at.as(LAPTOP, mission), setting)) };
}

export async function approved(
  at: Site,
  text = missionText(),
  setting: Setting = LAPTOP_SETTING,
): Promise<{ mission: string; state: MissionState }> {
  const { mission, state } = await planned(at, text, setting);
  const { plan_digest: typed } = state.course!.plan!;
  const say = { choice: 'approve', digest: typed.slice(0, 12), voter: 'ben' } as const;
  return { mission, state: taken(await vote(at.as(BEN, mission), say)) };
}

export function fileAtBranch(folder: string, branch: string, path: string): string {
  return fromUtf8(execFileSync('git', ['show', `${branch}:${path}`], { cwd: folder }));
}

const SHOWN = { home: '', custody: 'people', run: null } as const;

/** As a command sees it that was started now. */
export async function viewOf(at: Site, mission: string): Promise<StatusView> {
  const world = { ...at.world, project: await at.bench.project() };
  const ref = missionRef(mission);
  const { value: told, verified } = await folded(at.bench, ref, TOLD, { project: world.project });
  const { head, state } = verified.report;
  const documents = await documentsOf(at.bench, ref, state as MissionState, told);
  return statusView(world, { ref, state: state as MissionState, head: head!, told, documents }, SHOWN);
}
