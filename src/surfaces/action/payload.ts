// What the forge says happened: the payload of one event, frozen when it happened. Keeps numbers, the words, who sent them
// and when an issue had them, and nothing else: payloads carry e-mail addresses and flags that nobody may rely on. Judges nothing.
import { z, type ZodType } from 'zod';
import { Failure } from '../../failure.ts';
import { fromUtf8 } from '../../format/bytes.ts';

type PayloadIssue = {
  readonly number: number;
  readonly authorId: number;
  readonly title: string;
  readonly body: string;
  readonly updatedAt: string;
  readonly isOpen: boolean;
  readonly isPullRequest: boolean;
};

type About = { readonly repositoryId: number; readonly senderId: number; readonly issue: PayloadIssue };

export type Payload =
  | (About & { readonly is: 'issue'; readonly action: 'opened' | 'edited' | 'reopened' | 'closed' | 'other' })
  | (About & {
      readonly is: 'comment';
      readonly action: 'created' | 'edited' | 'deleted';
      readonly comment: { readonly id: number; readonly authorId: number; readonly body: string };
    })
  /** A schedule or a call by hand: nobody said anything, but something may be owed. */
  | { readonly is: 'none'; readonly repositoryId: number };

/** A body may have two megabytes, and everything in it may be escaped. */
const PAYLOAD_BYTES_MAX = 33_554_432;

/** `event` is the one that set the workflow off, not `workflow_call`. Throws `payload_unexpected`. */
export function parsePayload(event: string, bytes: Uint8Array): Payload {
  const schema = SCHEMAS.get(event);
  if (schema === undefined)
    throw new Failure('payload_unexpected', { event: event.slice(0, 50), why: 'unknown event' });
  if (bytes.length > PAYLOAD_BYTES_MAX) throw new Failure('payload_unexpected', { event, why: 'too large' });
  const result = schema.safeParse(parseJson(event, bytes));
  if (result.success) return result.data;
  throw new Failure('payload_unexpected', {
    event,
    field: result.error.issues[0]?.path.join('.') || 'the whole payload',
  });
}

function parseJson(event: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(bytes));
  } catch {
    // No cause: it would quote the payload.
    throw new Failure('payload_unexpected', { event, why: 'not JSON in UTF-8' });
  }
}

const id = z.number().int();
const withId = z.object({ id });

/** What a deleted account wrote has no author. */
const author = withId.nullable().transform((user) => user?.id ?? -1);

const issue = z
  .object({
    number: z.number().int().positive(),
    user: author,
    title: z.string(),
    body: z.string(),
    updated_at: z.iso.datetime({ offset: true }),
    state: z.enum(['open', 'closed']),
    pull_request: z.unknown().optional(),
  })
  .transform((found): PayloadIssue => ({
    number: found.number,
    authorId: found.user,
    title: found.title,
    body: found.body,
    updatedAt: new Date(found.updated_at).toISOString(),
    isOpen: found.state === 'open',
    isPullRequest: found.pull_request !== null && found.pull_request !== undefined,
  }));

const common = { repository: withId, sender: withId, issue };

const ISSUE_ACTIONS = ['opened', 'edited', 'reopened', 'closed'] as const;

const issuePayload = z
  .object({ ...common, action: z.string() })
  .transform(({ action, repository, sender, issue }): Payload => ({
    is: 'issue',
    action: ISSUE_ACTIONS.find((known) => known === action) ?? 'other',
    repositoryId: repository.id,
    senderId: sender.id,
    issue,
  }));

const commentPayload = z
  .object({
    ...common,
    action: z.enum(['created', 'edited', 'deleted']),
    comment: z.object({ id: id.positive(), user: author, body: z.string() }),
    is_pull: z.boolean(),
  })
  .transform(({ action, repository, sender, issue, comment, is_pull: isPull }): Payload => ({
    is: 'comment',
    action,
    repositoryId: repository.id,
    senderId: sender.id,
    issue: { ...issue, isPullRequest: issue.isPullRequest || isPull },
    comment: { id: comment.id, authorId: comment.user, body: comment.body },
  }));

const nothing = z
  .object({ repository: withId })
  .transform(({ repository }): Payload => ({ is: 'none', repositoryId: repository.id }));

const SCHEMAS: ReadonlyMap<string, ZodType<Payload>> = new Map([
  ['issues', issuePayload],
  ['issue_comment', commentPayload],
  ['schedule', nothing],
  ['workflow_dispatch', nothing],
]);
