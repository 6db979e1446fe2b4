// Missions that are done and whose pull request people still look at: who asked for something else, and that it was merged, is
// shown on their issue by the schedule. Once it is merged or closed nobody looks any more.
import type { WaitingInIssue } from '../../forge-text/waiting.ts';
import type { ReviewView } from '../../forge-text/status-view.ts';
import { COMMANDS } from '../../forge-text/commands.ts';
import { Failure } from '../../failure.ts';
import type { PullRequest } from '../../ports/forge.ts';
import { missionState } from '../mission/world.ts';
import { deliveredPointers, readDeliveredRef } from './delivered-refs.ts';
import type { GateDesk } from './desk.ts';
import { issueOf } from './going.ts';
import { reviewOfRequest } from './review.ts';
import { showStatus } from './show.ts';
import type { Site } from './site.ts';

/** Whatever people do to a request brings it among these. */
const RECENT_MAX = 50;
/** In one look: each is verified for it. */
const LOOKED_AT_MAX = 20;

/** Those for which somebody asks for something else. */
export async function lookAtDelivered(
  site: Site,
  desk: GateDesk,
  onSkipped: (what: string, because: Failure) => void,
): Promise<readonly WaitingInIssue[]> {
  const pointers = await deliveredPointers(desk.world.bench);
  if (pointers.size === 0) return [];
  const recent = new Map((await desk.forge.recentPullRequests(RECENT_MAX)).map((one) => [one.number, one]));
  const named = [...pointers.keys()].flatMap((ref) => {
    const { number, mission } = readDeliveredRef(ref);
    const request = recent.get(number);
    return request?.head.startsWith(`lazarus-work/${mission}/`) === true ? [{ ref, mission, request }] : [];
  });
  const over: string[] = [];
  const rows: WaitingInIssue[] = [];
  for (const { ref, mission, request } of named.slice(0, LOOKED_AT_MAX)) {
    try {
      const row = await lookAt(site, desk, { mission, request });
      if (row !== undefined) rows.push(row);
      if (request.state !== 'open') over.push(ref);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onSkipped(mission, error);
    }
  }
  const updates = over.map((ref) => ({ ref, old: pointers.get(ref)!, next: undefined }));
  if (updates.length > 0) await desk.world.bench.place.move({ objects: [], updates });
  return rows;
}

type Asked = { readonly mission: string; readonly request: Omit<PullRequest, 'mergedBy'> };

async function lookAt(site: Site, desk: GateDesk, { mission, request }: Asked): Promise<WaitingInIssue | undefined> {
  const whole = request.state === 'merged' ? await desk.forge.pullRequest(request.number) : undefined;
  const review = await reviewOfRequest(desk, { ...request, mergedBy: whole?.mergedBy ?? null });
  // Nobody has said anything yet: what is shown is as it was.
  if (review === null) return undefined;
  const acting = await site.actOn(mission);
  const state = await missionState(acting);
  if ((await acting.desk.told()).pull_request !== request.number) return undefined;
  const issue = await issueOf(acting, state);
  if (issue === null) return undefined;
  const view = await showStatus(desk, { acting, state, issue, review });
  return review.changesBy.length === 0 ? undefined : reviewRow(view, { issue, review });
}

function reviewRow(
  { mission, goal, tier, proposed, history }: Awaited<ReturnType<typeof showStatus>>,
  { issue, review }: { readonly issue: number; readonly review: ReviewView },
): WaitingInIssue {
  const by = review.changesBy.join(', ');
  return {
    mission,
    kind: 'review',
    state: 'changes requested',
    because: by,
    goal,
    tier,
    waitsFor: proposed?.by ?? [],
    issue,
    since: history.at(-1)?.at ?? null,
    until: null,
    topic: by,
    type: COMMANDS.followup.usage,
  };
}
