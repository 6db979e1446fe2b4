// Does what a mission waits for, as far as whoever asks may: on a laptop one process goes all the way, on a forge three
// jobs take turns. What is owed is computed from the state each time, so that a crash anywhere is healed by asking again.
import { Failure } from '../../failure.ts';
import { decideGrant } from '../../kernel/decide/grant.ts';
import { nextStep, type NextStep } from '../../kernel/decide/next.ts';
import { decideRefusedWork } from '../../kernel/decide/outcomes.ts';
import { decideRecovery } from '../../kernel/decide/recover.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { PROJECT_REF } from '../../ledger/names.ts';
import type { Executors } from '../../ports/effects.ts';
import { claimPaths, mayRelease, releaseClaims } from './claims.ts';
import { auditIncoming } from './audit-work.ts';
import { deliver } from './deliver.ts';
import { deliveryOf } from './delivery.ts';
import { planDocumentOf } from './documents.ts';
import { genesisOf } from './genesis.ts';
import { planFor, planMission } from './plan.ts';
import type { Setting } from './planning.ts';
import { runAttempt, type Running } from './run.ts';
import { expectAccepted, HOUR_SECONDS, instant, missionState, namesFrom, projectState, type Acting } from './world.ts';

export type Step = NextStep['is'];

export type Means = {
  /** The steps this process may take; at any other it stops. */
  readonly may: ReadonlySet<Step>;
  readonly setting: Setting;
  readonly executors: Executors;
  /** What running a cell needs; steps that need it are not taken without. */
  readonly running?: Running;
  /** Leases of this principal are known to be abandoned: no process of it lives. */
  readonly isAlone: boolean;
  readonly onStep?: (step: string) => Promise<void> | void;
};

export type Advanced = { readonly state: MissionState; readonly next: NextStep; readonly took: readonly Step[] };

/** More than a mission can need: each step leads to another state, or ends here. */
const STEPS_MAX = 24;

export async function advance(acting: Acting, means: Means): Promise<Verdict<Advanced>> {
  // Folders and work of a killed one; whoever lives keeps its own.
  await means.running?.cells.sweep();
  let state = await missionState(acting);
  const took: Step[] = [];
  for (let n = 0; n < STEPS_MAX; n++) {
    const next = stepOf(acting, means, state);
    if (next.is === 'over') await settleOver(acting, state);
    if (!means.may.has(next.is) || next.is === 'over') return accept({ state, next, took });
    await means.onStep?.(next.is);
    const taken = await take(acting, means, state, next.is);
    if (taken.is === 'refused' && taken.code === 'path_claimed') return accept({ state, next, took });
    if (taken.is === 'refused') return taken;
    took.push(next.is);
    // An outcome that nobody can tell yet is asked for again by the next run, not by this one.
    if (next.is === 'observe' && Object.keys(taken.value.course?.effects ?? {}).length > 0)
      return accept({ state: taken.value, next, took });
    state = taken.value;
  }
  throw new Failure('internal', { steps: took });
}

function stepOf(acting: Acting, { isAlone }: Means, state: MissionState): NextStep {
  const now = instant(acting.world);
  return nextStep(state, isAlone ? { now, own: acting.principal } : { now });
}

async function take(acting: Acting, means: Means, state: MissionState, step: Step): Promise<Verdict<MissionState>> {
  switch (step) {
    case 'plan':
      return planMission(acting, means.setting);
    case 'grant':
      return grant(acting, state);
    case 'recover':
      return recover(acting, means, state);
    case 'cell':
      if (means.running === undefined) throw new TypeError('a cell needs the means to run it');
      return runAttempt(acting, means.running);
    case 'deliver':
    case 'observe':
      return deliverWork(acting, means, state);
    default:
      throw new TypeError(`nothing to do at ${step}`);
  }
}

/** Approved by people, and another mission held a path then: perhaps it is free now. */
async function grant({ world, ref, desk }: Acting, state: MissionState): Promise<Verdict<MissionState>> {
  const names = namesFrom(world.bench.parts.ids);
  const genesis = (await genesisOf(world.bench, ref, state)).oid;
  const written = await desk.transact({
    decide: (now) => decideGrant(now, names),
    inProject: (project, { mission }) => claimPaths(genesis, mission)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

async function recover(acting: Acting, { setting }: Means, state: MissionState): Promise<Verdict<MissionState>> {
  const { world, desk, principal } = acting;
  const attemptNo = (state.course?.attempt?.no ?? 0) + 1;
  const planned = await planFor(acting, state, setting, attemptNo);
  if (planned.is === 'refused') return planned;
  const plan = state.course!.plan!;
  const approval = Object.values(state.course!.approvals).find(({ type }) => type === 'plan');
  const recovery = {
    actions: planned.value.actions,
    terms: plan,
    votesExpireAt: approval?.expires_at ?? instant(world, HOUR_SECONDS),
  };
  const names = namesFrom(world.bench.parts.ids);
  const written = await desk.transact({ decide: (now) => decideRecovery(now, { recovery, by: principal }, names) });
  return written.is === 'refused' ? written : accept(written.value.state);
}

async function deliverWork(acting: Acting, means: Means, state: MissionState): Promise<Verdict<MissionState>> {
  const document = await planDocumentOf(acting, state);
  if (Object.keys(state.course!.effects).length === 0) {
    const audit = await auditIncoming(acting, document, state);
    if (audit.verdict === 'violated') return refuseWork(acting, state);
  }
  const delivering = {
    executors: means.executors,
    base: document.proposal.base,
    effects: deliveryOf(document, state),
    votesExpireAt: instant(acting.world, EFFECTS_VOTES_HOURS * HOUR_SECONDS),
    ...(means.onStep === undefined ? {} : { onStep: means.onStep }),
  };
  return deliver(acting, delivering, state);
}

/** What a runner let through and should not have: nothing of it leaves, and the mission says so. */
async function refuseWork({ world, desk }: Acting, state: MissionState): Promise<Verdict<MissionState>> {
  const names = namesFrom(world.bench.parts.ids);
  const written = await desk.transact({
    decide: (now) => decideRefusedWork(now, 'scope_violated', names),
    inProject: releaseClaims(state.ledger_id, state.project_id),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

const EFFECTS_VOTES_HOURS = 72;

/** A runner's key cannot let go of paths: whoever can does it when the mission is found to be over. */
async function settleOver({ world, signer, principal }: Acting, state: MissionState): Promise<void> {
  const { roster, missions } = projectState(world);
  if (!mayRelease(principal, roster) || (missions[state.ledger_id]?.claims.length ?? 0) === 0) return;
  const session = world.bench.session(PROJECT_REF, signer);
  expectAccepted(
    await session.submit({
      decide: (project) =>
        project?.kind === 'project'
          ? releaseClaims(state.ledger_id, state.project_id)(project)
          : refuse('ledger_not_opened'),
    }),
  );
}
