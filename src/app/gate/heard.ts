// What a gate hears: only what the frozen payload of an event says, and of it only numbers, ids and words. No time, no
// label, no permission and no e-mail address gets this far.

export type HeardIssue = {
  readonly is: 'issue';
  readonly action: 'opened' | 'edited' | 'reopened';
  readonly issue: number;
  readonly authorId: number;
  readonly senderId: number;
  readonly body: string;
  readonly isOpen: boolean;
};

export type HeardComment = {
  readonly is: 'comment';
  readonly comment: number;
  readonly issue: number;
  readonly issueAuthorId: number;
  readonly issueBody: string;
  readonly isOpen: boolean;
  readonly authorId: number;
  readonly senderId: number;
  readonly body: string;
};

export type Heard = HeardIssue | HeardComment;
