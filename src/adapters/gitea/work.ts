// Commit statuses, branches, pull requests and files of one Gitea repository.
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import { pathFault } from '../../kernel/scope/paths.ts';
import type { CommitStatus, ForgeRepository, Review } from '../../ports/forge.ts';
import type { AtRepository } from './pages.ts';
import {
  branchSchema,
  committedSchema,
  fileSchema,
  folderSchema,
  ignoredSchema,
  jobsSchema,
  pullSchema,
  reviewSchema,
  repositorySchema,
  statusSchema,
} from './schemas.ts';

type Part = Pick<
  ForgeRepository,
  | 'setStatus'
  | 'statuses'
  | 'branch'
  | 'findPullRequest'
  | 'openPullRequest'
  | 'pullRequest'
  | 'recentPullRequests'
  | 'reviews'
  | 'startWorkflow'
  | 'latestJobs'
  | 'filesIn'
  | 'readFile'
  | 'commitFiles'
>;

const REPO = '/repos/{owner}/{repo}';
const JOBS_MAX = 50;

export function workOf({ ask, pages, at }: AtRepository): Part {
  const branch: Part['branch'] = async (name) =>
    (await ask.maybe((rest) => rest.repos.getBranch, { ...at, branch: name }, branchSchema))?.commit.id;

  const stored = async (path: string, ref?: string) =>
    ask.maybe((rest) => rest.repos.getContent, { ...at, path, ...(ref === undefined ? {} : { ref }) }, fileSchema);

  return {
    branch,
    setStatus: async (sha, { context, state, description, url }) => {
      const status = { context, state, description, target_url: url ?? '' };
      // Some states are Gitea's own.
      await ask(`POST ${REPO}/statuses/{sha}`, { ...at, sha, ...status }, ignoredSchema);
    },
    statuses: async (sha) =>
      latest(await pages((rest) => rest.repos.listCommitStatusesForRef, { ...at, ref: sha }, statusSchema)),

    findPullRequest: async (head, base) => {
      const found = await ask.maybe(`GET ${REPO}/pulls/{base}/{head}`, { ...at, base, head }, pullSchema);
      if (found === undefined || found.request.state !== 'closed') return found?.request;
      // It tells only one of several, not necessarily the one that matters.
      const open = await pages((rest) => rest.pulls.list, { ...at, state: 'open', base_branch: base }, pullSchema);
      const match = open.find(
        ({ request, isFromFork }) => request.head === head && request.base === base && !isFromFork,
      );
      return match?.request ?? found.request;
    },
    openPullRequest: async (wanted) =>
      (await ask((rest) => rest.pulls.create, { ...at, ...wanted }, pullSchema)).request,
    pullRequest: async (number) =>
      (await ask.maybe((rest) => rest.pulls.get, { ...at, pull_number: number }, pullSchema))?.request,

    recentPullRequests: async (max) => {
      // One page: whatever somebody does to a request brings it to its beginning.
      const query = { ...at, state: 'all', sort: 'recentupdate', page: 1, limit: max };
      const found = await ask(`GET ${REPO}/pulls`, query, z.array(pullSchema).nullable());
      return (found ?? []).map(({ request }) => request);
    },
    reviews: async (number) =>
      lastWords(await pages((rest) => rest.pulls.listReviews, { ...at, pull_number: number }, reviewSchema)),

    startWorkflow: async (file, inputs = {}) => {
      const ref = (await ask.maybe((rest) => rest.repos.get, at, repositorySchema))?.defaultBranch;
      if (ref === undefined) return false;
      const started = { ...at, file, ref, inputs };
      return isFound(ask(`POST ${REPO}/actions/workflows/{file}/dispatches`, started, ignoredSchema));
    },

    latestJobs: async () => {
      // One page: a server that allows fewer items per page is asked for no more.
      const query = { ...at, sort: 'id', order: 'desc', page: 1, limit: JOBS_MAX };
      return (await ask(`GET ${REPO}/actions/jobs`, query, jobsSchema)).jobs;
    },
    filesIn: async (folder) =>
      (await ask.maybe((rest) => rest.repos.getContent, { ...at, path: folder }, folderSchema)) ?? [],
    readFile: async (path) => {
      const found = await stored(path);
      return found && contentOf(path, found);
    },
    commitFiles: async ({ branch: name, from, message, files }) => {
      const tip = await branch(name);
      const start = tip === undefined ? from : name;
      const changes = [];
      for (const { path, content } of files) {
        // Gitea would tidy `a/../b` up and write somewhere else than the caller checked.
        const fault = pathFault(path);
        if (fault !== undefined) throw new Failure('forge_refused', { why: fault });
        const there = start === undefined ? undefined : await stored(path, start);
        if (content === undefined) {
          if (there !== undefined) changes.push({ operation: 'delete', sha: there.sha, path });
          continue;
        }
        if (there !== undefined && Buffer.from(content).equals(contentOf(path, there))) continue;
        const change = there === undefined ? { operation: 'create' } : { operation: 'update', sha: there.sha };
        changes.push({ ...change, path, content: Buffer.from(content).toString('base64') });
      }
      if (changes.length === 0 && tip !== undefined) return tip;
      const target = start === undefined || start === name ? { branch: name } : { branch: start, new_branch: name };
      return (await ask(`POST ${REPO}/contents`, { ...at, ...target, message, files: changes }, committedSchema)).commit
        .sha;
    },
  };
}

/** Nothing is answered where it began, so that only the failure says that there is none. */
async function isFound(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === 'forge_not_found') return false;
    throw error;
  }
}

function latest(statuses: z.infer<typeof statusSchema>[]): CommitStatus[] {
  const byContext = new Map<string, z.infer<typeof statusSchema>>();
  for (const status of statuses) {
    const known = byContext.get(status.context);
    if (known === undefined || known.id < status.id) byContext.set(status.context, status);
  }
  return [...byContext.values()]
    .map(({ context, status, description, target_url: url }) => ({
      context,
      state: status,
      description,
      ...(url === '' ? {} : { url }),
    }))
    .sort((a, b) => (a.context < b.context ? -1 : 1));
}

function lastWords(reviews: z.infer<typeof reviewSchema>[]): Review[] {
  const byUser = new Map<number, Review>();
  for (const { user, state, dismissed, official: isOfficial } of reviews.toSorted((a, b) => a.id - b.id)) {
    const says = SAYS[state];
    if (user && says !== undefined)
      byUser.set(user.id, { by: user, says: dismissed ? 'taken_back' : says, isOfficial });
  }
  return [...byUser.values()];
}

const SAYS: Readonly<Record<string, Review['says']>> = { APPROVED: 'yes', REQUEST_CHANGES: 'no' };

/** A symbolic link or a folder where a file is expected is never followed. */
function contentOf(path: string, { type, encoding, content }: z.infer<typeof fileSchema>): Uint8Array {
  if (type === 'file' && encoding === 'base64' && content !== null)
    return new Uint8Array(Buffer.from(content, 'base64'));
  throw new Failure('forge_answer_unexpected', { path, why: type === 'file' ? 'the file is too large' : `a ${type}` });
}
