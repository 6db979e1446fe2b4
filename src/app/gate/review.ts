// What people did with the pull request of a mission that is done: who asks for something else, and who merged it. Asked of
// the forge whenever it is shown, for people alone; nothing follows from it, and no ledger has it.
import type { ReviewView, StatusView } from '../../forge-text/status-view.ts';
import { Failure } from '../../failure.ts';
import type { ForgeUser, PullRequest } from '../../ports/forge.ts';
import { memberOf, type GateDesk } from './desk.ts';

type Delivered = Pick<StatusView, 'state' | 'pullRequest'>;

export async function reviewOf(desk: GateDesk, { state, pullRequest }: Delivered): Promise<ReviewView | null> {
  if (state !== 'done' || pullRequest === null) return null;
  try {
    const found = await desk.forge.pullRequest(pullRequest);
    return found === undefined ? null : await reviewOfRequest(desk, found);
  } catch (error) {
    // A forge that hides requests from this job, or is away: the rest of the status is as true without it.
    if (!(error instanceof Failure)) throw error;
    return null;
  }
}

/** Null while it is open and nobody has said anything. */
export async function reviewOfRequest(
  desk: GateDesk,
  { number, state, mergedBy }: Pick<PullRequest, 'number' | 'state' | 'mergedBy'>,
): Promise<ReviewView | null> {
  const reviews = state === 'open' ? await desk.forge.reviews(number) : [];
  if (state === 'open' && reviews.length === 0) return null;
  // A stranger's no is a comment like any other.
  const counted = reviews.filter(({ by, isOfficial }) => isOfficial || memberOf(desk, by.id) !== undefined);
  const changesBy = counted.flatMap(({ by, says }) => (says === 'no' ? [nameOf(desk, by)] : []));
  return { state, mergedBy: mergedBy === null ? null : nameOf(desk, mergedBy), changesBy };
}

function nameOf(desk: GateDesk, { id, login }: ForgeUser): string {
  return memberOf(desk, id)?.principal_id ?? login;
}
