// The one effect path: what verified work is to cause, its intents made durable, the effects caused, and what became of
// them receipted. After a crash the same function goes on: it looks first, and under a higher fence.
import { courseOf } from '../../kernel/course/steps.ts';
import { endLease } from '../../kernel/decide/recover.ts';
import { inAttempt, underWay } from '../../kernel/decide/about.ts';
import { decideEffects } from '../../kernel/decide/effects.ts';
import { decideOutcomes, type Outcome } from '../../kernel/decide/outcomes.ts';
import { effectHash, effectsBytes, targetOf, type EffectSpec } from '../../kernel/effect/spec.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { Failure } from '../../failure.ts';
import type { Executors } from '../../ports/effects.ts';
import { drawDocuments, type NewDocument } from '../artifacts/documents.ts';
import { causeAll, isThereNews, owedEffects } from './cause.ts';
import { leaveRegistry } from './claims.ts';
import { assertBaseStands, bringIncoming } from './target.ts';
import { HOUR_SECONDS, instant, MINUTE_SECONDS, missionState, namesFrom, type Acting } from './world.ts';
import { utf8 } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import { VERSION } from '../../version.ts';
import type { Workbench } from '../workbench.ts';

export type Delivering = {
  readonly executors: Executors;
  /** The base as the proposal names it. */
  readonly base: string;
  /** What the work is to cause, exactly. */
  readonly effects: readonly EffectSpec[];
  readonly votesExpireAt: string;
  /** Called between the steps; tests stop the process there. */
  readonly onPoint?: (point: string) => Promise<void> | void;
};

const LEASE_MINUTES = 10;

/** Ends with what could be found out receipted, or with the question of tier 2 put to people. */
export async function deliver(
  acting: Acting,
  delivering: Delivering,
  state: MissionState,
): Promise<Verdict<MissionState>> {
  const { executors, onPoint } = delivering;
  // Before anything is written: another place can cause what this one cannot.
  const unable = delivering.effects.find(({ kind }) => executors[kind] === undefined);
  if (unable !== undefined) return refuse('effect_unavailable', { kind: unable.kind });
  if (
    isOwed(state) &&
    courseOf(state)!.lease === null &&
    !(await isThereNews(executors, await owedEffects(acting, state)))
  )
    return accept(state);
  const intended = isOwed(state) ? await takeOver(acting, state) : await intend(acting, delivering, state);
  if (intended.is === 'refused') return intended;
  // Tier 2: people see the exact effects first.
  if (!isOwed(intended.value)) return intended;
  await onPoint?.('intended');
  const { id, work } = courseOf(intended.value)!.attempt!;
  if (work !== null) await bringIncoming(acting.world.bench, id, work.commit);
  const causing = {
    executors,
    assertHeld: () => assertHeld(acting, intended.value),
    onCause: (kind: string) => onPoint?.(`cause ${kind}`),
  };
  const seen = await causeAll(causing, await owedEffects(acting, intended.value));
  await onPoint?.('caused');
  return settle(acting, intended.value, { seen, executors });
}

function isOwed(state: MissionState): boolean {
  return Object.keys(courseOf(state)?.effects ?? {}).length > 0;
}

