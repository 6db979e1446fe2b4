// A repository with the example project, its rules in force, two people and one machine: where missions are tested.
import { workAt } from '../../support/work.ts';
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beginProject } from '../../../src/app/begin.ts';
import { planMission } from '../../../src/app/mission/plan.ts';
import type { Setting } from '../../../src/app/mission/planning.ts';
import { proposeMission } from '../../../src/app/mission/propose.ts';
import { vote } from '../../../src/app/mission/vote.ts';
import { actOn, type Acting, type MissionWorld } from '../../../src/app/mission/world.ts';
import { readMissionFile } from '../../../src/documents/mission-file.ts';
import { fromUtf8 } from '../../../src/format/bytes.ts';
import type { Member } from '../../../src/kernel/roster/roster.ts';
import type { MissionState } from '../../../src/kernel/state.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { missionRef, PROJECT_REF } from '../../../src/ledger/names.ts';
import { accepted, ANA, BEN, desk, type Desk, type Seat } from '../../support/desk.ts';
import { member, roster, testKey, type TestKey } from '../../support/people.ts';
import { scratchRepository } from '../../support/repos.ts';

export const LAPTOP = testKey('laptop');
export const LAPTOP_SETTING = { forge: null, tierMax: 3 } as const;
const TEMPLATES = new URL('../../../templates/', import.meta.url).pathname;
export const MISSION_FILE = join(TEMPLATES, 'mission.yaml');

export type Site = Desk & { readonly world: MissionWorld; readonly as: (key: TestKey, mission: string) => Acting };

/** Ana is root and proposes, Ben votes, the laptop does the rest. */
export async function site({
  members = MEMBERS,
  policy = (text) => text,
  ...seat
}: Seat & { readonly members?: readonly Member[]; readonly policy?: (text: string) => string } = {}): Promise<Site> {
  const folder = seat.folder ?? scratchRepository();
  const rules = rulesWith(policy);
  exampleProject(folder, rules);
  const at = await desk({ ...seat, folder });
  const projectId = randomUUID();
  const project = at.bench.session(PROJECT_REF, ANA);
  accepted(await project.submit(beginProject(projectId, roster(projectId, members))));
  accepted(
    await project.submit({
      decide: () =>
        accept([
          {
            event_type: 'policy.revised',
            entity_type: 'project',
            entity_id: projectId,
            task_id: projectId,
            payload: { policy: digest(rules['policy.yml']), revision: 1, sacred: digest(rules['sacred.yml']) },
          },
        ]),
    }),
  );
  const world = { bench: at.bench, kit: at.kit, project: await at.bench.project(), work: workAt(at.bench) };
  return { ...at, world, as: (key, mission) => actOn(world, missionRef(mission), key) };
}

const MEMBERS: readonly Member[] = [
  member(ANA, { roles: ['person', 'root'] }),
  member(BEN, { roles: ['person'] }),
  member(LAPTOP, { roles: ['gate', 'runner', 'writer'], principal_type: 'runner', person_id: null }),
];

type RuleFiles = Readonly<Record<'policy.yml' | 'sacred.yml', string>>;

function rulesWith(policy: (text: string) => string): RuleFiles {
  const read = (file: string): string => readFileSync(join(TEMPLATES, file), 'utf8');
  return { 'policy.yml': policy(read('policy.yml')), 'sacred.yml': read('sacred.yml') };
}

function exampleProject(folder: string, rules: RuleFiles): void {
  cpSync(join(TEMPLATES, 'example'), folder, { recursive: true });
  mkdirSync(join(folder, '.gitea/lazarus'), { recursive: true });
  for (const [file, text] of Object.entries(rules)) writeFileSync(join(folder, '.gitea/lazarus', file), text);
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=ana', '-c', 'user.email=ana@example.test', ...args], { cwd: folder });
  git('symbolic-ref', 'HEAD', 'refs/heads/main');
  git('add', '.');
  git('commit', '-qm', 'the example');
}

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

/** A mission file with some of its lines replaced. */
export function missionText(edits: Readonly<Record<string, string>> = {}): string {
  return Object.entries(edits).reduce((text, [from, to]) => text.replace(from, to), readFileSync(MISSION_FILE, 'utf8'));
}

export async function proposed(at: Site, text = missionText(), by: TestKey = ANA): Promise<string> {
  const proposal = accepted(readMissionFile(text, 'mission.yaml'));
  const raw = new TextEncoder().encode(text);
  const wanted = {
    proposal,
    raw,
    rawMediaType: 'application/yaml',
    proposers: [{ forge_user_id: null, principal_id: by.principalId }],
    forge: null,
    channel: 'cli',
  } as const;
  return accepted(await proposeMission(at.world, by, wanted)).mission;
}

export async function planned(
  at: Site,
  text = missionText(),
  setting: Setting = LAPTOP_SETTING,
): Promise<{ mission: string; state: MissionState }> {
  const mission = await proposed(at, text);
  return { mission, state: accepted(await planMission(at.as(LAPTOP, mission), setting)) };
}

export async function approved(
  at: Site,
  text = missionText(),
  setting: Setting = LAPTOP_SETTING,
): Promise<{ mission: string; state: MissionState }> {
  const { mission, state } = await planned(at, text, setting);
  const { plan_digest: typed } = state.course!.plan!;
  const say = { choice: 'approve', digest: typed.slice(0, 12), voter: 'ben' } as const;
  return { mission, state: accepted(await vote(at.as(BEN, mission), say)) };
}

export function fileAtBranch(folder: string, branch: string, path: string): string {
  return fromUtf8(execFileSync('git', ['show', `${branch}:${path}`], { cwd: folder }));
}
