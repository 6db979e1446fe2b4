// The receipt of an attempt's run, however it went: what was asked for, what policy said of it, and by which approval.
import type { EventOf } from '../event.ts';
import { inAttempt, runRequest, type Drafts, type UnderWay } from './about.ts';

type Receipt = EventOf<'receipt.issued'>['payload'];
type Went = Pick<Receipt, 'result_code' | 'result_summary'> &
  Partial<
    Pick<
      Receipt,
      'approval_ref' | 'capability_grant_ref' | 'environment_ref' | 'input_refs' | 'output_refs' | 'subject_ref'
    >
  >;

export function runReceipt(at: UnderWay, id: string, went: Went): Drafts[number] {
  const { attempt, course } = at;
  const [request, run] = runRequest(course) ?? [];
  return inAttempt('receipt.issued', id, at, {
    action_request_ref: request ?? attempt,
    approval_ref: Object.keys(course.approvals)[0] ?? null,
    capability_grant_ref: null,
    environment_ref: null,
    input_refs: [],
    output_refs: [],
    policy_result_ref: run?.policy?.ref ?? null,
    receipt_class: 'command_execution',
    replay_class: 'explain_only',
    rollback: 'unsupported',
    subject_ref: attempt,
    ...went,
  });
}
