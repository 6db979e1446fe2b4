// Pull requests and comments of a forge as effects. What is there is found by what it is, not by what it says of itself: a
// pull request by head, base and commit; a comment by its author's id and the very words.
import { Failure } from '../../failure.ts';
import type { Executor, Executors, Seen } from '../../ports/effects.ts';
import type { ForgeRepository } from '../../ports/forge.ts';

export function forgeExecutors(
  forge: ForgeRepository,
  ownId: number,
): Pick<Executors, 'open_pull_request' | 'post_comment'> {
  const pull: Executor<'open_pull_request'> = {
    async observe({ branch, base, commit }): Promise<Seen> {
      const found = await forge.findPullRequest(branch, base);
      if (found === undefined) return { is: 'absent' };
      // A pull request of somebody else, or of another commit, in our place.
      if (found.headOid !== commit) return { is: 'refused', reason: 'branch_taken' };
      return { is: 'applied', oid: commit, number: found.number };
    },
    async apply({ title, body, branch, base }) {
      try {
        await forge.openPullRequest({ title, body, head: branch, base });
      } catch (error) {
        // Opened meanwhile, perhaps by us before an answer got lost: looked at again, not made again.
        if (!(error instanceof Failure && error.code === 'forge_exists')) throw error;
      }
    },
  };
  const comment: Executor<'post_comment'> = {
    async observe({ issue, body }): Promise<Seen> {
      const ours = (await forge.comments(issue)).find((one) => one.author.id === ownId && one.body === body);
      return ours === undefined ? { is: 'absent' } : { is: 'applied', oid: null, number: ours.id };
    },
    async apply({ issue, body }) {
      await forge.createComment(issue, body);
    },
  };
  return { open_pull_request: pull, post_comment: comment };
}
