// What somebody wrote differently after it had counted: the form that the proposal was read from, the comments of votes that
// stand. Found by the hashes in the ledger; nothing follows from it but that people are told.
import { equalBytes } from '../../format/bytes.ts';
import { readForm } from '../../forge-text/form.ts';
import type { Edit } from '../../forge-text/status-view.ts';
import type { Crypto } from '../../format/crypto.ts';
import type { Course } from '../../kernel/course/course.ts';
import { proposalBytes, readProposal, type Proposal } from '../../kernel/proposal/proposal.ts';
import type { Comment } from '../../ports/forge.ts';
import type { Told } from '../mission/told.ts';
import { bodyHash } from './heard.ts';

export type Page = {
  readonly form: string | undefined;
  /** Where somebody looked at them; asking for them is a request of its own. */
  readonly comments: readonly Comment[] | undefined;
};

export function editsOf(
  crypto: Crypto,
  { told, course, proposal }: { readonly told: Told; readonly course: Course; readonly proposal: Proposal | undefined },
  { form, comments }: Page,
): readonly Edit[] {
  // What is asked for matters no more once it is over; who agreed to it does.
  const isEdited = course.end === null && form !== undefined && isOther(crypto, told.proposed_form, form, proposal);
  return [
    ...(isEdited ? [{ is: 'form' as const, revision: course.revision }] : []),
    ...(comments === undefined ? [] : editedVotes(crypto, told, course, comments)),
  ];
}

/** A title, a space, the order of lines: what people approved is still what is asked for. */
function isOther(crypto: Crypto, read: string | null, form: string, proposal: Proposal | undefined): boolean {
  if (read === null || bodyHash(crypto, form) === read) return false;
  const reading = readForm(form);
  const now = reading.is === 'accepted' ? readProposal(reading.value) : undefined;
  return (
    now?.is !== 'accepted' || proposal === undefined || !equalBytes(proposalBytes(now.value), proposalBytes(proposal))
  );
}

function editedVotes(crypto: Crypto, told: Told, course: Course, comments: readonly Comment[]): Edit[] {
  const bodies = new Map(comments.map(({ id, body }) => [id, body]));
  return votesThatCounted(told, course).flatMap((id): Edit[] => {
    const { comment: said, principal } = told.votes[id] ?? {};
    if (said === undefined || said === null || said.id === null || principal === undefined) return [];
    const body = bodies.get(said.id);
    if (body !== undefined && bodyHash(crypto, body) === said.body_sha256) return [];
    return [{ is: 'comment', comment: said.id, of: principal, what: body === undefined ? 'deleted' : 'edited' }];
  });
}

/** Of a mission that is over the course keeps no votes; which ones it went on by is told for good. */
function votesThatCounted({ granted }: Told, { approvals, end }: Course): readonly string[] {
  if (end !== null) return Object.values(granted).flat();
  return Object.values(approvals).flatMap(({ votes }) => votes.map(({ id }) => id));
}
