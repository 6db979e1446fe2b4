// The one effect path: what verified work is to cause, its intents made durable, each effect looked for, caused if it is
// not there, looked for again, and receipted. After a crash the same function goes on: it looks first.
import type { EffectSpec } from '../../kernel/effect/spec.ts';
import { effectHash, effectsBytes, parseEffects, targetOf } from '../../kernel/effect/spec.ts';
import { decideEffects } from '../../kernel/decide/effects.ts';
import { decideOutcomes, type Outcome } from '../../kernel/decide/outcomes.ts';
import { endLease } from '../../kernel/decide/recover.ts';
import { inAttempt, underWay } from '../../kernel/decide/about.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { Failure } from '../../failure.ts';
import type { Executor, Executors, Seen } from '../../ports/effects.ts';
import { drawDocuments } from '../artifacts/documents.ts';
import { evidenceOf } from './evidence.ts';
import { readDocument } from './documents.ts';
import { releaseClaims } from './claims.ts';
import { assertBaseStands } from './target.ts';
import { HOUR_SECONDS, instant, MINUTE_SECONDS, namesFrom, type Acting } from './world.ts';

export type Delivering = {
  readonly executors: Executors;
  /** The base as the proposal names it. */
  readonly base: string;
  /** What the work is to cause, exactly. */
  readonly effects: readonly EffectSpec[];
  readonly votesExpireAt: string;
  /** Called between the steps; tests stop the process there. */
  readonly onStep?: (step: string) => Promise<void> | void;
};

const LEASE_MINUTES = 10;

/** Ends with all effects receipted, or with the question of tier 2 put to people. */
export async function deliver(
  acting: Acting,
  delivering: Delivering,
  state: MissionState,
): Promise<Verdict<MissionState>> {
  const intended = isOwed(state) ? await takeOver(acting, state) : await intend(acting, delivering, state);
  if (intended.is === 'refused') return intended;
  // Tier 2: people see the exact effects first.
  if (!isOwed(intended.value)) return intended;
  await delivering.onStep?.('intended');
  const seen = await causeAll(acting, delivering, intended.value);
  await delivering.onStep?.('caused');
  return settle(acting, intended.value, seen);
}

function isOwed({ course }: MissionState): boolean {
  return Object.keys(course?.effects ?? {}).length > 0;
}

async function intend(acting: Acting, delivering: Delivering, state: MissionState): Promise<Verdict<MissionState>> {
  const { world, desk, principal } = acting;
  const { bench, kit } = world;
  const { effects } = delivering;
  const plan = state.course!.plan!;
  // Re-checked at use: the world an approval was given for.
  await assertBaseStands(bench, delivering.base, plan.base_commit);
  const planned = state.course!.attempt!.planned;
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
          votesExpireAt: delivering.votesExpireAt,
        },
        names,
      ),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

/** Another writer began, and is gone: the same effects, under a higher fence. */
async function takeOver({ world, desk, principal }: Acting, state: MissionState): Promise<Verdict<MissionState>> {
  const names = namesFrom(world.bench.parts.ids);
  if (
    state.course?.lease?.holder === principal &&
    state.course.lease.mode === 'mutable' &&
    state.course.lease.expires_at > instant(world)
  )
    return accept(state);
  const written = await desk.transact({
    decide: (now) => {
      const at = underWay(now);
      if (at.is === 'refused') return at;
      return accept([
        ...endLease(at.value, principal),
        inAttempt('lease.acquired', names('lease'), at.value, {
          expires_at: instant(world, LEASE_MINUTES * MINUTE_SECONDS),
          fence: at.value.course.fence + 1,
          holder_principal_id: principal,
          mode: 'mutable',
          workspace_id: names('workspace'),
        }),
      ]);
    },
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

async function causeAll(acting: Acting, delivering: Delivering, state: MissionState): Promise<readonly Outcome[]> {
  const { bench } = acting.world;
  const { crypto } = bench.parts;
  const course = state.course!;
  const specs = parseEffects(await readDocument(bench, acting.ref, course.attempt!.planned!.params_ref));
  if (specs.is === 'refused') throw new Failure(specs.code, specs.facts);
  const outcomes: Outcome[] = [];
  // In the order of the plan: a pull request needs its branch.
  for (const spec of specs.value) {
    const hash = effectHash(crypto, spec);
    const entry = Object.entries(course.effects).find(([, one]) => one.effect === hash);
    if (entry === undefined) continue;
    const seen = await causeOne(delivering.executors, spec, () => delivering.onStep?.(`cause ${spec.kind}`));
    outcomes.push({ effect: entry[0], ...outcomeOf(seen) });
  }
  return outcomes;
}

/** Looks first: what is there already, by us or by whoever died before us, is not caused again. */
async function causeOne(
  executors: Executors,
  spec: EffectSpec,
  onCause: () => Promise<void> | void | undefined,
): Promise<Seen> {
  const executor = executors[spec.kind] as Executor | undefined;
  if (executor === undefined) return { is: 'refused', reason: 'effect_unavailable' };
  const before = await looked(executor, spec);
  if (before.is !== 'absent') return before;
  await onCause();
  try {
    await executor.apply(spec);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const after = await looked(executor, spec);
    // Refused and not there: that is an answer. Not there, and nobody knows whether it is still on its way: that is none.
    if (after.is !== 'absent') return after;
    return error.retry === undefined ? { is: 'refused', reason: error.code } : { is: 'unknown', reason: error.code };
  }
  const after = await looked(executor, spec);
  return after.is === 'absent' ? { is: 'unknown', reason: 'effect_refused' } : after;
}

async function looked(executor: Executor, spec: EffectSpec): Promise<Seen> {
  try {
    return await executor.observe(spec);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { is: 'unknown', reason: error.code };
  }
}

function outcomeOf(seen: Seen): Omit<Outcome, 'effect'> {
  switch (seen.is) {
    case 'applied':
      return { outcome: 'applied', oid: seen.oid, number: seen.number, reason: 'applied' };
    case 'refused':
      return { outcome: 'refused', oid: null, number: null, reason: seen.reason };
    case 'absent':
      return { outcome: 'failed', oid: null, number: null, reason: 'effect_refused' };
    case 'unknown':
      return { outcome: 'unknown_outcome', oid: null, number: null, reason: seen.reason };
  }
}

async function settle(
  { world, ref, desk }: Acting,
  state: MissionState,
  seen: readonly Outcome[],
): Promise<Verdict<MissionState>> {
  const names = namesFrom(world.bench.parts.ids);
  const { attempt, plan } = state.course!;
  const evidence = await evidenceOf(world.bench, ref, attempt!.id);
  const isSettled = seen.every(({ outcome }) => outcome !== 'unknown_outcome');
  const written = await desk.transact({
    decide: (now) => {
      if (now?.course?.lease?.fence !== state.course!.lease!.fence)
        return refuse('lease_lost', { fence: state.course!.lease!.fence, current: now?.course?.fence ?? 0 });
      return decideOutcomes(now, { seen, evidence, inputs: [plan!.plan] }, names);
    },
    ...(isSettled ? { inProject: releaseClaims(state.ledger_id, state.project_id) } : {}),
  });
  return written.is === 'refused' ? written : accept(written.value.state);
}

function document(effects: readonly EffectSpec[]): { content: Uint8Array; mediaType: string } {
  return { content: effectsBytes(effects), mediaType: 'application/json' };
}
