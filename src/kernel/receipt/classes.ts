// Whose receipts count: by class and by what they say came of it. What is not in the table nobody says: classes without a
// row of signers are for things that this build does not do yet.
import type { EventOf } from '../event.ts';
import type { Role } from '../principal.ts';

export type Receipt = EventOf<'receipt.issued'>['payload'];
type Class = Receipt['receipt_class'];
type Result = Receipt['result_code'];

const WRITER: readonly Role[] = ['writer'];

const SIGNERS: Readonly<Record<Class, Partial<Readonly<Record<Result, readonly Role[]>>>>> = {
  // Only who causes effects says what came of them.
  publish: { succeeded: WRITER, failed: WRITER, refused: WRITER, unknown_outcome: WRITER },
  observation_resolution: { succeeded: WRITER, failed: WRITER },
  command_execution: {
    succeeded: WRITER,
    // Its own runner, or who closes what a dead one left.
    failed: ['runner', 'gate'],
    // Never begun, or its work not taken.
    refused: ['runner', 'gate', 'writer'],
  },
  // Whoever settles it: the vote that completes a quorum, a voter's no for good, a policy's no, a time that is over.
  approval_resolution: {
    succeeded: ['gate', 'person'],
    denied: ['gate', 'person', 'writer'],
    expired: ['gate', 'writer'],
    refused: ['gate', 'person', 'writer'],
  },
  tool_execution: {},
  memory_promotion: {},
  rollback: {},
};

export function maySignReceipt({ receipt_class, result_code }: Receipt, roles: readonly Role[]): boolean {
  return SIGNERS[receipt_class][result_code]?.some((role) => roles.includes(role)) === true;
}

export const NO_ROLLBACK: Receipt['rollback'] = { how: 'none', supported: 'no' };

export const RESULT_OF = {
  applied: 'succeeded',
  refused: 'refused',
  failed: 'failed',
  unknown_outcome: 'unknown_outcome',
} as const;
