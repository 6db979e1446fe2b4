// Taking over from somebody who is gone: the lease ends, the cell is closed as lost, and a new attempt begins under what
// people approved. An attempt whose effects may have happened is never begun again; its effects are looked at.
import { isOver } from '../course/attempt-status.ts';
import type { EventOf } from '../event.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, within, type Drafts, type Names, type UnderWay } from './about.ts';
import { runReceipt } from './receipts.ts';
import { runGrant } from './agreed.ts';
import { actionDrafts, nextAttempt, RUN, type Planning } from './plan.ts';

/** What a gate vouches for: nothing was heard of the lease with this fence since its last beacon. */
export type Silent = { readonly fence: number; readonly silence: EventOf<'lease.expired'>['payload']['silence'] };

/** The lease of somebody gone: let go by its own holder, or expired by others once its time is over or its holder silent. */
export function endLease({ course, ...at }: UnderWay, by: string, silent?: Silent): Drafts {
  const { lease } = course;
  if (lease === null) return [];
  return lease.holder === by
    ? [inAttempt('lease.released', lease.id, at, { because: 'abandoned', fence: lease.fence })]
    : [
        inAttempt('lease.expired', lease.id, at, {
          fence: lease.fence,
          silence: silent?.fence === lease.fence ? silent.silence : null,
        }),
      ];
}

export type Recovery = Pick<Planning, 'actions' | 'terms' | 'votesExpireAt'>;

/**
 * Closes what was lost; begins the next attempt, or ends the mission when there may be no more. Without `recovery` it is
 * left at that, for what people approved no longer holds, and they are asked first; and while somebody holds the mission.
 */
export function decideRecovery(
  state: MissionState | undefined,
  {
    recovery,
    by,
    silent,
  }: { readonly recovery: Recovery | undefined; readonly by: string; readonly silent?: Silent | undefined },
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  if (Object.keys(course.effects).length > 0) return refuse('receipt_missing', { mission: at.value.mission });
  const lost: Drafts = [...endLease(at.value, by, silent), ...closeLost(at.value), ...failLost(at.value, names)];
  // Only the lease was left behind: what was asked for is done.
  if (course.attempt!.status === 'succeeded') return accept(lost);
  const approval = Object.entries(course.approvals).find(([, one]) => one.type === 'plan' && one.granted);
  if (course.attempt!.no >= course.step!.max_attempts) return accept([...lost, ...giveUp(state!, at.value)]);
  if (recovery === undefined || course.held !== null) return accept(lost);
  if (approval === undefined) return accept([...lost, ...giveUp(state!, at.value)]);
  return accept([...lost, ...again(at.value, recovery, approval[0], names)]);
}

/** The agent's cell, or those of the checks: whatever was open when its supervisor went. */
export function closeLost({ course, ...at }: UnderWay): Drafts {
  const { cells, fence } = course;
  return Object.keys(cells).map((cell) =>
    inAttempt('cell.closed', cell, at, { because: 'runner_lost', exit_code: null, fence, ...LOST }),
  );
}

export const LOST: Pick<EventOf<'cell.closed'>['payload'], 'facts' | 'output' | 'outcome' | 'spent'> = {
  facts: null,
  output: null,
  outcome: 'lost',
  spent: [],
};

function failLost(at: UnderWay, names: Names): Drafts {
  if (isOver(at.course.attempt!.status)) return [];
  return [
    ...runReceipt(at, names('receipt lost'), { result_code: 'failed', result_summary: 'runner_lost' }, LOST),
    inAttempt('attempt.failed', at.attempt, at, { because: 'runner_lost' }),
  ];
}

/** A task that nobody ever began cannot have failed. */
function giveUp({ tasks }: MissionState, { task, mission }: UnderWay): Drafts {
  const because = 'attempts_exhausted';
  const isBegun = tasks[task] !== 'ready';
  return [
    within(isBegun ? 'task.failed' : 'task.cancelled', task, task, { because }),
    within('mission.ended', mission, mission, { because, outcome: isBegun ? 'failed' : 'cancelled' }),
  ];
}

/** Inside a cell nothing has reached the world: the same approval covers another try at the same plan. */
function again(at: UnderWay, { actions, terms, votesExpireAt }: Recovery, approval: string, names: Names): Drafts {
  const attempt = names('attempt');
  const next = { task: at.task, step: at.step, attempt };
  const run = actions.find(({ name }) => name === RUN)!;
  return [
    nextAttempt(at.course, next),
    ...actionDrafts({ actions, terms }, next, names),
    runGrant(
      {
        ...next,
        approval,
        of: { expires_at: votesExpireAt },
        run: { request: names(`request ${RUN}`), policy: names(`policy ${RUN}`), targets: run.targets },
      },
      names,
    ),
  ];
}
