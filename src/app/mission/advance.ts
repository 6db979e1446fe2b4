// Does what a mission waits for, as far as whoever asks may: on a laptop one process goes all the way, on a forge three
// jobs take turns. What is owed is computed from the state each time, so that a crash anywhere is healed by asking again.
import { askedOf } from '../../kernel/approval/asked.ts';
import { courseOf } from '../../kernel/course/steps.ts';
import { Failure } from '../../failure.ts';
import { mustAskAgain } from '../../kernel/attempt/blame.ts';
import { decideCalledOff } from '../../kernel/decide/cancel.ts';
import { decideEnd, decideExpiry } from '../../kernel/decide/end.ts';
import { decideAsking, decideGrant } from '../../kernel/decide/agreed.ts';
import type { Due } from '../../kernel/decide/due.ts';
import type { Silent } from '../../kernel/decide/recover.ts';
import { decideRefusedWork } from '../../kernel/decide/outcomes.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { PROJECT_REF } from '../../ledger/names.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { Executors } from '../../ports/effects.ts';
import type { Act } from '../act.ts';
import { claimPaths, leaveIfOver, leaveRegistry, mayRelease, releaseClaims, waitForPaths } from './claims.ts';
import { auditIncoming } from './audit-work.ts';
import { assertNotDisowned } from './disowned.ts';
import { deliveryOf } from './delivery.ts';
import { planDocumentOf } from './documents.ts';
import { planMission } from './plan.ts';
import type { Setting } from './planning.ts';
import { recomputePlan } from './recompute.ts';
import { isTooSoon, recover, whetherStands } from './recover.ts';
import type { Running } from './run.ts';
import {
  dueNow,
  expectAccepted,
  HOUR_SECONDS,
  instant,
  missionState,
  namesFrom,
  projectState,
  type Acting,
} from './world.ts';

export type DueKind = Due['is'];

export type Means = {
  /** The steps this process may take; at any other it stops. */
  readonly may: ReadonlySet<DueKind>;
  readonly setting: Setting;
  readonly executors: Executors;
  /** What running a cell needs; steps that need it are not taken without. */
  readonly running?: Running;
  /** Leases of this principal are known to be abandoned: no process of it lives. */
  readonly isAlone: boolean;
  /** Nothing was heard of who holds this lease: it is over. */
  readonly silent?: Silent;
  readonly onPoint?: (point: string) => Promise<void> | void;
};

export type Advanced = { readonly state: MissionState; readonly next: Due; readonly took: readonly DueKind[] };

/** More than a mission can need: each step leads to another state, or ends here. */
const STEPS_MAX = 24;

export async function advance(acting: Acting, means: Means): Promise<Verdict<Advanced>> {
  // Folders and work of a killed one; whoever lives keeps its own.
  await means.running?.cells.sweep();
  let state = await missionState(acting);
  const took: DueKind[] = [];
  for (let n = 0; n < STEPS_MAX; n++) {
    const next = stepOf(acting, means, state);
    if (next.is === 'over') await settleOver(acting, state);
    if (!means.may.has(next.is) || next.is === 'over') return accept({ state, next, took });
    if (next.is === 'recover' && (await isEnough(acting, means, state, took))) return accept({ state, next, took });
    if (ON_TRUST.has(next.is)) await assertNotDisowned(acting, state);
    await means.onPoint?.(next.is);
    const taken = await take(acting, means, state, next.is);
    if (taken.is === 'refused' && taken.code === 'path_claimed') return accept({ state, next, took });
    if (taken.is === 'refused' && (taken.code === 'mission_cancelled' || taken.code === 'mission_held')) {
      // Called off or held in this very moment: what follows from that is the next step.
      state = await missionState(acting);
      continue;
    }
    if (taken.is === 'refused') return taken;
    took.push(next.is);
    // An outcome that nobody can tell yet is asked for again by the next run, not by this one.
    if (next.is === 'observe' && Object.keys(courseOf(taken.value)?.effects ?? {}).length > 0)
      return accept({ state: taken.value, next, took });
    state = taken.value;
  }
  throw new Failure('internal', { steps: took });
}

/** Steps that carry out what somebody agreed to. What was begun is looked at and closed all the same. */
const ON_TRUST: ReadonlySet<DueKind> = new Set<DueKind>(['grant', 'cell', 'deliver']);

/** One attempt at a time: a person sees why it came to nothing before the next; a schedule leaves time to put it right. */
async function isEnough(acting: Acting, { isAlone }: Means, state: MissionState, took: readonly DueKind[]) {
  return took.includes('cell') || (!isAlone && (await isTooSoon(acting, state)));
}

function stepOf(acting: Acting, { isAlone, silent }: Means, state: MissionState): Due {
  return dueNow(acting.world, state, { silent: silent?.fence, ...(isAlone ? { own: acting.principal } : {}) });
}