async function intend(acting: Acting, delivering: Delivering, state: MissionState): Promise<Verdict<MissionState>> {
  const { world, desk, principal } = acting;
  const { bench, kit } = world;
  const { effects } = delivering;
  const plan = state.course!.plan!;
  // Re-checked at use: the world an approval was given for.
  await assertBaseStands(bench, delivering.base, plan.base_commit);
  const planned = courseOf(state)!.attempt!.planned;
  const [params] = planned === null ? await drawDocuments(bench, kit, [document(effects)]) : [];
  const names = namesFrom(bench.parts.ids);
  const exact = effects.map((spec) => ({
    kind: spec.kind,
    target: targetOf(spec),
    effect: effectHash(bench.parts.crypto, spec),
  }));
  const written = await desk.transact({
    documents: params === undefined ? [] : [params],
    decide: (now) =>
      decideEffects(
        bench.parts.crypto,
        now,
        {
          effects: exact,
          params: planned?.params_ref ?? params!.digest,
          writer: principal,
          leaseUntil: instant(world, LEASE_MINUTES * MINUTE_SECONDS),
          grantsExpireAt: instant(world, HOUR_SECONDS),
          workspace: names('workspace'),
          base_commit: plan.base_commit,
          packet: planned?.params_ref ?? params!.digest,
          now: instant(world),
          votesExpireAt: delivering.votesExpireAt,
        },
        names,
      ),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

/** Another writer began, and is gone: the same effects, under a higher fence. It may only be asleep, and its key is ours. */
async function takeOver({ world, desk, principal }: Acting, state: MissionState): Promise<Verdict<MissionState>> {
  const names = namesFrom(world.bench.parts.ids);
  const { fence } = state.course!;
  const written = await desk.transact({
    decide: (now) => {
      const at = underWay(now);
      if (at.is === 'refused') return at;
      // Of two who find the same thing abandoned, the second one looks again.
      if (at.value.course.fence !== fence) return refuse('lease_lost', { fence, current: at.value.course.fence });
      return accept([
        ...endLease(at.value, principal),
        inAttempt('lease.acquired', names('lease'), at.value, {
          expires_at: instant(world, LEASE_MINUTES * MINUTE_SECONDS),
          fence: fence + 1,
          holder_principal_id: principal,
          mode: 'mutable',
          workspace_id: names('workspace'),
        }),
      ]);
    },
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

async function assertHeld(acting: Acting, state: MissionState): Promise<void> {
  const now = courseOf(await missionState(acting));
  const held = courseOf(state)!.lease!;
  if (now?.lease?.fence === held.fence && instant(acting.world) <= held.expires_at) return;
  throw new Failure('lease_lost', { fence: held.fence, current: now?.fence ?? 0 });
}

async function settle(
  { world, desk }: Acting,
  state: MissionState,
  { seen, executors }: { readonly seen: readonly Outcome[]; readonly executors: Executors },
): Promise<Verdict<MissionState>> {
  const names = namesFrom(world.bench.parts.ids);
  const { shown } = await desk.told();
  const outputs = shown[courseOf(state)!.attempt!.id] ?? [];
  // Receipts of effects name it; where nothing was found out there are none.
  const isTold = seen.length > 0 || Object.values(courseOf(state)!.effects).some((one) => one.settled_by !== undefined);
  const [drawn] = await drawDocuments(world.bench, world.kit, [writerEnvironment(world.bench, executors)]);
  const environment = drawn!;
  const written = await desk.transact({
    documents: isTold ? [environment] : [],
    decide: (now) => {
      const { fence } = courseOf(state)!.lease!;
      const course = courseOf(now ?? {});
      if (course?.lease?.fence !== fence) return refuse('lease_lost', { fence, current: course?.fence ?? 0 });
      return decideOutcomes(now, { seen, environment: environment.digest, outputs }, names);
    },
    inProject: (project, after) =>
      (after.mission.course?.end ?? null) === null ? accept([]) : leaveRegistry(after)(project),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

function document(effects: readonly EffectSpec[]): { content: Uint8Array; mediaType: string } {
  return { content: effectsBytes(effects), mediaType: 'application/json' };
}

// What the writer ran as when it caused effects, for their receipts: which lazarus, onto which repository, with which means.
// The ledger knows nothing of it: it is the writer's own word.
function writerEnvironment({ parts }: Workbench, executors: Executors): NewDocument {
  const content = {
    executors: Object.keys(executors).toSorted(),
    lazarus: VERSION,
    schema: 'lazarus.writer.v1',
    target: parts.remote?.displayUrl ?? null,
  };
  return { content: utf8(jcs(content)), mediaType: 'application/json' };
}
