// One attempt in three transactions: lease and birth, before anything runs; what the agent's cell came to, and the births of
// the checks; what those came to. The agent's own word decides nothing, and what a birth says of a cell was probed.
import { courseOf } from '../../kernel/course/steps.ts';
import { readyToRun } from '../../kernel/decide/work.ts';
import type { PlanDocument } from '../../kernel/mission/plan-document.ts';
import { checkExposure, type ExposedTo } from '../../kernel/policy/exposure.ts';
import type { MissionState } from '../../kernel/state.ts';
import { refuse, type Refused, type Verdict } from '../../kernel/verdict.ts';
import { failureIn } from '../../failure.ts';
import type { Cells, OutputChunk, Work } from '../../ports/cells.ts';
import type { Environments } from '../../ports/environments.ts';
import type { SeedKeys } from '../../ports/keys.ts';
import type { Messages } from '../../ports/messages.ts';
import type { Secrets } from '../../ports/secrets.ts';
import type { WorkRepositories } from '../../ports/work.ts';
import { keeperOf } from '../printed/keep.ts';
import { keepBeating } from './beat.ts';
import { collect } from './collect.ts';
import type { Collected } from './hand-over.ts';
import { keepLate } from './late-work.ts';
import { planDocumentOf } from './documents.ts';
import { keptUntil } from './kept.ts';
import { prepareAll } from './prepare.ts';
import { assertFit } from './probed.ts';
import { lookOut, type UntilNextLook } from './lookout.ts';
import { recomputePlan } from './recompute.ts';
import { rulesOf, type Rules } from './rules.ts';
import { assertBaseStands } from './target.ts';
import { expectAccepted, missionState, type Acting } from './world.ts';
import { environmentsForChecks, judge } from './judge.ts';
import { spawn, type Born } from './spawn.ts';
import { stowHandOver, type Stowing } from './stow.ts';

export type Running = {
  readonly cells: Cells;
  readonly repositories: WorkRepositories;
  readonly seedKeys: SeedKeys;
  /** The repository that has the base, and the host's own copy of it that cells are given. */
  readonly source: string;
  readonly mirror: string;
  /** Encrypts for the roster's people what is printed in cells. */
  readonly messages: Messages;
  /** Secrets of this host, searched for in everything a cell says. */
  readonly canaries: readonly string[];
  /** What was prepared before, and what prepares it. */
  readonly environments: Environments;
  /** Where keys of routes are found, by reference. */
  readonly secrets: Secrets;
  /** Who could read these and the key that signs here, besides whoever keeps this machine. */
  readonly exposedTo: ExposedTo;
  /** The rhythm in which a supervisor looks whether its mission was called off. */
  readonly untilNextLook: UntilNextLook;
  /** The rhythm of its beacons. */
  readonly untilNextBeacon: UntilNextLook;
  /** Where a hand-over waits that cannot leave. Left out, it is lost with its process. */
  readonly stowing?: Stowing;
  readonly onOutput?: (chunk: OutputChunk) => void;
  /** Called between the steps; tests stop the process there. */
  readonly onPoint?: (point: string) => Promise<void> | void;
};

export async function runAttempt(acting: Acting, running: Running): Promise<Verdict<MissionState>> {
  const { world } = acting;
  const state = await missionState(acting);
  const ready = readyToRun(courseOf(state) ?? NOTHING);
  if (ready.is === 'refused') return ready;
  const plan = state.course!.plan!;
  const document = await planDocumentOf(acting, state);
  // Re-checked at use: the base and the rules that people approved it under.
  await assertBaseStands(world.bench, document.proposal.base, plan.base_commit);
  const rules = await rulesOf(world, plan);
  const { profile } = rules.policy;
  expectAccepted(checkExposure(running.exposedTo, { tier: plan.tier, runner: profile.runner }));
  const follows = await recomputePlan(acting, state);
  if (follows.is === 'refused') return follows;
  await assertFit(running.cells, plan);
  await running.repositories.mirror(running.source, running.mirror, plan.base_commit);
  const born = await spawn(acting, running, { state, document, profile: profile.profile });
  if (born.is === 'refused') return born;
  await running.onPoint?.('spawned');
  return whileAlive(acting, running, { state: born.value.state }, (cancelled) =>
    supervise(acting, running, { ...born.value, document, rules, cancelled }),
  );
}

