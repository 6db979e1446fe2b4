// How each effect is looked for and caused. Every one of them can be asked for after a crash: a branch by its name and
// commit, a pull request by its head and base, a comment by its author and the hash of its words.
import type { Executor, Executors, Seen } from '../../ports/effects.ts';
import type { Workbench } from '../workbench.ts';
import { Failure } from '../../failure.ts';
import type { ForgeRepository } from '../../ports/forge.ts';

type Branches = 'push_branch' | 'write_local_branch';

/** Branches of the place where the ledgers live: a repository of one's own, or the remote. Created, never moved. */
export function branchExecutors({ place }: Workbench): Required<Pick<Executors, Branches>> {
  const branch: Executor<'push_branch'> & Executor<'write_local_branch'> = {
    // A reference that has to be absent before: the second of two is refused.
    isIdempotent: true,
    observe: async (spec) => seen(await place.head(`refs/heads/${spec.branch}`), spec.commit),
    apply: async (spec) => {
      // The objects came with the hand-over; a server that does not have them refuses the reference.
      const change = {
        objects: [],
        updates: [{ ref: `refs/heads/${spec.branch}`, old: undefined, next: spec.commit }],
      };
      await place.move(change);
    },
  };
  return { push_branch: branch, write_local_branch: branch };
}

function seen(found: string | undefined, wanted: string): Seen {
  if (found === undefined) return { is: 'absent' };
  if (found === wanted) return { is: 'applied', oid: found, number: null };
  return { is: 'refused', reason: 'branch_taken' };
}

// How what a mission causes on a forge is looked for and caused: a pull request by its branches and its commit, a comment
// by who wrote it and its words. A forge is asked and never believed beyond that.

/** All kinds that are no branch. `ownId`: whose credential acts; anybody can write the words of a comment of ours. */
export function forgeExecutors(repository: ForgeRepository, ownId: number): Required<Omit<Executors, Branches>> {
  return { open_pull_request: pullRequests(repository), post_comment: comments(repository, ownId) };
}

function pullRequests(repository: ForgeRepository): Executor<'open_pull_request'> {
  return {
    // A forge refuses a second open one, and looks for it before it makes one: two at once can slip through.
    isIdempotent: false,
    observe: async ({ branch, base, commit }) => {
      const found = await repository.findPullRequest(branch, base);
      if (found === undefined) return { is: 'absent' };
      // Closed or merged, it was there: what people do with it afterwards is theirs.
      return found.headOid === commit
        ? { is: 'applied', oid: found.headOid, number: found.number }
        : { is: 'refused', reason: 'branch_taken' };
    },
    apply: async ({ branch, base, commit, title, body }) => {
      // A pull request is for a branch, not for a commit: with another commit there it would ask to merge that one.
      const head = await repository.branch(branch);
      if (head !== commit) throw new Failure('branch_taken', { branch, approved: commit, now: head ?? null });
      await repository.openPullRequest({ title, body, head: branch, base });
    },
  };
}

function comments(repository: ForgeRepository, ownId: number): Executor<'post_comment'> {
  return {
    isIdempotent: false,
    observe: async ({ issue, body }) => {
      // An issue that is gone, or hidden from this credential, gets no comment, however often it is tried.
      if ((await repository.issue(issue)) === undefined) return { is: 'refused', reason: 'forge_not_found' };
      const ours = (await repository.comments(issue)).find((one) => one.author.id === ownId && one.body === body);
      return ours === undefined ? { is: 'absent' } : { is: 'applied', oid: null, number: ours.id };
    },
    apply: async ({ issue, body }) => {
      await repository.createComment(issue, body);
    },
  };
}
