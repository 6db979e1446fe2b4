// A cell's life as the ledger tells it: lease and birth before anything runs, hand-over or failure after.
import type { z } from 'zod';
import type { CellClosed, CellSpawned } from '../cell/events.ts';
import { isVerdict } from '../attempt/blame.ts';
import type { MissionState } from '../state.ts';
import { accept, refuse, type Verdict } from '../verdict.ts';
import type { DoneClaimed, VerificationRecorded, WorkProposed } from '../handover/events.ts';
import { inAttempt, underWay, within, type Drafts, type Names, type UnderWay } from './about.ts';
import { runReceipt } from './run-receipt.ts';

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
  const started: Drafts = state!.tasks[task] === 'ready' ? [within('task.started', task, task, {})] : [];
  return accept([
    ...started,
    inAttempt('lease.acquired', names('lease'), at.value, {
      expires_at: leaseUntil,
      fence,
      holder_principal_id: holder,
      mode: 'isolated',
      workspace_id: workspace,
    }),
    inAttempt('context.compiled', at.value.attempt, at.value, { context_pack_ref: context }),
    inAttempt('cell.spawned', cell, at.value, { ...payload, fence, grant_id: ready.value }),
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

/** The cell it came out of, and the fence it was born under. */
export type BornUnder = { readonly cell: string; readonly fence: number };

export type HandOver = {
  readonly claim: Omit<Payload<typeof DoneClaimed>, 'fence'> | undefined;
  readonly blocked: readonly string[];
  readonly closed: Omit<Payload<typeof CellClosed>, 'fence'>;
  readonly work: Omit<Payload<typeof WorkProposed>, 'fence'> | undefined;
  readonly verification: Omit<Payload<typeof VerificationRecorded>, 'fence'> | undefined;
  /** Why it goes no further; undefined when the work may be applied. */
  readonly failure:
    | {
        readonly because: string;
        readonly audit: string | null;
        /** The machine’s fault, before there was anything to judge: another attempt may do better. */
        readonly isOfRunner: boolean;
      }
    | undefined;
  readonly environment: string | null;
};

/** A supervisor that slept while somebody took over must not hand its work over as that of the cell that runs now. */
export function decideHandOver(
  state: MissionState | undefined,
  born: BornUnder,
  out: HandOver,
  names: Names,
): Verdict<Drafts> {
  const at = underWay(state);
  if (at.is === 'refused') return at;
  const { course } = at.value;
  if (course.cell?.id !== born.cell || course.fence !== born.fence)
    return refuse('lease_lost', { fence: born.fence, current: course.fence });
  const { fence } = course;
  const said: Drafts = out.blocked.map((document, n) =>
    inAttempt('blocked.raised', names(`blocked ${n}`), at.value, { document, fence }),
  );
  const made: Drafts = [
    ...(out.claim === undefined ? [] : [inAttempt('done.claimed', names('claim'), at.value, { ...out.claim, fence })]),
    ...(out.work === undefined ? [] : [inAttempt('work.proposed', names('work'), at.value, { ...out.work, fence })]),
    ...(out.verification === undefined
      ? []
      : [inAttempt('verification.recorded', names('verification'), at.value, { ...out.verification, fence })]),
    inAttempt('cell.closed', course.cell.id, at.value, { ...out.closed, fence }),
  ];
  const failed = out.failure === undefined ? [] : failing(at.value, out.failure, out, names);
  const because = out.failure?.because ?? 'handed_over';
  return accept([...said, ...made, ...failed, released(at.value, because, fence, names)]);
}

/** An agent that makes it look like the runner's fault gets no other try for it. */
function failing(
  at: UnderWay,
  { because, audit, isOfRunner }: NonNullable<HandOver['failure']>,
  out: HandOver,
  names: Names,
): Drafts {
  const { course } = at;
  const refused: Drafts =
    out.work !== undefined
      ? []
      : [inAttempt('work.refused', names('refusal'), at, { because, fence: course.fence, scope_audit: audit })];
  return [
    ...refused,
    runReceipt(at, names('receipt run'), {
      environment_ref: out.environment,
      output_refs: out.closed.output === null ? [] : [out.closed.output],
      result_code: 'failed',
      result_summary: because,
      subject_ref: course.cell!.id,
    }),
    inAttempt('attempt.failed', at.attempt, at, {
      because: isOfRunner || isVerdict(because) ? because : 'cell_failed',
    }),
  ];
}

function released(at: UnderWay, because: string, fence: number, names: Names): Drafts[number] {
  return inAttempt('lease.released', at.course.lease?.id ?? names('lease'), at, { because, fence });
}