async function take(acting: Acting, means: Means, state: MissionState, step: DueKind): Promise<Verdict<MissionState>> {
  if ((state.course?.cancelled ?? null) !== null) {
    const names = namesFrom(acting.world.bench.parts.ids);
    return end(acting, (now) => decideCalledOff(now, { by: acting.principal, silent: means.silent }, names));
  }
  switch (step) {
    case 'plan':
      return planMission(acting, means.setting);
    case 'grant':
      return grant(acting);
    case 'ask':
      return askAgain(acting, means.setting, state);
    case 'recover':
      return recover(acting, means.setting, state, { silent: means.silent });
    case 'end':
      return end(acting, (now) => decideEnd(now));
    case 'expire': {
      const names = namesFrom(acting.world.bench.parts.ids);
      return end(acting, (now) => decideExpiry(now, instant(acting.world), names));
    }
    case 'cell': {
      if (means.running === undefined) throw new TypeError('a cell needs the means to run it');
      // What runs and what delivers is read by whoever does it: most who come here answer somebody who waits.
      const { runAttempt } = await import('./run.ts');
      return runAttempt(acting, means.running);
    }
    case 'deliver':
    case 'observe':
      return deliverWork(acting, means, state);
    default:
      throw new TypeError(`nothing to do at ${step}`);
  }
}

/** Agreed to by people, and another mission held a path then, or somebody said no who has left: perhaps it may begin now. */
async function grant(acting: Acting): Promise<Verdict<MissionState>> {
  const granted = await writeGrant(acting, true);
  // That they agreed stands from now on, whoever has the path.
  const isAgreed = granted.is === 'refused' && granted.code === 'path_claimed' && isAsked(await missionState(acting));
  return isAgreed ? writeGrant(acting, false) : granted;
}

async function writeGrant({ world, desk }: Acting, mayGrant: boolean): Promise<Verdict<MissionState>> {
  const names = namesFrom(world.bench.parts.ids);
  const written = await desk.transact({
    decide: (now) => decideGrant(now, names, mayGrant),
    inProject: (project, after) => (mayGrant ? claimPaths : waitForPaths)(after)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

function isAsked({ course, roster }: MissionState): boolean {
  return askedOf({ course, roster }) !== undefined;
}

/** Of the same plan: the votes of those who are still there stand, and others may have the paths until it is agreed to again. */
async function askAgain(acting: Acting, setting: Setting, state: MissionState): Promise<Verdict<MissionState>> {
  const { world, desk } = acting;
  const rules = await whetherStands(acting, state);
  if (rules.is === 'refused') return mustAskAgain(rules.code) ? planMission(acting, setting) : rules;
  const { profile } = rules.value.policy;
  const names = namesFrom(world.bench.parts.ids);
  const written = await desk.transact({
    decide: (now) => {
      const votesExpireAt = instant(world, profile.votes_expire_hours * HOUR_SECONDS);
      return decideAsking(now, { now: instant(world), votesExpireAt }, names);
    },
    inProject: (project, after) => releaseClaims(after)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

async function deliverWork(acting: Acting, means: Means, state: MissionState): Promise<Verdict<MissionState>> {
  if (courseOf(state)!.attempt!.status === 'succeeded') return end(acting, (now) => decideEnd(now));
  const document = await planDocumentOf(acting, state);
  const isBegun = Object.keys(courseOf(state)!.effects).length > 0;
  if (!isBegun) {
    const audit = await auditIncoming(acting, document, state).then(accept, drift);
    // It was made under rules that nobody can judge it by any more, here or elsewhere.
    if (audit.is === 'refused') return audit.code === 'policy_drifted' ? refuseWork(acting, audit.code) : audit;
    if (audit.value.verdict === 'violated') return refuseWork(acting, 'scope_violated');
    // Behind it, for the base comes along with the work.
    const follows = await recomputePlan(acting, state);
    if (follows.is === 'refused') return follows;
  }
  const delivering = {
    executors: means.executors,
    base: document.proposal.base,
    effects: deliveryOf(document, state),
    votesExpireAt: instant(acting.world, EFFECTS_VOTES_HOURS * HOUR_SECONDS),
    ...(means.onPoint === undefined ? {} : { onPoint: means.onPoint }),
  };
  const { deliver } = await import('./deliver.ts');
  const delivered = await deliver(acting, delivering, state).catch(drift);
  // Nothing has left yet, and on the laptop a person decides what then.
  const isOver = delivered.is === 'refused' && !isBegun && !means.isAlone && mustAskAgain(delivered.code);
  return isOver ? refuseWork(acting, delivered.code) : delivered;
}

function drift(error: unknown): Verdict<never> {
  if (!(error instanceof Failure) || !mustAskAgain(error.code)) throw error;
  return refuse(error.code, error.facts);
}

/** What a runner let through and should not have, or what was made for a base that is gone: nothing of it leaves. */
function refuseWork(acting: Acting, because: ReasonCode): Promise<Verdict<MissionState>> {
  const names = namesFrom(acting.world.bench.parts.ids);
  return end(acting, (now) => decideRefusedWork(now, because, names));
}

/** The mission's paths are free for others in the change that ends it. */
async function end({ desk }: Acting, decide: Act['decide']): Promise<Verdict<MissionState>> {
  const written = await desk.transact({
    decide,
    inProject: (project, after) => leaveIfOver(after)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

const EFFECTS_VOTES_HOURS = 72;

/** A runner's key cannot let go of paths: whoever can does it when the mission is found to be over. */
async function settleOver({ world, signer, principal, desk }: Acting, state: MissionState): Promise<void> {
  const { roster, missions } = projectState(world);
  if (!mayRelease(principal, roster) || missions[state.ledger_id] === undefined) return;
  const over = { mission: state, head: await desk.head() };
  const session = world.bench.session(PROJECT_REF, signer, world.project);
  expectAccepted(
    await session.submit({
      decide: (project) => (project?.kind === 'project' ? leaveRegistry(over)(project) : refuse('ledger_not_opened')),
    }),
  );
}
