// Finds proposals whose event the forge lost, and hears them as if just opened, once. Believes no more than that event
// would have said: an issue whose words were changed since it was filed may be anybody's, and begins nothing.
import { Failure } from '../../failure.ts';
import { readForm } from '../../forge-text/form.ts';
import type { Issue } from '../../ports/forge.ts';
import { personOf, type GateDesk } from './desk.ts';
import { indexedIssues } from './issue-index.ts';
import { listen } from './listen.ts';
import { refuse } from './propose.ts';

/** Of the open issues the newest; older ones were looked at when they were new. */
const LOOKED_AT_MAX = 50;
/** In one run, so that a flood of forms does not keep missions waiting. */
const HEARD_MAX = 10;

export type Hearing = {
  /** What was filed a moment ago may be on its way; what is still unheard after it is lost. */
  readonly pause: () => Promise<void>;
  readonly onSkipped: (what: string, because: Failure) => void;
};

export async function hearLost(site: GateDesk, { pause, onSkipped }: Hearing): Promise<void> {
  // An id that was drawn ahead is for one mission alone.
  const { fresh: _one, ...desk } = site;
  if ((await unheard(desk)).length === 0) return;
  await pause();
  const repository = (await desk.forge.facts())?.id;
  if (repository === undefined)
    throw new Failure('forge_not_found', { repository: `${desk.owner}/${desk.repository}` });
  for (const issue of await unheard(desk)) {
    try {
      await hear(desk, repository, issue);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onSkipped(`issue ${issue.number}`, error);
    }
  }
}

async function hear(
  desk: GateDesk,
  repository: number,
  { number: issue, author, body, isAsFiled, isOpen, updatedAt }: Issue,
): Promise<void> {
  const isByMember = personOf(desk, author.id) !== undefined;
  if (isByMember && !isAsFiled) {
    await refuse(desk, { issue, body }, undefined, { is: 'refused', code: 'proposal_unheard', facts: { issue } });
    return;
  }
  await listen(desk, {
    is: 'issue',
    action: 'opened',
    repository,
    updatedAt,
    issue,
    authorId: author.id,
    senderId: author.id,
    body,
    isOpen,
  });
}

/** Proposals without a mission and without any answer of ours. */
async function unheard(desk: GateDesk): Promise<readonly Issue[]> {
  const { forge, ownId } = desk;
  const proposals = (await forge.newestIssues(LOOKED_AT_MAX)).filter(
    ({ author, body }) => author.id !== ownId && readForm(body).is !== 'no_proposal',
  );
  if (proposals.length === 0) return [];
  const known = await indexedIssues(desk.world.bench);
  const lost: Issue[] = [];
  // Oldest first: of two that want one path, the first to ask gets it.
  for (const issue of proposals.toReversed()) {
    if (lost.length === HEARD_MAX) break;
    if (known.has(issue.number)) continue;
    const isAnswered = (await forge.comments(issue.number)).some(({ author }) => author.id === ownId);
    if (!isAnswered) lost.push(issue);
  }
  return lost;
}
