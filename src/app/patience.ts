// Waits for a forge that is away for a while: asks the same thing again, with growing pauses, for as long as whoever asks can
// afford. Only what certainly was not done is repeated; an answer that was lost is for others to look up.
import { Failure } from '../failure.ts';
import type { Remote } from '../ports/remote.ts';
import type { BackOff } from './contend.ts';

export type Patience = <T>(ask: () => Promise<T>) => Promise<T>;

type Waits = {
  /** How long the other side may be away at a stretch. */
  readonly awayMsMax: number;
  readonly nowMs: () => number;
  readonly backOff: BackOff;
  /** Told once for each time that somebody has to wait. */
  readonly onAway?: (failure: Failure) => void;
  readonly onBack?: (awayMs: number) => void;
  /** Aborted when there is no time left to wait: whoever waits asks once more, and fails then. */
  readonly over?: AbortSignal;
};

export function patienceFor({ awayMsMax, nowMs, backOff, onAway, onBack, over }: Waits): Patience {
  return async (ask) => {
    let goneMs: number | undefined;
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await ask();
        if (goneMs !== undefined) onBack?.(nowMs() - goneMs);
        return answer;
      } catch (error) {
        if (!isAway(error)) throw error;
        if (goneMs === undefined) onAway?.(error);
        goneMs ??= nowMs();
        const leftMs = awayMsMax - (nowMs() - goneMs);
        if (leftMs <= 0 || over?.aborted === true) throw error;
        const upToMs = Math.min(FIRST_PAUSE_MS * 2 ** attempt, PAUSE_MS_MAX, leftMs);
        await backOff(upToMs, upToMs / 2);
      }
    }
  };
}

/** A push that was sent and not answered is no failure but an outcome, and is passed on. */
export function withPatience(remote: Remote, patience: Patience): Remote {
  return {
    ...remote,
    heads: (refs) => patience(() => remote.heads(refs)),
    fetch: (...asked) => patience(() => remote.fetch(...asked)),
    fetchPart: (...asked) => patience(() => remote.fetchPart(...asked)),
    push: (change) => patience(() => remote.push(change)),
    pushStored: (updates) => patience(() => remote.pushStored(updates)),
  };
}

function isAway(error: unknown): error is Failure {
  return (
    error instanceof Failure &&
    error.retry === 'later' &&
    (error.code === 'remote_unreachable' || error.code === 'forge_unreachable')
  );
}

const FIRST_PAUSE_MS = 500;
/** A forge that comes back is noticed this soon; a hundred jobs that wait for it ask it seven times a second. */
const PAUSE_MS_MAX = 15_000;

/**
 * How long a job waits for a forge that is away: a restart takes half a minute. Work of hours waits for longer, but not
 * beyond its lease, which ends a quarter of an hour after the agent's time: what comes later counts for nothing. What is not
 * handed over by then waits on the disk (`mission/stow.ts`).
 */
export const AWAY_MS_MAX = {
  gate: 120_000,
  reconcile: 120_000,
  wake: 120_000,
  writer: 300_000,
  cell: 600_000,
} as const;
