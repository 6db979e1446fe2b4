// What an agent said of its own work, read and judged for contradictions. Shown to whoever explains the attempt; it makes
// no verdict and breaks none, for that comes from running the checks again.
import { judgeBlocked, parseBlocked } from '../../kernel/contract/blocked.ts';
import { parseDone } from '../../kernel/contract/done.ts';
import { judgeStop, type Stop } from '../../kernel/contract/stop.ts';
import { accept, type Verdict } from '../../kernel/verdict.ts';

export type JudgedClaims = {
  /** The way in which the session ended, if it is one of the legal ones. */
  readonly stop: Verdict<Stop>;
  /** Each question that was handed sideways. */
  readonly blocked: readonly Verdict<'legal'>[];
};

export type Claims = {
  readonly claim: string | undefined;
  readonly blocked: readonly string[];
  /** Something was made all the same: the fallback was really carried out. */
  readonly hasWork: boolean;
};

export function judgeClaims({ claim, blocked, hasWork }: Claims, gates: readonly string[]): JudgedClaims {
  const questions = blocked.map(parseBlocked);
  const done = claim === undefined ? undefined : parseDone(claim);
  const asked = questions.find((one) => one.is === 'accepted')?.value;
  return {
    stop:
      done?.is === 'refused' ? done : judgeStop({ done: done?.value, blocked: asked, fallbackRunning: hasWork }, gates),
    blocked: questions.map((one) => {
      const judged = one.is === 'refused' ? one : judgeBlocked(one.value, hasWork);
      return judged.is === 'refused' ? judged : accept('legal');
    }),
  };
}

/** A claim is input: what it says is recorded, whether it is even readable, and nothing follows from it. */
export function statusOf(claim: string): 'done_clean' | 'pending' | 'failed' | 'unreadable' {
  const done = parseDone(claim);
  return done.is === 'accepted' ? done.value.status : 'unreadable';
}
