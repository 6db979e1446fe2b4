// What follows an attempt that ended without a verdict on its work, or whose runner is gone: another one under what people
// approved, or, where that no longer holds, people are asked anew. Never more attempts than the plan has.
import { courseOf } from '../../kernel/course/steps.ts';
import { isOver } from '../../kernel/course/attempt-status.ts';
import { mayTryAgain, mustAskAgain } from '../../kernel/attempt/blame.ts';
import { decideRecovery, type Recovery, type Silent } from '../../kernel/decide/recover.ts';
import { decideUnbegun } from '../../kernel/decide/unbegun.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { Failure } from '../../failure.ts';
import type { ReasonCode } from '../../reasons.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { planDocumentOf } from './documents.ts';
import { planFor, planMission } from './plan.ts';
import type { Setting } from './planning.ts';
import { rulesOf, type Rules } from './rules.ts';
import { assertBaseStands } from './target.ts';
import { asSaid, wordsOf, type SaidIn } from './said-in.ts';
import { HOUR_SECONDS, instant, MINUTE_SECONDS, namesFrom, type Acting } from './world.ts';

type How = {
  /** What somebody asked for it in; left out where a job goes on by itself. */
  readonly saidIn?: SaidIn | undefined;
  /** Of whom nothing was heard any more. */
  readonly silent?: Silent | undefined;
};

export async function recover(
  acting: Acting,
  setting: Setting,
  state: MissionState,
  how: How,
): Promise<Verdict<MissionState>> {
  const { saidIn } = how;
  const { attempt, step } = courseOf(state)!;
  const isLost = !isOver(attempt!.status);
  // Held: what was lost is closed, and the next attempt waits.
  if (attempt!.no >= step!.max_attempts || state.course!.held !== null)
    return write(acting, undefined, { silent: how.silent });
  if (!isLost && mustAskAgain(attempt!.because ?? '')) return planMission(acting, setting, saidIn);
  const again = await tryAgain(acting, setting, state, how);
  if (again.is === 'accepted' || !mustAskAgain(again.code)) return again;
  // What was lost is closed, even if the question to people cannot be put.
  const closed = isLost ? await write(acting, undefined, { silent: how.silent }) : accept(state);
  return closed.is === 'refused' ? closed : planMission(acting, setting, saidIn);
}

/** Another attempt would do no better yet: whoever puts the runner right needs a while, and attempts are few. */
export async function isTooSoon(acting: Acting, state: MissionState): Promise<boolean> {
  const { attempt: latest, step } = courseOf(state)!;
  const attempt = latest!;
  // There is none: nobody waits for the end, and nobody is told to try again.
  if (attempt.no >= step!.max_attempts) return false;
  if (!isOver(attempt.status) || !mayTryAgain(attempt.because ?? '')) return false;
  const { failed } = await acting.desk.told();
  if (failed?.attempt !== attempt.id) return false;
  const pauseMinutes = PAUSE_MINUTES[attempt.no - 1] ?? PAUSE_MINUTES.at(-1)!;
  const sinceSeconds = acting.world.bench.parts.clock.nowSeconds() - Date.parse(failed.at) / 1000;
  // Whoever wrote a time far ahead keeps nobody waiting for it.
  return Math.abs(sinceSeconds) < pauseMinutes * MINUTE_SECONDS;
}

/** After the first, the second, … attempt that the runner spoiled. */
const PAUSE_MINUTES = [5, 60] as const;

type Found = { readonly because: ReasonCode; readonly isByRunner: boolean };

/** Writes down that an attempt came to nothing before it began; undefined where that is not how it is. */
export async function endUnbegun(
  acting: Acting,
  attempt: string,
  { because, isByRunner }: Found,
): Promise<MissionState | undefined> {
  if (!mayTryAgain(because) && !mustAskAgain(because)) return undefined;
  const names = namesFrom(acting.world.bench.parts.ids);
  const written = await acting.desk.transact({
    decide: (now) => {
      const runner = {
        holder: acting.principal,
        leaseUntil: instant(acting.world, MINUTE_SECONDS),
        workspace: names('workspace'),
      };
      // Under a grant that ran out no lease begins; that it did, anybody may say.
      const takes = isByRunner && because !== 'grant_expired';
      return decideUnbegun(now, { because, attempt, runner: takes ? runner : undefined }, names);
    },
  });
  return written.is === 'refused' ? undefined : written.value.state;
}

async function tryAgain(
  acting: Acting,
  setting: Setting,
  state: MissionState,
  how: How,
): Promise<Verdict<MissionState>> {
  const { world } = acting;
  const { plan, attempt, approvals } = courseOf(state)!;
  const stands = await whetherStands(acting, state);
  if (stands.is === 'refused') return stands;
  const planned = await planFor(acting, state, setting, attempt!.no + 1).catch(refusal);
  if (planned.is === 'refused') return planned;
  const approval = Object.values(approvals).find(({ type }) => type === 'plan');
  const recovery = {
    actions: planned.value.actions,
    terms: plan!,
    votesExpireAt: approval?.expires_at ?? instant(world, HOUR_SECONDS),
  };
  return write(acting, recovery, how);
}

/** What a runner would find first of all: of few attempts none is spent on that, and people are asked at once. */
export async function whetherStands(acting: Acting, state: MissionState): Promise<Verdict<Rules>> {
  const plan = courseOf(state)!.plan!;
  const { proposal } = await planDocumentOf(acting, state);
  return assertBaseStands(acting.world.bench, proposal.base, plan.base_commit)
    .then(() => rulesOf(acting.world, plan))
    .then(accept, refusal);
}

async function write(
  { world, desk, principal }: Acting,
  recovery: Recovery | undefined,
  { saidIn, silent }: How,
): Promise<Verdict<MissionState>> {
  const { bench, kit } = world;
  const names = namesFrom(bench.parts.ids);
  const documents = saidIn === undefined ? [] : await drawDocuments(bench, kit, [wordsOf(saidIn)]);
  const follows = (now: MissionState | undefined) => decideRecovery(now, { recovery, by: principal, silent }, names);
  const written = await desk.transact({
    documents,
    decide: (now) =>
      saidIn === undefined
        ? follows(now)
        : asSaid(now, { saidIn, words: documents[0]!, resolution: 'control' }, names, follows),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

function refusal(error: unknown): Verdict<never> {
  if (!(error instanceof Failure) || error.retry !== 'never') throw error;
  return refuse(error.code, error.facts);
}
