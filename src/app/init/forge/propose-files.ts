// One change of files on the default branch: committed, or where whoever types may not push there, a pull request that
// somebody merges who may. Knows nothing of what is in them.
import { concat, hex, utf8 } from '../../../format/bytes.ts';
import { Failure } from '../../../failure.ts';
import type { Ensured } from '../items.ts';
import type { ForgeWorld } from './world.ts';

type Change = {
  readonly message: string;
  /** Without content: gone afterwards. */
  readonly files: readonly { readonly path: string; readonly content: Uint8Array | undefined }[];
};

type BranchWorld = Pick<ForgeWorld, 'repository' | 'facts' | 'near'>;

/** `differs`: it waits for whoever may merge. */
export async function commitOrPropose(world: BranchWorld, { message, files }: Change): Promise<Ensured> {
  const { repository, facts } = world;
  try {
    await repository.commitFiles({ branch: facts.defaultBranch, message: `${message}\n`, files });
    return { is: 'done', says: files.map(({ path }) => path).join(', ') };
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'forge_refused') throw error;
    return pullRequest(world, { message, files });
  }
}

async function pullRequest({ repository, facts, near }: BranchWorld, { message, files }: Change): Promise<Ensured> {
  const base = facts.defaultBranch;
  // The same change has the same branch, so that a rerun finds its own pull request again.
  const bytes = concat(
    files.flatMap(({ path, content }) =>
      content === undefined ? [utf8(`${path}\0gone\0`)] : [utf8(`${path}\0${content.length}\0`), content],
    ),
  );
  const name = hex(near.parts.crypto.hash('sha256', bytes)).slice(0, 12);
  const head = `lazarus-init/${name}`;
  await repository.commitFiles({ branch: head, from: base, message: `${message}\n`, files });
  const known = await repository.findPullRequest(head, base);
  const body = `Opened by \`lazarus init\`: whoever ran it may not push to \`${base}\`. Whoever the branch’s rule names merges it, like any other.`;
  const request =
    known?.state === 'open' ? known : await repository.openPullRequest({ title: message, body, head, base });
  return {
    is: 'differs',
    says: `not pushed; pull request ${request.number} changes ${files.map(({ path }) => path).join(', ')}`,
    next: `merged by whoever may merge into ${base}: ${request.url}; then the same command again`,
  };
}