/** Beats, and looks whether the mission was called off, for as long as somebody is at work on its attempt. */
export async function whileAlive<T>(
  acting: Acting,
  { untilNextLook, untilNextBeacon: untilNext }: Running,
  { state, isResumed = false }: { readonly state: MissionState; readonly isResumed?: boolean },
  work: (cancelled: AbortSignal) => Promise<T>,
): Promise<T> {
  const lookout = lookOut(acting, untilNextLook);
  const fallSilent = keepBeating(acting, state, { untilNext, isResumed });
  try {
    return await work(lookout.cancelled);
  } finally {
    await Promise.all([lookout.close(), fallSilent()]);
  }
}

type Supervised = Born & {
  readonly document: PlanDocument;
  readonly rules: Rules;
  readonly cancelled: AbortSignal;
};

async function supervise(
  acting: Acting,
  running: Running,
  { state, start, prepares, canaries, document, rules, cancelled }: Supervised,
): Promise<Verdict<MissionState>> {
  const keepPrinted = keeperOf(acting.world, running.messages, document.output);
  const around = { environments: running.environments, plan: state.course!.plan!, canaries, keepPrinted, cancelled };
  const { bench } = acting.world;
  const { nowMs } = bench.parts;
  const keepUntil = keptUntil(bench, rules.policy.profile.keep_failed_days);
  const beganMs = nowMs();
  const prepared = await prepareAll(prepares, around);
  const prepareMs = Math.round(nowMs() - beganMs);
  // Work that brought another lock file along is checked with what that one names.
  const forChecks = (work: Work) => environmentsForChecks(running, document, work, state);
  const collected = await collect(start, running, {
    state,
    document,
    rules,
    by: acting,
    cancelled,
    prepared,
    prepareMs,
    keepPrinted,
    keepUntil,
    forChecks,
  });
  if (cancelled.aborted) await running.onPoint?.('cancelled');
  await running.onPoint?.('collected');
  const { made } = collected;
  try {
    const judging = { born: state, document, collected, cancelled, canaries, keepPrinted, keepUntil };
    const judged = await judge(acting, running, judging);
    return judged.is === 'refused' ? await tooLate(acting, running, { state, made, keepUntil }, judged) : judged;
  } catch (cause) {
    const failure = failureIn(cause);
    if (failure === undefined || running.stowing === undefined) throw cause;
    const unsent = { born: state, collected, keepUntil, cause: failure };
    return await stowHandOver(acting, running, running.stowing, unsent);
  } finally {
    // What goes on is in memory by now; the repository around it is nobody's.
    if (made !== undefined) await running.cells.discard(made.work).catch(() => undefined);
  }
}

type Slept = {
  readonly state: MissionState;
  readonly made: Collected['made'];
  readonly keepUntil: string | null;
};

/** Somebody took over meanwhile: on a forge people can look at what was made all the same. */
async function tooLate(
  acting: Acting,
  running: Running,
  { state, made, keepUntil: until }: Slept,
  refused: Refused,
): Promise<Refused> {
  if (running.stowing === undefined || made === undefined) return refused;
  const { attempt, fence } = { ...courseOf(state)!, fence: state.course!.fence };
  const late = { mission: state.ledger_id, attempt: attempt!.id, fence, work: made.work, until };
  const isKept = await keepLate(acting, running, late).catch(() => false);
  return isKept ? refuse(refused.code, { ...refused.facts, kept_until: until }) : refused;
}

const NOTHING = { held: null, cancelled: null, lease: null, attempt: null, grants: {}, approvals: {} } as never;
