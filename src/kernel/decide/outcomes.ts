// What became of the effects: outcomes and receipts, and the end of the mission when nothing is owed any more.
import { mustAskAgain } from '../attempt/blame.ts';
import type { EventOf } from '../event.ts';
import type { MissionState } from '../state.ts';
import { accept, type Verdict } from '../verdict.ts';
import { inAttempt, underWay, within, type Drafts, type Names, type UnderWay } from './about.ts';
import { runReceipt } from './run-receipt.ts';

export type Outcome = Omit<EventOf<'effect.observed'>['payload'], 'fence'> & { readonly effect: string };

export type Outcomes = {
  readonly seen: readonly Outcome[];
  /** What the history has to show for the attempt: receipts point at it. */
  readonly evidence: {
    readonly cell: string | undefined;
    readonly runGrant: string | undefined;
    readonly grants: Readonly<Record<string, string>>;
    /** What a person's word on an effect rests on. */
    readonly settlements: Readonly<Record<string, readonly string[]>>;
    readonly environment: string | null;
    readonly outputs: readonly string[];
  };
  readonly inputs: readonly string[];
};

export function decideOutcomes(state: MissionState | undefined, outcomes: Outcomes, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  const fence = course.lease?.fence ?? course.fence;
  const approval = Object.entries(course.approvals).find(([, one]) => one.granted)?.[0] ?? null;
  const observed = outcomes.seen.map(({ effect, ...seen }): Drafts[number] =>
    inAttempt('effect.observed', effect, at.value, { ...seen, fence }),
  );
  const receipts = outcomes.seen.map(({ effect, outcome, reason }, n): Drafts[number] =>
    effectReceipt(at.value, effect, outcomes, {
      name: names(`receipt effect ${n}`),
      approval,
      said: { receipt_class: 'publish', output_refs: [], result_code: RESULT_OF[outcome], result_summary: reason },
    }),
  );
  const settlements = Object.entries(course.effects).flatMap(([effect, { outcome, settled_by }], n): Drafts => {
    if (settled_by === undefined || outcome === null) return [];
    const said = {
      receipt_class: 'observation_resolution' as const,
      decision_ref: settled_by,
      output_refs: [...(outcomes.evidence.settlements[effect] ?? [])],
      result_code: RESULT_OF[outcome],
      result_summary: 'settled_by_person',
    };
    return [effectReceipt(at.value, effect, outcomes, { name: names(`receipt settled ${n}`), approval, said })];
  });
  const known = new Map(outcomes.seen.map(({ effect, outcome }) => [effect, outcome]));
  const open = Object.entries(course.effects).map(([id, { request, outcome }]) => ({
    request,
    outcome: known.get(id) ?? outcome,
  }));
  // What nobody could look at is as open as what was looked for in vain.
  if (open.some(({ outcome }) => outcome === null || outcome === 'unknown_outcome'))
    return accept([...observed, ...receipts, ...settlements, released(at.value, 'unknown_outcome', fence)]);
  const isAllApplied = (course.attempt!.planned?.effects ?? open).every(
    ({ request, outcome }) => (open.find((one) => one.request === request)?.outcome ?? outcome) === 'applied',
  );
  return accept([
    ...observed,
    ...receipts,
    ...settlements,
    ...(isAllApplied ? success(at.value, outcomes, approval, names) : failure(at.value)),
  ]);
}

type Receipt = EventOf<'receipt.issued'>['payload'];

function effectReceipt(
  at: UnderWay,
  effect: string,
  { evidence }: Outcomes,
  how: {
    readonly name: string;
    readonly approval: string | null;
    readonly said: Pick<Receipt, 'receipt_class' | 'decision_ref' | 'output_refs' | 'result_code' | 'result_summary'>;
  },
): Drafts[number] {
  const { request, params_ref } = at.course.effects[effect]!;
  return inAttempt('receipt.issued', how.name, at, {
    action_request_ref: request,
    approval_ref: how.approval,
    capability_grant_ref: evidence.grants[effect] ?? null,
    environment_ref: null,
    input_refs: [params_ref],
    policy_result_ref: at.course.requests[request]?.policy?.ref ?? null,
    replay_class: 'observe_only',
    rollback: 'unsupported',
    subject_ref: effect,
    ...how.said,
  });
}

/**
 * Work that was handed over and may not leave: the writer's own judgement, with its receipt. It ends the mission, unless
 * it is the world that changed: then people are asked about it as it is now.
 */
export function decideRefusedWork(state: MissionState | undefined, because: string, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course, attempt } = at.value;
  const [request, asked] = Object.entries(course.requests).find(([, { kind }]) => kind !== null) ?? [];
  return accept([
    inAttempt('receipt.issued', names('receipt refused'), at.value, {
      action_request_ref: request ?? attempt,
      approval_ref: Object.entries(course.approvals).find(([, one]) => one.granted)?.[0] ?? null,
      capability_grant_ref: null,
      environment_ref: null,
      input_refs: [],
      output_refs: [],
      policy_result_ref: asked?.policy?.ref ?? null,
      receipt_class: 'publish',
      replay_class: 'explain_only',
      result_code: 'refused',
      result_summary: because,
      rollback: 'unsupported',
      subject_ref: attempt,
    }),
    ...failure(at.value, because),
  ]);
}

function success(at: UnderWay, { evidence, inputs }: Outcomes, approval: string | null, names: Names): Drafts {
  const { task, mission, attempt, course } = at;
  return [
    runReceipt(at, names('receipt run'), {
      approval_ref: approval,
      capability_grant_ref: evidence.runGrant ?? null,
      environment_ref: evidence.environment,
      input_refs: [...inputs],
      output_refs: [...evidence.outputs],
      result_code: 'succeeded',
      result_summary: 'verified',
      subject_ref: evidence.cell ?? attempt,
    }),
    inAttempt('attempt.succeeded', attempt, at, {}),
    ...(course.lease === null ? [] : [released(at, 'finished', course.lease.fence)]),
    within('task.completed', task, task, { evidence: [...evidence.outputs] }),
    within('mission.ended', mission, mission, { because: 'verified', outcome: 'done' }),
  ];
}

function failure(at: UnderWay, because = 'effect_refused'): Drafts {
  const { task, mission, attempt, course } = at;
  return [
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

const RESULT_OF = {
  applied: 'succeeded',
  refused: 'refused',
  failed: 'failed',
  unknown_outcome: 'unknown_outcome',
} as const;
