// Calling a mission off, and what follows from it: at once where nothing runs and the signer may say it, else by whoever
// comes next and may. Everything that is open gets its receipt before it goes.
import { CANCELLED } from '../attempt/blame.ts';
import { isOver } from '../course/attempt-status.ts';
import { theStep } from '../course/steps.ts';
import type { Course } from '../course/course.ts';
import type { EventOf } from '../event.ts';
import type { Role } from '../principal.ts';
import { maySignReceipt } from '../receipt/classes.ts';
import type { Member } from '../roster/roster.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { inAttempt, within, type Drafts, type Names, type UnderWay } from './about.ts';
import { effectsNotDone } from './outcomes.ts';
import { approvalReceipt, runReceipt } from './receipts.ts';
import { closeLost, endLease, LOST, type Silent } from './recover.ts';

export type Cancelling = EventOf<'mission.cancelled'>['payload'] & {
  /** Whose word it is, where that is not the signer. */
  readonly actor?: Pick<Member, 'principal_id' | 'principal_type'> | undefined;
};

/** `by`: the signer, who also says what follows where it may. */
export function decideCancel(
  state: MissionState | undefined,
  { actor, ...said }: Cancelling,
  by: string,
  names: Names,
): Verdict<Drafts> {
  const open = stillOpen(state);
  if (open.is === 'refused') return open;
  const { course, mission } = open.value;
  const cancelled: Drafts = [{ ...within('mission.cancelled', mission, mission, said), actor }];
  const isFree = course.lease === null && Object.keys(course.cells).length === 0;
  return accept(
    isFree && maySayItIsOver(rolesOf(open.value, by)) ? [...cancelled, ...ending(open.value, by, names)] : cancelled,
  );
}

/** What a mission that was called off still needs: nobody works on it any more, or whoever did is gone. */
export function decideCalledOff(
  state: MissionState | undefined,
  { by, silent }: { readonly by: string; readonly silent?: Silent | undefined },
  names: Names,
): Verdict<Drafts> {
  const open = stillOpen(state);
  if (open.is === 'refused') return open;
  if (open.value.course.cancelled === null) return refuse('mission_under_way', { mission: open.value.mission });
  return accept(ending(open.value, by, names, silent));
}

type Open = Pick<MissionState, 'roster' | 'tasks'> & { readonly mission: string; readonly course: Course };

function stillOpen(state: MissionState | undefined): Verdict<Open> {
  if (state === undefined) return refuse('ledger_not_opened');
  const { course, ledger_id: mission, roster, tasks } = state;
  if (course === undefined) return refuse('nothing_proposed', { mission });
  return course.end === null
    ? accept({ mission, roster, tasks, course: theStep(course) })
    : refuse('mission_over', { mission, outcome: course.end.outcome });
}

function rolesOf({ roster }: Open, principal: string): readonly Role[] {
  return roster.members.find(({ principal_id }) => principal_id === principal)?.roles ?? [];
}

/** Only gate and writer end a mission; a person’s word stands until one of them comes by. */
function maySayItIsOver(roles: readonly Role[]): boolean {
  return roles.includes('gate') || roles.includes('writer');
}

function ending(state: Open, by: string, names: Names, silent?: Silent): Drafts {
  const { course, mission, tasks } = state;
  const { step, attempt } = course;
  const because = CANCELLED;
  const over = within('mission.ended', mission, mission, { because, outcome: 'cancelled' });
  if (step === null) return [over];
  const { task } = step;
  const cancelledTask = MAY_BE_CANCELLED.has(tasks[task] ?? '')
    ? [within('task.cancelled', task, task, { because })]
    : [];
  if (attempt === null) return [...cancelledTask, over];
  const at = { mission, course, task, step: step.id, attempt: attempt.id };
  const gone: Drafts = [
    ...endLease(at, by, silent),
    ...closeLost(at),
    ...invalidated(at, names),
    ...(isOver(attempt.status)
      ? []
      : [...receipts(at, names), inAttempt('attempt.cancelled', at.attempt, at, { because })]),
  ];
  const roles = rolesOf(state, by);
  const mine = gone.filter((one) => one.event_type !== 'receipt.issued' || maySignReceipt(one.payload, roles));
  return [...mine, ...cancelledTask, over];
}

const MAY_BE_CANCELLED: ReadonlySet<string> = new Set(['ready', 'running', 'blocked', 'paused']);

/** Questions that nobody has to answer any more. */
function invalidated(at: UnderWay, names: Names): Drafts {
  const { approvals, requests } = at.course;
  return Object.entries(approvals)
    .filter(([, { granted }]) => !granted)
    .flatMap(([approval, { request }], n): Drafts => [
      inAttempt('approval.invalidated', approval, at, { because: CANCELLED }),
      approvalReceipt(at, names(`receipt not asked ${n}`), {
        approval,
        request,
        policy: requests[request]?.policy?.ref ?? null,
        result_code: 'refused',
        result_summary: CANCELLED,
      }),
    ]);
}

/** Of the run, begun or not, and of effects that were asked for. */
function receipts(at: UnderWay, names: Names): Drafts {
  const { course } = at;
  const isBegun = Object.values(course.runs).some(({ receipt }) => receipt === null);
  const result_code = isBegun && course.attempt!.verdict !== 'satisfied' ? 'failed' : 'refused';
  const lost = Object.keys(course.cells).length > 0 ? LOST : undefined;
  return [
    ...effectsNotDone(at, course, CANCELLED, names),
    ...runReceipt(at, names('receipt run'), { result_code, result_summary: CANCELLED }, lost),
  ];
}
