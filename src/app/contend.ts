// The race for references that several writers move: prepare, compare-and-swap, and when it is lost, wait and prepare
// again. Never forces, never guesses: a push without an answer stays open until somebody can be asked. Knows no ledger.
import { Failure } from '../failure.ts';
import type { TreeHead } from '../kernel/values.ts';
import { REASONS } from '../reasons.ts';
import type { PushOutcome } from '../ports/remote.ts';
import type { Change } from '../ports/repository.ts';

export type Attempt<T> =
  | { readonly is: 'over'; readonly value: T }
  /** Not worth sending: prepare once more, without a pause. */
  | { readonly is: 'again' }
  | { readonly is: 'ready'; readonly change: Change; readonly landed: () => Promise<T>; readonly lost?: () => void };

/** Waits a random time up to the first given, and not less than the second. */
export type BackOff = (upToMs: number, atLeastMs?: number) => Promise<void>;

export type Contest = {
  /** Compare-and-swap of all that a change moves. */
  readonly push: (change: Change) => Promise<PushOutcome>;
  readonly backOff: BackOff;
  /** What the failures are about. */
  readonly ref: string;
  /** Of a ledger that is raced for. */
  readonly size?: () => TreeHead['size'];
  /** How many others are known to write there now; absent where nobody can tell. */
  readonly rivals?: () => number;
};

/** `isUnsure`: a push before this attempt was not answered, and may still land. */
type At = { readonly attempt: number; readonly isUnsure: boolean };

export async function contend<T>(
  { push, backOff, ref, size, rivals }: Contest,
  prepare: (at: At) => Promise<Attempt<T>>,
): Promise<T> {
  let isUnsure = false;
  for (let attempt = 1; ; attempt++) {
    const at: At = { attempt, isUnsure };
    const one = await orUnsure(ref, at, () => prepare(at));
    if (one.is === 'over') return one.value;
    if (one.is === 'again') continue;
    const outcome = await orUnsure(ref, at, () => push(one.change));
    if (outcome.is === 'landed') return one.landed();
    one.lost?.();
    if (outcome.is === 'refused' && !isUnsure)
      throw new Failure('push_rejected', { ref: outcome.ref, why: outcome.why });
    // An unanswered push may land after the next look at the ledger, and be what the next race is lost to.
    isUnsure ||= outcome.is === 'unknown';
    if (attempt >= ATTEMPTS_MAX || outcome.is === 'refused')
      throw isUnsure
        ? new Failure('push_unknown', { ref, attempts: attempt }, { retry: 'later' })
        : new Failure('head_moved', { ref, attempts: attempt, ...(size && { size: size() }) }, { retry: 'reload' });
    const isRace = outcome.is === 'moved' && outcome.isHeld !== true;
    await backOff(pauseMs(attempt, isRace ? rivals?.() : undefined));
  }
}

/** At most. Whoever has few rivals would sleep through the gaps that those leave; of many, most would be in each other's way. */
function pauseMs(attempt: number, rivals: number | undefined): number {
  const capMs =
    rivals === undefined ? BACK_OFF_CAP_MS : Math.min(BACK_OFF_CAP_MS, BACK_OFF_PER_RIVAL_MS * Math.max(rivals, 1));
  return Math.min(BACK_OFF_BASE_MS * 4 ** attempt, capMs, capMs * (SENIOR_ATTEMPTS / attempt));
}

/** While a push is unanswered, whatever stops us leaves it open: another reason would sound like nothing was sent. */
async function orUnsure<T>(ref: string, { attempt, isUnsure }: At, job: () => Promise<T>): Promise<T> {
  try {
    return await job();
  } catch (cause) {
    const isAboutTheLedger = cause instanceof Failure && REASONS[cause.code].exit === EXIT_INTEGRITY;
    if (!isUnsure || isAboutTheLedger) throw cause;
    throw new Failure('push_unknown', { ref, attempts: attempt }, { cause, retry: 'later' });
  }
}

/** Of reasons that say the ledger is not as it should be: those go before any doubt. */
const EXIT_INTEGRITY = 6;
const ATTEMPTS_MAX = 60;
const BACK_OFF_BASE_MS = 5;
const BACK_OFF_CAP_MS = 400;
const BACK_OFF_PER_RIVAL_MS = 40;
/** Whoever has lost more often than this waits less and less: a growing wait would let newcomers pass it for ever. */
const SENIOR_ATTEMPTS = 8;
