// What a gate hears: only what the frozen payload of an event says, and of it only numbers, ids, words, and when the issue had
// its text. No other time, no label, no permission and no e-mail address gets this far. What was
// written the ledger remembers by a hash.
import { hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';

export type HeardIssue = {
  readonly is: 'issue';
  readonly action: 'opened' | 'edited' | 'reopened';
  /** The forge's number of the repository. */
  readonly repository: number;
  /** The forge's time of the issue as it is here. */
  readonly updatedAt: string;
  readonly issue: number;
  readonly authorId: number;
  readonly senderId: number;
  readonly body: string;
  readonly isOpen: boolean;
};

export type HeardComment = {
  readonly is: 'comment';
  readonly comment: number;
  readonly repository: number;
  readonly issueUpdatedAt: string;
  readonly issue: number;
  readonly issueAuthorId: number;
  readonly issueBody: string;
  readonly isOpen: boolean;
  readonly authorId: number;
  readonly senderId: number;
  readonly body: string;
};

export type Heard = HeardIssue | HeardComment;

/** Of the words as they came, and of nothing else. */
export function bodyHash(crypto: Crypto, body: string): string {
  return `sha256:${hex(crypto.hash('sha256', utf8(body)))}`;
}
