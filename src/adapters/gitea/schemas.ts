// What we read of Gitea's answers, turned into the port's words. Whatever else they hold, e-mail addresses among it, is dropped.
import { z } from 'zod';
import type { Comment, ForgeUser, Issue, Job, PullRequest, RepositoryFacts } from '../../ports/forge.ts';

const count = z.number().int();
const oidSchema = z.string().regex(/^[0-9a-f]{40}$/);

/** The automatic token of a job is user -2. */
export const userSchema = z
  .object({ id: count, login: z.string().min(1) })
  .transform(({ id, login }): ForgeUser => ({ id, login }));

/** A deleted account leaves its issues and comments behind. */
const authorSchema = userSchema.nullable().transform((user): ForgeUser => user ?? { id: -1, login: 'ghost' });

export const repositorySchema = z
  .object({
    id: count,
    owner: z.object({ login: z.string().min(1) }),
    name: z.string().min(1),
    default_branch: z.string(),
    private: z.boolean(),
    empty: z.boolean(),
    clone_url: z.url(),
  })
  .transform((found): RepositoryFacts => ({
    owner: found.owner.login,
    name: found.name,
    id: found.id,
    defaultBranch: found.default_branch,
    isPrivate: found.private,
    isEmpty: found.empty,
    cloneUrl: found.clone_url,
  }));

export const issueSchema = z
  .object({
    number: count,
    user: authorSchema,
    title: z.string(),
    body: z.string(),
    /** Grows with every edit of the body, by anybody, also one that changes nothing. */
    content_version: count.optional(),
    updated_at: z.iso.datetime({ offset: true }),
    state: z.enum(['open', 'closed']),
    pull_request: z.unknown().optional(),
    pin_order: count.optional(),
    labels: z.array(z.object({ name: z.string() })).nullable(),
  })
  .transform((found): Issue => ({
    number: found.number,
    author: found.user,
    title: found.title,
    body: found.body,
    isAsFiled: found.content_version === 0,
    updatedAt: new Date(found.updated_at).toISOString(),
    isOpen: found.state === 'open',
    isPullRequest: found.pull_request !== null && found.pull_request !== undefined,
    isPinned: (found.pin_order ?? 0) > 0,
    labels: (found.labels ?? []).map(({ name }) => name).sort(),
  }));

export const commentSchema = z
  .object({ id: count, user: authorSchema, body: z.string() })
  .transform(({ id, user, body }): Comment => ({ id, author: user, body }));

export const labelSchema = z.object({ id: count, name: z.string(), exclusive: z.boolean() });

export const statusSchema = z.object({
  id: count,
  status: z.enum(['pending', 'success', 'failure', 'error', 'warning', 'skipped']),
  context: z.string(),
  description: z.string(),
  target_url: z.string(),
});

const sideSchema = z.object({ ref: z.string(), sha: z.string(), repo_id: count });

export const pullSchema = z
  .object({
    number: count,
    user: authorSchema,
    title: z.string(),
    body: z.string(),
    state: z.enum(['open', 'closed']),
    merged: z.boolean(),
    merged_by: userSchema.nullish(),
    html_url: z.string(),
    head: sideSchema,
    base: sideSchema,
  })
  .transform((found): { readonly request: PullRequest; readonly isFromFork: boolean } => ({
    request: {
      number: found.number,
      author: found.user,
      title: found.title,
      body: found.body,
      head: found.head.ref,
      headOid: found.head.sha,
      base: found.base.ref,
      state: found.merged ? 'merged' : found.state,
      mergedBy: found.merged ? (found.merged_by ?? null) : null,
      url: found.html_url,
    },
    isFromFork: found.head.repo_id !== found.base.repo_id,
  }));

/** A review of a team has no user; what only comments, or waits to be sent, is neither yes nor no. */
export const reviewSchema = z.object({
  id: count,
  user: userSchema.nullish(),
  state: z.string(),
  official: z.boolean(),
  dismissed: z.boolean(),
});

export const branchSchema = z.object({
  name: z.string(),
  commit: z.object({ id: oidSchema }),
  effective_branch_protection_name: z.string().optional(),
});

const names = z.array(z.string()).nullable();

export const ruleSchema = z.object({
  rule_name: z.string(),
  enable_push: z.boolean(),
  enable_push_whitelist: z.boolean(),
  push_whitelist_usernames: names,
  push_whitelist_teams: names,
  push_whitelist_deploy_keys: z.boolean(),
  enable_merge_whitelist: z.boolean(),
  merge_whitelist_usernames: names,
  merge_whitelist_teams: names,
  enable_force_push: z.boolean(),
  enable_bypass_allowlist: z.boolean(),
  require_signed_commits: z.boolean(),
  protected_file_patterns: z.string(),
  unprotected_file_patterns: z.string(),
});

export const fileSchema = z.object({
  type: z.enum(['file', 'symlink', 'submodule', 'dir']),
  sha: z.string(),
  encoding: z.string().nullable(),
  content: z.string().nullable(),
});

/** Files and folders of one folder; of a file it is no list. */
export const folderSchema = z
  .array(z.object({ path: z.string(), type: fileSchema.shape.type }))
  .transform((entries) => entries.filter(({ type }) => type === 'file').map(({ path }) => path));

/** A time that has not come yet is the first second of 1970. */
export const jobsSchema = z.object({
  jobs: z.array(
    z
      .object({
        labels: z.array(z.string()).nullable(),
        status: z.string(),
        runner_name: z.string().optional(),
        created_at: z.iso.datetime({ offset: true }),
        started_at: z.iso.datetime({ offset: true }),
      })
      .transform((found): Job => ({
        labels: found.labels ?? [],
        is: JOB_STATES[found.status] ?? 'over',
        runner: found.runner_name || undefined,
        since: Date.parse(found.started_at) > 0 ? found.started_at : found.created_at,
      })),
  ),
});

const JOB_STATES: Readonly<Record<string, Job['is']>> = {
  queued: 'queued',
  waiting: 'blocked',
  in_progress: 'running',
};

export const committedSchema = z.object({ commit: z.object({ sha: oidSchema }) });

/** Nothing of the answer is used. */
export const ignoredSchema = z.unknown();
