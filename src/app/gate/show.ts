// Projections: the status comment, labels and commit statuses of one mission, made right again from the ledger. They carry
// no authority and are never read back; if the forge is away they are owed, and the next run makes them right.
import { courseOf } from '../../kernel/course/steps.ts';
import { missionStatusCheck, receiptsCheck, scopeCheck, stateLabel, tierLabel } from '../../forge-text/states.ts';
import { statusComment } from '../../forge-text/sticky.ts';
import { missingThing } from '../../forge-text/status-words.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { documentsOf } from '../mission/documents.ts';
import { statusView } from '../mission/status-view.ts';
import type { Acting } from '../mission/world.ts';
import type { Comment } from '../../ports/forge.ts';
import type { ReasonCode } from '../../reasons.ts';
import type { PageAhead } from './ahead.ts';
import type { GateDesk } from './desk.ts';
import { editsOf, type Page } from './edits.ts';
import { showLabels } from './labels.ts';
import { reviewOf } from './review.ts';

export type ToShow = {
  readonly acting: Acting;
  readonly state: MissionState;
  readonly issue: number;
  /** Where they were looked at anyway. */
  readonly comments?: readonly Comment[];
  /** What people did with its pull request, where somebody has just looked; undefined: it is looked at, once it is over. */
  readonly review?: StatusView['review'];
  /** Why whoever shows it could not go on with it. */
  readonly stuck?: ReasonCode | undefined;
  /** Opened a moment ago, under a name that nobody had before: nothing was shown of it yet. */
  readonly isNew?: boolean;
};

export async function viewOf(
  desk: GateDesk,
  { acting, state, stuck }: Pick<ToShow, 'acting' | 'state' | 'stuck'>,
  page?: Promise<Page>,
): Promise<StatusView> {
  const { world, ref } = acting;
  const [head, told] = await Promise.all([acting.desk.head(), acting.desk.told()]);
  const documents = await documentsOf(world.bench, ref, state, told);
  const view = await statusView(world, { ref, state, head, told, documents }, { ...desk.shown, stuck });
  const course = courseOf(state);
  if (course === undefined || page === undefined) return view;
  const { proposal } = documents;
  return { ...view, edits: editsOf(world.bench.parts.crypto, { told, course, proposal }, await page) };
}

export async function showStatus(desk: GateDesk, toShow: ToShow): Promise<StatusView> {
  // Of a new one nothing was shown and nothing edited. Of any other both are asked for at once, while the view is built.
  const isNew = toShow.isNew === true;
  const ahead = pageOf(desk, toShow.issue);
  const issue = isNew ? undefined : (ahead?.issue ?? desk.forge.issue(toShow.issue));
  const shown = isNew ? undefined : statusCommentOf(desk, toShow.state, toShow.issue);
  const comments =
    toShow.comments ??
    (isNew || !hasVotes(toShow.state) ? undefined : (ahead?.comments ?? desk.forge.comments(toShow.issue)));
  const page = issue && Promise.all([issue, comments]).then(([now, all]) => ({ form: now?.body, comments: all }));
  // Told where it is needed.
  for (const asked of [page, shown]) asked?.catch(() => undefined);
  const known = await viewOf(desk, toShow, page);
  const view = { ...known, review: toShow.review === undefined ? await reviewOf(desk, known) : toShow.review };
  await Promise.all([
    showComment(desk, toShow, { view, shown: await shown }),
    showLabels(desk.forge, { number: toShow.issue, labels: (await issue)?.labels ?? [] }, [
      stateLabel(view.state),
      tierLabel(view.tier),
    ]),
    showStatuses(desk, toShow, view),
  ]);
  return view;
}

/** Whether a comment may have been edited that counted: over or not, whoever looks finds it said. */
function hasVotes({ course }: MissionState): boolean {
  if (course === undefined) return false;
  return course.end !== null || Object.values(course.approvals).some(({ votes }) => votes.length > 0);
}

/** The id of the status comment, once there is one: the next transaction writes it down. */
export async function anchorOf(desk: GateDesk, state: MissionState, issue: number): Promise<number | null> {
  return state.course?.anchor?.comment_id ?? (await statusCommentOf(desk, state, issue))?.id ?? null;
}

export async function statusCommentOf(
  desk: GateDesk,
  state: MissionState,
  issue: number,
): Promise<Comment | undefined> {
  const anchored = state.course?.anchor?.comment_id;
  const mark = `<!-- lazarus:status v1 mission=${missionName(state.ledger_id)} `;
  const isMarked = ({ author, body }: Comment): boolean => author.id === desk.ownId && body.startsWith(mark);
  // What is not on the page that was asked for ahead may have come since.
  const ahead = await pageOf(desk, issue)?.comments;
  const found = ahead?.find((one) => (anchored === undefined ? isMarked(one) : one.id === anchored));
  if (found !== undefined) return found;
  const known = anchored === undefined ? undefined : await desk.forge.comment(anchored);
  if (known !== undefined) return known;
  // Not anchored yet; or somebody deleted it, and a mission that cannot be shown would go no further.
  return (await desk.forge.comments(issue)).find(isMarked);
}

function pageOf({ page }: GateDesk, issue: number): PageAhead | undefined {
  const ahead = page?.();
  return ahead?.number === issue ? ahead : undefined;
}

async function showComment(
  desk: GateDesk,
  { issue }: ToShow,
  { view, shown }: { readonly view: StatusView; readonly shown: Comment | undefined },
): Promise<void> {
  const text = statusComment(view);
  if (shown === undefined) await desk.forge.createComment(issue, text);
  else if (shown.body !== text) await desk.forge.editComment(shown.id, text);
}

/** On the base what the mission waits for; on the work, that it keeps to its paths, and what vouches for it. */
async function showStatuses({ forge }: GateDesk, { state }: ToShow, view: StatusView): Promise<void> {
  const { plan, work } = view;
  if (plan !== null) await forge.setStatus(plan.baseCommit, missionStatusCheck(view.state, missingThing(view)));
  // Work outside the paths was refused before it became a commit that anybody could fetch.
  const isSatisfied = courseOf(state)?.attempt?.verdict === 'satisfied';
  if (work === null || !isSatisfied) return;
  await forge.setStatus(work.commit, scopeCheck(work.changed, []));
  await forge.setStatus(work.commit, receiptsCheck(view.mission, view.receipts.length, view.state === 'done'));
}
