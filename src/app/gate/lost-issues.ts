// Finds proposals whose event the forge lost, or that came while the project was stopped, and hears them as if just opened,
// once. Believes no more than that event would have said: an issue whose words were changed since it was filed may be anybody's, and begins nothing.
import { Failure } from '../../failure.ts';
import { readForm } from '../../forge-text/form.ts';
import { isPutOff } from '../../forge-text/replies.ts';
import type { Issue } from '../../ports/forge.ts';
import { projectState } from '../mission/world.ts';
import type { IssueRead } from './before.ts';
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
  for (const lost of await unheard(desk)) {
    try {
      await hear(desk, repository, lost);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onSkipped(`issue ${lost.issue.number}`, error);
    }
  }
}

type Lost = { readonly issue: Issue; readonly form: IssueRead['form'] };

async function hear(desk: GateDesk, repository: number, { issue: found, form }: Lost): Promise<void> {
  const { number: issue, author, body, isAsFiled, isOpen, updatedAt } = found;
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
    form,
    isOpen,
  });
}

/** Proposals without a mission and without any answer of ours but that the project was stopped, which it is no more. */
async function unheard(desk: GateDesk): Promise<readonly Lost[]> {
  const { forge, ownId, world } = desk;
  const isStopped = projectState(world).halt !== null;
  const proposals = (await forge.newestIssues(LOOKED_AT_MAX)).flatMap((issue): Lost[] => {
    if (issue.author.id === ownId) return [];
    const form = readForm(issue.body);
    return form.is === 'no_proposal' ? [] : [{ issue, form }];
  });
  if (proposals.length === 0) return [];
  const known = await indexedIssues(world.bench);
  const lost: Lost[] = [];
  // Oldest first: of two that want one path, the first to ask gets it.
  for (const proposal of proposals.toReversed()) {
    if (lost.length === HEARD_MAX) break;
    const { number } = proposal.issue;
    if (known.has(number)) continue;
    const ours = (await forge.comments(number)).filter(({ author }) => author.id === ownId);
    const isAnswered = ours.some(({ body }) => isStopped || !isPutOff(body));
    if (!isAnswered) lost.push(proposal);
  }
  return lost;
}
