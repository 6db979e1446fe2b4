// How what a mission causes on a forge is looked for and caused: a pull request by its branches and its commit, a comment
// by who wrote it and its words. A forge is asked and never believed beyond that.
import { Failure } from '../../failure.ts';
import type { Executor, Executors } from '../../ports/effects.ts';
import type { ForgeRepository } from '../../ports/forge.ts';

/** `ownId`: whose credential acts; anybody can write the words of a comment of ours. */
export function forgeExecutors(
  repository: ForgeRepository,
  ownId: number,
): Pick<Executors, 'open_pull_request' | 'post_comment'> {
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
