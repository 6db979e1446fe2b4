// Effects that are owed, looked for and caused: in the order of the plan, each looked for before it is caused and again
// afterwards. Says what was found out and writes nothing; what nobody can tell yet stays open.
import { courseOf } from '../../kernel/course/steps.ts';
import type { Outcome } from '../../kernel/decide/outcomes.ts';
import { effectHash, parseEffects, type EffectSpec } from '../../kernel/effect/spec.ts';
import type { Effect, PlannedEffect } from '../../kernel/course/course.ts';
import type { MissionState } from '../../kernel/state.ts';
import { Failure } from '../../failure.ts';
import type { Executor, Executors, Seen } from '../../ports/effects.ts';
import type { ReasonCode } from '../../reasons.ts';
import { readDocument } from './documents.ts';
import { expectAccepted, type Acting } from './world.ts';

/** One of the plan's effects: open under an id, or over with what its receipt says. */
export type Owed = { readonly spec: EffectSpec } & (
  | { readonly id: string; readonly outcome: Effect['outcome'] }
  | { readonly id: undefined; readonly outcome: PlannedEffect['outcome'] }
);

/** Needs work whose effects were computed. */
export async function owedEffects({ world, ref }: Acting, state: MissionState): Promise<readonly Owed[]> {
  const { attempt, effects } = courseOf(state)!;
  const planned = attempt!.planned!;
  const specs = expectAccepted(parseEffects(await readDocument(world.bench, ref, planned.params_ref)));
  return specs.map((spec): Owed => {
    const effect = effectHash(world.bench.parts.crypto, spec);
    const open = Object.entries(effects).find(([, one]) => one.effect === effect);
    if (open !== undefined) return { spec, id: open[0], outcome: open[1].outcome };
    return { spec, id: undefined, outcome: planned.effects.find((one) => one.effect === effect)?.outcome ?? null };
  });
}

/** Whether looking tells anything that the ledger does not know, or leaves anything that may be caused. */
export async function isThereNews(executors: Executors, owed: readonly Owed[]): Promise<boolean> {
  let isFree = true;
  for (const one of owed) {
    const executor = executors[one.spec.kind] as Executor | undefined;
    if (one.id === undefined) continue;
    // A person said so: what it lacks is its receipt.
    if (isKnown(one)) return true;
    const seen = executor === undefined ? undefined : await looked(executor, one.spec);
    if (seen?.is === 'applied' || seen?.is === 'refused') return true;
    // What rests on something open cannot be caused before that is known.
    if (isFree && seen?.is === 'absent' && mayCause(executor!, one)) return true;
    isFree = false;
  }
  return false;
}

export type Causing = {
  readonly executors: Executors;
  /** Throws when somebody took over: whoever slept through that causes nothing any more. */
  readonly assertHeld: () => Promise<void>;
  readonly onCause: (kind: EffectSpec['kind']) => Promise<void> | void;
};

/** Only what was found out. An effect rests on those before it: without its branch no pull request is opened. */
export async function causeAll(causing: Causing, owed: readonly Owed[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  let before: 'applied' | 'refused' | 'open' = 'applied';
  for (const one of owed) {
    let applied = one.outcome === 'applied';
    if (one.id !== undefined && !isKnown(one)) {
      const seen = await causeOne(causing, one, before);
      applied = seen?.is === 'applied';
      if (seen !== undefined) outcomes.push({ effect: one.id, ...outcomeOf(seen) });
      if (seen === undefined || seen.is === 'unknown') before = before === 'refused' ? before : 'open';
      else if (!applied) before = 'refused';
    } else if (!applied) before = 'refused';
  }
  return outcomes;
}

/** Neither looked for nor caused any more. */
function isKnown({ outcome }: Owed): boolean {
  return outcome !== null && outcome !== 'unknown_outcome';
}

/** Undefined: nothing is known that was not known before, so there is nothing to receipt. */
async function causeOne(
  { executors, assertHeld, onCause }: Causing,
  one: Owed,
  before: 'applied' | 'refused' | 'open',
): Promise<Seen | undefined> {
  const { spec } = one;
  const executor = executors[spec.kind] as Executor | undefined;
  if (executor === undefined) return undefined;
  const seen = await looked(executor, spec);
  // Nobody could be asked, and nothing was tried: it stays intended, and the next run goes on from there.
  if (seen.is === 'unknown') return undefined;
  if (seen.is !== 'absent') return seen;
  if (before === 'refused') return { is: 'refused', reason: 'effect_missing' };
  if (before === 'open' || !mayCause(executor, one)) return undefined;
  await onCause(spec.kind);
  await assertHeld();
  const caused = await cause(executor, spec);
  return caused?.is === 'unknown' && one.outcome === 'unknown_outcome' ? undefined : caused;
}

/** What may be on its way already is not sent a second time, unless twice is the same as once. */
function mayCause(executor: Executor, { outcome }: Owed): boolean {
  return outcome !== 'unknown_outcome' || executor.isIdempotent;
}

async function cause(executor: Executor, spec: EffectSpec): Promise<Seen | undefined> {
  try {
    await executor.apply(spec);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const after = await looked(executor, spec);
    if (after.is === 'applied' || after.is === 'refused') return after;
    if (NEVER_SENT.has(error.code)) return undefined;
    // Refused and not there: that is an answer. Not there, and nobody knows whether it is still on its way: that is none.
    return { is: error.retry === 'never' ? 'refused' : 'unknown', reason: error.code };
  }
  const after = await looked(executor, spec);
  return after.is === 'absent' ? { is: 'unknown', reason: 'effect_refused' } : after;
}

/** Whoever guards it was not reached, or did not know us: the intent stands as it was, for a better day or credential. */
const NEVER_SENT: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'authentication_needed',
  'forge_scope_missing',
  'forge_unreachable',
]);

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
