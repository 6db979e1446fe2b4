// A cell's life as the ledger tells it: lease and birth before anything runs, hand-over or failure after.
import type { z } from 'zod';
import type { CellClosed, CellSpawned } from '../cell/events.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { DoneClaimed, VerificationRecorded, WorkProposed } from '../work/events.ts';
import { ofAttempt, underWay, type Drafts, type Names, type UnderWay } from './about.ts';

type Payload<T extends z.ZodType> = z.infer<T> extends { payload: infer P } ? P : never;

export type Birth = Omit<Payload<typeof CellSpawned>, 'fence' | 'grant_id'> & {
  readonly cell: string;
  readonly holder: string;
  readonly leaseUntil: string;
  readonly workspace: string;
  /** The brief and what goes with it, an artifact. */
  readonly context: string;
};

/** `birth` is asked with the fence and the grant, for both stand in the manifest that it names. */
export function decideSpawn(state: MissionState | undefined, birth: Birth, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course, task } = at.value;
  const ready = readyToRun(course);
  if (ready.is === 'refused') return ready;
  const fence = course.fence + 1;
  const { cell, holder, leaseUntil, workspace, context, ...payload } = birth;
  const started: Drafts =
    state!.tasks[task] === 'ready'
      ? [{ event_type: 'task.started', entity_type: 'task', entity_id: task, task_id: task, payload: {} }]
      : [];
  return accept([
    ...started,
    {
      event_type: 'lease.acquired',
      entity_type: 'lease',
      entity_id: names('lease'),
      ...ofAttempt(at.value),
      payload: {
        expires_at: leaseUntil,
        fence,
        holder_principal_id: holder,
        mode: 'isolated',
        workspace_id: workspace,
      },
    },
    {
      event_type: 'context.compiled',
      entity_type: 'attempt',
      entity_id: at.value.attempt,
      ...ofAttempt(at.value),
      payload: { context_pack_ref: context },
    },
    {
      event_type: 'cell.spawned',
      entity_type: 'cell',
      entity_id: cell,
      ...ofAttempt(at.value),
      payload: { ...payload, fence, grant_id: ready.value },
    },
  ]);
}

/** The grant to run, or why there is none yet. */
export function readyToRun(course: UnderWay['course']): Verdict<string> {
  if (course.lease !== null) return refuse('lease_held', { holder: course.lease.holder, fence: course.lease.fence });
  const { attempt } = course;
  if (attempt === null || attempt.work !== null) return refuse('work_exists', { attempt: attempt?.id ?? '' });
  const grant = Object.entries(course.grants).find(([, one]) => one.action_class === 'execute_command');
  if (grant !== undefined) return accept(grant[0]);
  const approval = Object.values(course.approvals).find((one) => one.type === 'plan');
  if (approval?.granted === true) return refuse('grant_missing', { because: 'path_claimed' });
  return refuse('quorum_missing', { digest: approval?.digest ?? '' });
}

export type HandOver = {
  readonly claim: Omit<Payload<typeof DoneClaimed>, 'fence'> | undefined;
  readonly blocked: readonly string[];
  readonly closed: Omit<Payload<typeof CellClosed>, 'fence'>;
  readonly work: Omit<Payload<typeof WorkProposed>, 'fence'> | undefined;
  readonly verification: Omit<Payload<typeof VerificationRecorded>, 'fence'> | undefined;
  /** Why it goes no further; undefined when the work may be applied. */
  readonly failure: { readonly because: string; readonly audit: string | null } | undefined;
  readonly environment: string | null;
};

