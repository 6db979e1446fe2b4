// What a forge without a server remembers: the records behind its answers, and the two things it needs to keep them.
// Knows neither files nor git.
import { z } from 'zod';
import type { Oid } from '../../../src/format/git/object.ts';
import type { RepositoryName } from '../../../src/ports/forge.ts';

/** Keeps documents by name. */
export type Shelf = {
  read(name: string): Promise<unknown>;
  /** Nobody else changes the document meanwhile. When `change` throws, nothing is kept. */
  change<R>(name: string, change: (current: unknown) => { readonly next: unknown; readonly result: R }): Promise<R>;
};

/** The commits of one repository. */
export type BookGit = {
  readonly cloneUrl: string;
  create(): Promise<void>;
  head(branch: string): Promise<Oid | undefined>;
  file(commit: Oid, path: string): Promise<Uint8Array | undefined>;
  filesIn(commit: Oid, folder: string): Promise<readonly string[]>;
  /** One commit on top of `parent`; `branch` moves there. */
  commit(change: {
    readonly branch: string;
    readonly parent: Oid | undefined;
    readonly author: { readonly name: string; readonly email: string };
    readonly message: string;
    readonly files: readonly { readonly path: string; readonly content: Uint8Array | undefined }[];
  }): Promise<Oid>;
};

const user = z.object({ id: z.number().int(), login: z.string() });
const text = z.string();

const review = z.object({ by: user, says: z.enum(['yes', 'no', 'taken_back']) });

const issue = z.object({
  number: z.number().int(),
  author: user,
  title: text,
  body: text,
  isAsFiled: z.boolean().default(true),
  /** Instead of a clock: each edit is a second later than the one before. */
  edits: z.number().int().default(0),
  isOpen: z.boolean(),
  isPinned: z.boolean().default(false),
  labels: z.array(text),
  /** What makes it a pull request. `headOid` is where its branch was last known to be. */
  pull: z
    .object({
      head: text,
      headOid: text,
      base: text,
      isMerged: z.boolean(),
      mergedBy: user.nullable().default(null),
      reviews: z.array(review).default([]),
    })
    .nullable(),
});

const status = z.object({
  commit: text,
  context: text,
  state: z.enum(['pending', 'success', 'failure', 'error', 'warning', 'skipped']),
  description: text,
  url: text.optional(),
});

const rule = z.object({
  pattern: text,
  pushers: z.union([z.literal('writers'), z.array(text)]),
  mergers: z.union([z.literal('writers'), z.array(text)]),
  requiresSignatures: z.boolean(),
  protectedFiles: z.array(text),
  unprotectedFiles: z.array(text),
});

const label = z.object({ name: text, color: text, description: text, isExclusive: z.boolean() });

export const repositoryBookSchema = z.object({
  id: z.number().int(),
  isPrivate: z.boolean(),
  lastNumber: z.number().int(),
  lastCommentId: z.number().int(),
  issues: z.array(issue),
  comments: z.array(z.object({ id: z.number().int(), issue: z.number().int(), author: user, body: text })),
  labels: z.array(label),
  statuses: z.array(status),
  rules: z.array(rule),
  /** Names only: nothing here runs jobs, so no value is kept. */
  secrets: z.array(text),
});

export const peopleBookSchema = z.object({
  users: z.array(user),
  keys: z.array(z.object({ fingerprint: text, userId: z.number().int() })),
  repositories: z.array(text),
});

export type RepositoryBook = z.infer<typeof repositoryBookSchema>;
export type PeopleBook = z.infer<typeof peopleBookSchema>;
export type IssueRecord = RepositoryBook['issues'][number];

export const EMPTY_PEOPLE: PeopleBook = { users: [], keys: [], repositories: [] };

export function emptyRepository(id: number, isPrivate: boolean): RepositoryBook {
  const nothing = { issues: [], comments: [], labels: [], statuses: [], rules: [], secrets: [] };
  return { id, isPrivate, lastNumber: 0, lastCommentId: 0, ...nothing };
}

/** Also the name of its document. */
export function fullName({ owner, name }: RepositoryName): string {
  return `${owner}/${name}`;
}
