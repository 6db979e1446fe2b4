// What a receipt has to say of its subject: computed from what state knows of it and of what was used for it, for those who
// write receipts and for those who judge them. Only who vouches for the rest is the signer's word.
import { EFFECT_KINDS } from '../course/classes.ts';
import type { Attempt, Course, Effect, Request, Run } from '../course/course.ts';
import { NO_ROLLBACK, RESULT_OF, type Receipt } from './classes.ts';

type Used = Pick<
  Receipt,
  'action_request_ref' | 'approval_ref' | 'capability_grant_ref' | 'decision_ref' | 'input_refs' | 'policy_result_ref'
>;

export type Due = Used & {
  readonly receipt_class: Receipt['receipt_class'];
  readonly results: readonly Receipt['result_code'][];
  readonly rollback: Receipt['rollback'];
  /** Undefined: what the writer ran as, a document that the ledger cannot know before. */
  readonly environment_ref: string | null | undefined;
  /** Among its outputs; `only`: and nothing else. */
  readonly outputs: { readonly only: boolean; readonly refs: readonly string[] };
};

/** `unknown`: nothing that state knows. `receipted`: it has its receipt. `open`: nothing can be said of it yet. */
export type Subject =
  | { readonly is: 'effect' | 'run' | 'approval' | 'request'; readonly due: Due }
  | { readonly is: 'unknown' | 'receipted' | 'open' };

export function subjectOf(course: Course, id: string): Subject {
  const effect = course.effects[id];
  if (effect !== undefined) return effectSubject(course, effect);
  const run = course.runs[id];
  if (run !== undefined) return runSubject(course, run);
  if (course.owed[id] !== undefined || course.approvals[id] !== undefined) return approvalSubject(course, id);
  const request = course.requests[id];
  if (request !== undefined) return requestSubject(course, id, request);
  return { is: wasReceipted(course.attempt, id) ? 'receipted' : 'unknown' };
}

/** An effect that is over, or its request. */
function wasReceipted(attempt: Attempt | null, id: string): boolean {
  const effects = attempt?.planned?.effects ?? [];
  return effects.some(({ intent, request, outcome }) => outcome !== null && (intent === id || request === id));
}

function effectSubject(course: Course, effect: Effect): Subject {
  const { outcome, settled_by, settled_on, request, params_ref, kind } = effect;
  if (outcome === null) return { is: 'open' };
  const isDone = outcome === 'applied' || outcome === 'unknown_outcome';
  const due = {
    ...used(course, request, effect.approval, effect.grant),
    input_refs: [params_ref],
    receipt_class: settled_by === undefined ? ('publish' as const) : ('observation_resolution' as const),
    results: [RESULT_OF[outcome]],
    environment_ref: undefined,
    outputs: { only: true, refs: settled_on ?? [] },
    rollback: isDone ? EFFECT_KINDS[kind].rollback : NO_ROLLBACK,
  };
  return { is: 'effect', due: settled_by === undefined ? due : { ...due, decision_ref: settled_by } };
}

function runSubject(course: Course, { request, approval, grant, closed, receipt }: Run): Subject {
  if (receipt !== null) return { is: 'receipted' };
  if (closed === null) return { is: 'open' };
  const isVerified = course.attempt?.verdict === 'satisfied' && closed.outcome !== 'lost';
  return {
    is: 'run',
    due: {
      ...used(course, request, approval, grant),
      input_refs: [course.plan!.plan],
      receipt_class: 'command_execution',
      results: isVerified ? ['succeeded', 'refused'] : ['failed'],
      environment_ref: closed.facts,
      outputs: { only: false, refs: closed.output === null ? [] : [closed.output] },
      rollback: NO_ROLLBACK,
    },
  };
}

function approvalSubject(course: Course, id: string): Subject {
  const settled = course.owed[id];
  // One that is granted and owes nothing has its receipt; one that is not granted waits for people.
  if (settled === undefined) return { is: course.approvals[id]!.granted ? 'receipted' : 'open' };
  return {
    is: 'approval',
    due: {
      ...used(course, settled.request, id, null),
      input_refs: [],
      receipt_class: 'approval_resolution',
      results: [settled.result],
      ...NOTHING_DONE,
    },
  };
}

/** What policy denied, and what was granted or planned and never begun. */
function requestSubject(course: Course, id: string, { kind, policy, receipted }: Request): Subject {
  if (receipted) return { is: 'receipted' };
  const isDenied = policy?.result === 'deny' || policy?.result === 'downgrade';
  const isBegun = [...Object.values(course.effects), ...Object.values(course.runs)].some(
    ({ request }) => request === id,
  );
  if (isBegun || policy === null) return { is: 'open' };
  const [grant, granted] = Object.entries(course.grants).find(([, one]) => one.request === id) ?? [null, undefined];
  return {
    is: 'request',
    due: {
      ...used(course, id, granted?.approval ?? null, grant),
      input_refs: [course.plan!.plan],
      receipt_class: isDenied ? 'approval_resolution' : kind === null ? 'command_execution' : 'publish',
      results: isDenied ? ['denied'] : kind === null ? ['refused', 'failed'] : ['refused'],
      ...NOTHING_DONE,
    },
  };
}

const NOTHING_DONE = { environment_ref: null, outputs: { only: true, refs: [] }, rollback: NO_ROLLBACK } as const;

function used(
  course: Course,
  request: string,
  approval: string | null,
  grant: string | null,
): Omit<Used, 'input_refs'> {
  return {
    action_request_ref: request,
    approval_ref: approval,
    capability_grant_ref: grant,
    policy_result_ref: course.requests[request]?.policy?.ref ?? null,
  };
}
