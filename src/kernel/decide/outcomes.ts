// What became of the effects: outcomes and receipts, and the end of the mission when nothing is owed any more.
import { mustAskAgain } from '../attempt/blame.ts';
import type { EventOf } from '../event.ts';
import type { Course, Effect } from '../course/course.ts';
import { RESULT_OF } from '../receipt/classes.ts';
import { subjectOf } from '../receipt/due.ts';
import type { MissionState } from '../state.ts';
import { accept, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, within, type Drafts, type Names, type UnderWay } from './about.ts';
import { receiptOf, runReceipt } from './receipts.ts';

export type Outcome = Omit<EventOf<'effect.observed'>['payload'], 'fence'> & { readonly effect: string };

export type Outcomes = {
  readonly seen: readonly Outcome[];
  /** What the writer ran as and where, an artifact. */
  readonly environment: string;
  /** What the history has to show for the run. */
  readonly outputs: readonly string[];
};

export function decideOutcomes(state: MissionState | undefined, outcomes: Outcomes, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const fence = at.value.course.lease?.fence ?? at.value.course.fence;
  const reasons = new Map(outcomes.seen.map(({ effect, reason }) => [effect, reason]));
  const course = withOutcomes(at.value.course, outcomes.seen);
  const observed = outcomes.seen.map(({ effect, ...seen }): Drafts[number] =>
    inAttempt('effect.observed', effect, at.value, { ...seen, fence }),
  );
  const settled = Object.keys(course.effects).filter((id) => course.effects[id]!.settled_by !== undefined);
  const receipts = [...reasons.keys(), ...settled].flatMap((subject, n): Drafts => {
    const outcome = course.effects[subject]?.outcome ?? null;
    if (outcome === null) return [];
    const about = { id: names(`receipt effect ${n}`), subject };
    return receiptOf(at.value, course, about, {
      environment_ref: outcomes.environment,
      replay_class: 'observe_only',
      result_code: RESULT_OF[outcome],
      result_summary: reasons.get(subject) ?? 'settled_by_person',
    });
  });
  const open = Object.values(course.effects);
  // What nobody could look at is as open as what was looked for in vain.
  if (open.some(({ outcome }) => outcome === null || outcome === 'unknown_outcome'))
    return accept([...observed, ...receipts, released(at.value, 'unknown_outcome', fence)]);
  const isAllApplied = (course.attempt!.planned?.effects ?? open).every(
    ({ request, outcome }) => (open.find((one) => one.request === request)?.outcome ?? outcome) === 'applied',
  );
  const ending = isAllApplied
    ? success(at.value, outcomes.outputs, names)
    : failure(at.value, 'effect_refused', notDone(at.value, course, 'effect_refused', names));
  return accept([...observed, ...receipts, ...ending]);
}

function withOutcomes(course: Course, seen: readonly Outcome[]): Course {
  const known = seen.flatMap(({ effect, outcome }): [string, Effect][] => {
    const open = course.effects[effect];
    return open === undefined ? [] : [[effect, { ...open, outcome }]];
  });
  return { ...course, effects: { ...course.effects, ...Object.fromEntries(known) } };
}

/**
 * Work that was handed over and may not leave: the writer's own judgement, with its receipts. It ends the mission, unless
 * it is the world that changed: then people are asked about it as it is now.
 */
export function decideRefusedWork(state: MissionState | undefined, because: string, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  return accept(failure(at.value, because, notDone(at.value, at.value.course, because, names)));
}

/** Nothing comes of the run, and nothing of what it was to cause and did not begin to. */
function notDone(at: UnderWay, course: Course, because: string, names: Names): Drafts {
  return [
    ...effectsNotDone(at, course, because, names),
    ...runReceipt(at, names('receipt run'), { result_code: 'refused', result_summary: because }),
  ];
}

/** Of every effect that was asked for and not begun. */
export function effectsNotDone(at: UnderWay, course: Course, because: string, names: Names): Drafts {
  const said = { replay_class: 'explain_only', result_code: 'refused', result_summary: because } as const;
  const effects = Object.keys(course.requests).filter((id) => course.requests[id]!.kind !== null);
  return effects.flatMap((subject, n) => {
    const due = subjectOf(course, subject);
    if (!('due' in due) || due.due.receipt_class !== 'publish') return [];
    return receiptOf(at, course, { id: names(`receipt not done ${n}`), subject }, said);
  });
}

function success(at: UnderWay, outputs: readonly string[], names: Names): Drafts {
  const { task, mission, attempt, course } = at;
  return [
    ...runReceipt(at, names('receipt run'), {
      output_refs: outputs,
      result_code: 'succeeded',
      result_summary: 'verified',
    }),
    inAttempt('attempt.succeeded', attempt, at, {}),
    ...(course.lease === null ? [] : [released(at, 'finished', course.lease.fence)]),
    within('task.completed', task, task, { evidence: [...outputs] }),
    within('mission.ended', mission, mission, { because: 'verified', outcome: 'done' }),
  ];
}

function failure(at: UnderWay, because: string, receipts: Drafts): Drafts {
  const { task, mission, attempt, course } = at;
  return [
    ...receipts,
    inAttempt('attempt.failed', attempt, at, { because }),
    ...(course.lease === null ? [] : [released(at, because, course.lease.fence)]),
    ...(mustAskAgain(because)
      ? []
      : [
          within('task.failed', task, task, { because }),
          within('mission.ended', mission, mission, { because, outcome: 'failed' }),
        ]),
  ];
}

function released(at: UnderWay, because: string, fence: number): Drafts[number] {
  return inAttempt('lease.released', at.course.lease!.id, at, { because, fence });
}