export function decideHandOver(state: MissionState | undefined, out: HandOver, names: Names): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  if (course.cell === null) return refuse('cell_unknown', { mission: at.value.mission });
  // The holder whose time ran out may still say what became of the cell, and that it lets go: nothing more.
  const { fence } = course;
  const about = ofAttempt(at.value);
  const workAt = { entity_type: 'work', ...about } as const;
  const said: Drafts = [
    ...out.blocked.map((document, n): Drafts[number] => ({
      event_type: 'blocked.raised',
      entity_id: names(`blocked ${n}`),
      ...workAt,
      payload: { document, fence },
    })),
    ...(out.claim === undefined
      ? []
      : [
          {
            event_type: 'done.claimed',
            entity_id: names('claim'),
            ...workAt,
            payload: { ...out.claim, fence },
          } as const,
        ]),
  ];
  const made: Drafts = [
    ...(out.work === undefined
      ? []
      : [
          {
            event_type: 'work.proposed',
            entity_id: names('work'),
            ...workAt,
            payload: { ...out.work, fence },
          } as const,
        ]),
    ...(out.verification === undefined
      ? []
      : [
          {
            event_type: 'verification.recorded',
            entity_type: 'verification',
            entity_id: names('verification'),
            ...about,
            payload: { ...out.verification, fence },
          } as const,
        ]),
  ];
  const closed: Drafts = [
    {
      event_type: 'cell.closed',
      entity_type: 'cell',
      entity_id: course.cell.id,
      ...about,
      payload: { ...out.closed, fence },
    },
  ];
  const failed = out.failure === undefined ? [] : failing(at.value, out.failure, out, names);
  const because = out.failure?.because ?? 'handed_over';
  return accept([
    ...said,
    ...made,
    ...closed,
    ...failed,
    released(at.value, because, fence, names),
    ...ending(at.value, out.failure),
  ]);
}

function failing(
  at: UnderWay,
  { because, audit }: NonNullable<HandOver['failure']>,
  out: HandOver,
  names: Names,
): Drafts {
  const { course } = at;
  const [request, run] =
    Object.entries(course.requests).find(([, one]) => one.action_class === 'execute_command') ?? [];
  const refused: Drafts =
    out.work !== undefined
      ? []
      : [
          {
            event_type: 'work.refused',
            entity_type: 'work',
            entity_id: names('refusal'),
            ...ofAttempt(at),
            payload: { because, fence: course.fence, scope_audit: audit },
          },
        ];
  return [
    ...refused,
    {
      event_type: 'receipt.issued',
      entity_type: 'receipt',
      entity_id: names('receipt run'),
      ...ofAttempt(at),
      payload: {
        action_request_ref: request ?? at.attempt,
        approval_ref: Object.keys(course.approvals)[0] ?? null,
        capability_grant_ref: null,
        environment_ref: out.environment,
        input_refs: [],
        output_refs: out.closed.output === null ? [] : [out.closed.output],
        policy_result_ref: run?.policy?.ref ?? null,
        receipt_class: 'command_execution',
        replay_class: 'explain_only',
        result_code: 'failed',
        result_summary: because,
        rollback: 'unsupported',
        subject_ref: course.cell!.id,
      },
    },
    {
      event_type: 'attempt.failed',
      entity_type: 'attempt',
      entity_id: at.attempt,
      ...ofAttempt(at),
      payload: { because },
    },
  ];
}

function released(at: UnderWay, because: string, fence: number, names: Names): Drafts[number] {
  return {
    event_type: 'lease.released',
    entity_type: 'lease',
    entity_id: at.course.lease?.id ?? names('lease'),
    ...ofAttempt(at),
    payload: { because, fence },
  };
}

/** A verdict against the work ends the mission: another try is another decision of people, not of a loop. */
function ending(at: UnderWay, failure: HandOver['failure']): Drafts {
  if (failure === undefined) return [];
  const { task, mission } = at;
  return [
    {
      event_type: 'task.failed',
      entity_type: 'task',
      entity_id: task,
      task_id: task,
      payload: { because: failure.because },
    },
    {
      event_type: 'mission.ended',
      entity_type: 'mission',
      entity_id: mission,
      task_id: mission,
      payload: { because: failure.because, outcome: 'failed' },
    },
  ];
}
