// Promises about receipts: whoever reads one alone learns what became of something, from whom it may be learnt.
import type { EventOf } from '../../../src/kernel/event.ts';
import type { Entry, Story } from '../story.ts';
import { outcomeOf } from './effects.ts';
import { promise, whenever, type Promised } from './promise.ts';

type Receipt = EventOf<'receipt.issued'>['payload'];

const OUTCOMES: Readonly<Record<string, string | null>> = {
  succeeded: 'applied',
  refused: 'refused',
  failed: 'failed',
  unknown_outcome: null,
};

/** What was used for the subject: the request that it answers and the grant that it was done under. */
function usedFor(story: Story, subject: string): { request?: string; grant?: string | null } {
  const intent = story.of('effect.intended', subject)?.event.payload;
  const birth = story.of('cell.spawned', subject)?.event.payload;
  const grant = intent?.grant_id ?? birth?.grant_id;
  if (grant !== undefined && grant !== null) {
    const request = story.of('grant.issued', grant)?.event.payload.action_request_ref;
    return request === undefined ? { grant } : { request, grant };
  }
  const asked = story.of('approval.requested', subject)?.event.payload;
  if (asked !== undefined) return { request: asked.requested_action_ref, grant: null };
  return story.of('action.requested', subject) === undefined ? {} : { request: subject };
}

/** What a receipt says otherwise than the log before it. */
function misnamed(story: Story, receipt: Receipt): string | undefined {
  const { request, grant } = usedFor(story, receipt.subject_ref);
  if (request !== undefined && receipt.action_request_ref !== request) return 'names a request that it is not about';
  if (grant !== undefined && receipt.capability_grant_ref !== grant) return 'names a grant that was not used';
  const answer = story
    .all('policy.evaluated')
    .some(
      ({ event }) =>
        event.entity_id === receipt.policy_result_ref &&
        event.payload.action_request_ref === receipt.action_request_ref,
    );
  return receipt.policy_result_ref === null || answer ? undefined : 'names an answer to something else';
}

function untrue(story: Story, { subject_ref, result_code, receipt_class }: Receipt, attempt: string | undefined) {
  if (story.of('effect.intended', subject_ref) !== undefined) {
    const outcome = outcomeOf(story, subject_ref);
    return OUTCOMES[result_code] === outcome ? undefined : `says ${result_code} of ${outcome ?? 'an unknown outcome'}`;
  }
  if (receipt_class === 'publish' && result_code === 'succeeded') return 'published what nobody intended';
  const isVerified = story
    .all('verification.recorded')
    .some(({ event }) => event.attempt_id === attempt && event.payload.verdict === 'satisfied');
  if (receipt_class === 'command_execution' && result_code === 'succeeded' && !isVerified)
    return 'says that a run went well which nobody verified';
  const isSettled = [...story.all('approval.granted'), ...story.all('approval.denied')].some(
    ({ event }) => event.entity_id === subject_ref,
  );
  const isAsked = story.of('approval.requested', subject_ref) !== undefined;
  return isAsked && result_code === 'succeeded' && !isSettled ? 'says that it was agreed to' : undefined;
}

/** Whose word it may be, by what it says came of what. */
function mayTell(story: Story, by: string, { receipt_class, result_code }: Receipt): boolean {
  switch (receipt_class) {
    // Who causes effects, and nobody else, says what came of them.
    case 'publish':
    case 'observation_resolution':
      return story.speaks(by, 'writer');
    case 'command_execution':
      // No runner praises its own work.
      return result_code === 'succeeded' ? story.speaks(by, 'writer') : !story.speaks(by, 'person');
    case 'approval_resolution':
      return !story.speaks(by, 'runner');
    default:
      return false;
  }
}

const SETTLING = ['approval.granted', 'approval.denied', 'approval.expired', 'approval.invalidated'] as const;

const SUBJECTS = ['action.requested', 'approval.requested', 'cell.spawned', 'effect.intended'] as const;

export const RECEIPTS: readonly Promised[] = [
  promise(
    'receipts tell',
    'A receipt is about something in the log, says what became of it and what was used for it, and is the last word on it.',
    whenever(['receipt.issued'], ({ payload, attempt_id }, story) => {
      const { subject_ref } = payload;
      if (!SUBJECTS.some((type) => story.of(type, subject_ref) !== undefined))
        return 'about nothing that is done or asked';
      const last = story
        .all('receipt.issued')
        .findLast(
          ({ event }) => event.payload.subject_ref === subject_ref && event.payload.result_code !== 'unknown_outcome',
        );
      // A vote taken back, or an end, opens an approval again: what settles it then has a word of its own.
      const isSettledAgain = SETTLING.some((type) =>
        story.all(type).some(({ event, at }) => event.entity_id === subject_ref && at > (last?.at ?? -1)),
      );
      if (last !== undefined && !isSettledAgain) return 'a second last word';
      return untrue(story, payload, attempt_id) ?? misnamed(story, payload);
    }),
  ),
  promise(
    'told by who knows',
    'What came of an effect a writer says; that a run went well, never its runner; what people settled, no machine that runs.',
    whenever(['receipt.issued'], ({ payload }, story, { by }) =>
      mayTell(story, by, payload) ? undefined : `${by} says ${payload.receipt_class} ${payload.result_code}`,
    ),
  ),
  {
    ...promise(
      'settled with a word',
      'Whoever settles an approval says so in its receipt, in the same transaction.',
      () => undefined,
    ),
    brokenBy: (_, transaction) => {
      const left = transaction.findIndex(({ event }, at) => isSettling(event) && !isReceipted(transaction, event, at));
      return left === -1 ? undefined : `${transaction[left]!.event.event_type} without a receipt`;
    },
  },
];

function isSettling({ event_type }: Entry['event']): boolean {
  return (SETTLING as readonly string[]).includes(event_type);
}

function isReceipted(transaction: readonly Entry[], { entity_id }: Entry['event'], from: number): boolean {
  return transaction
    .slice(from)
    .some(({ event }) => event.event_type === 'receipt.issued' && event.payload.subject_ref === entity_id);
}
