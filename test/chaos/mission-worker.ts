// A program that takes a mission from its proposal to its end the way a laptop does, run by tests as a process of its own:
// killed or put to sleep at one of its steps. Whoever runs it again goes on from what it finds. Prints what it did.
import { workAt } from '../support/work.ts';
import { aesCipher } from '../../src/adapters/artifacts/aes-cipher.ts';
import { openRepository } from '../../src/adapters/git/repository.ts';
import { advance, type DueKind } from '../../src/app/mission/advance.ts';
import { branchExecutors } from '../../src/app/mission/executors.ts';
import { planMission } from '../../src/app/mission/plan.ts';
import { proposeMission } from '../../src/app/mission/propose.ts';
import { vote } from '../../src/app/mission/vote.ts';
import { actOn, missionState, worldAround, type MissionWorld } from '../../src/app/mission/world.ts';
import { runLocksOf, runningOf } from '../../src/compose/missions.ts';
import { readMissionFile } from '../../src/documents/mission-file.ts';
import type { Workbench } from '../../src/app/workbench.ts';
import { Failure } from '../../src/failure.ts';
import { utf8 } from '../../src/format/bytes.ts';
import { missionStatus } from '../../src/kernel/mission/status.ts';
import type { MissionState } from '../../src/kernel/state.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import type { RunLock } from '../../src/ports/run-lock.ts';
import { missionRef } from '../../src/ledger/names.ts';
import { testKey } from '../support/people.ts';
import { benchOver } from '../support/workbench.ts';

export type MissionWorkerOptions = {
  readonly missionFile: string;
  readonly cells: string;
  readonly may: readonly DueKind[];
  /** At this step, the n-th time: the power goes, or the process falls asleep until somebody wakes it. */
  readonly at?: { readonly step: string; readonly times: number; readonly signal: 'SIGKILL' | 'SIGSTOP' };
  /** As from another machine, where no lock of this one is seen. */
  readonly isElsewhere?: boolean;
};

const [folder = '', json = '{}'] = process.argv.slice(2);
const options = JSON.parse(json) as MissionWorkerOptions;
const SETTING = { forge: null, tierMax: 3 } as const;
/** Of the many steps of an append: what comes before it may be there, and from when on it is. */
const REPOSITORY_STEPS: ReadonlySet<string> = new Set(['objects_durable', 'references_moved']);

const reached = new Map<string, number>();
try {
  await run();
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.log(`refused ${error.code}`);
}

function step(name: string): void {
  const times = (reached.get(name) ?? 0) + 1;
  reached.set(name, times);
  console.log(`step ${name} ${times}`);
  if (name === options.at?.step && times === options.at.times) process.kill(process.pid, options.at.signal);
}

async function run(): Promise<void> {
  const onPoint = (name: string): void => {
    if (REPOSITORY_STEPS.has(name)) step(name);
  };
  const repository = await openRepository(folder, { onPoint });
  const bench = benchOver(repository);
  const keys = { read: async () => undefined, write: async () => undefined, destroy: async () => false };
  const project = await bench.project();
  const world = worldAround({ bench, kit: { cipher: aesCipher, keys }, project, work: workAt(bench) });
  let lock: RunLock | undefined;
  try {
    lock = options.isElsewhere === true ? undefined : await runLocksOf(bench).take('the-mission');
    const ref = (await missionHere(bench)) ?? (await propose(world));
    const laptop = actOn(world, ref, testKey('laptop'));
    if (missionStatus(await missionState(laptop)) === 'proposed') taken(await planMission(laptop, SETTING));
    const state = await missionState(laptop);
    if (missionStatus(state) === 'awaiting') await approve(world, ref, state);
    // A desk of before has its own view of the project; who starts a command has a new one.
    const acting = actOn(world, ref, testKey('laptop'));
    const running = await runningOf(bench, { env: {}, cells: options.cells });
    const { state: after } = taken(
      await advance(acting, {
        may: new Set(options.may),
        setting: SETTING,
        executors: branchExecutors(bench),
        running: { ...running, onPoint: step, onOutput: () => step('output') },
        isAlone: true,
        onPoint: step,
      }),
    );
    console.log(`ended ${missionStatus(after)}`);
  } finally {
    await lock?.release();
    await bench.close();
  }
}

async function missionHere(bench: Workbench): Promise<string | undefined> {
  const found = await bench.parts.repository.list('refs/heads/lazarus/');
  return found.find(({ ref }) => ref.includes('/m-'))?.ref;
}

async function propose(world: MissionWorld): Promise<string> {
  const wanted = {
    proposal: taken(readMissionFile(options.missionFile, 'mission.yaml')),
    raw: utf8(options.missionFile),
    rawMediaType: 'application/yaml',
  };
  return missionRef(taken(await proposeMission(world, testKey('ana'), wanted)).mission);
}

async function approve(world: MissionWorld, ref: string, state: MissionState): Promise<void> {
  const digest = state.course!.plan!.plan_digest;
  const say = { choice: 'approve', digest, voter: testKey('ben').principalId } as const;
  taken(await vote(actOn(world, ref, testKey('ben')), say));
}

function taken<T>(verdict: Verdict<T>): T {
  if (verdict.is === 'refused') throw new Failure(verdict.code, verdict.facts);
  return verdict.value;
}
