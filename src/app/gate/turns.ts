// The turns that jobs take on one mission: hear one event, run its cell, deliver its work. Each goes as far as its key may,
// looks everything up itself, and says which job comes next; nobody has to believe it.
import { courseOf } from '../../kernel/course/steps.ts';
import { Failure, failureIn } from '../../failure.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import { mayTryAgain } from '../../kernel/attempt/blame.ts';
import type { MissionState } from '../../kernel/state.ts';
import { REASONS, type ReasonCode } from '../../reasons.ts';
import { isDisowned } from '../mission/disowned.ts';
import { endUnbegun } from '../mission/recover.ts';
import { dueNow, missionState, type Acting } from '../mission/world.ts';
import { isBroken, showBroken } from './broken-ledgers.ts';
import { nothingBegun, type CommentRead, type IssueRead } from './before.ts';
import type { GateDesk } from './desk.ts';
import { asFarAsItGoes, goOn, issueOf, outcomeOf, wakingOthers, type Said, type Turn } from './going.ts';
import { missionNamedAt } from './issue-index.ts';
import { listen } from './listen.ts';
import { showStatus, viewOf } from './show.ts';
import type { Site } from './site.ts';

/** `page`: as far as somebody has asked for it. */
export async function hear(site: Site, read: IssueRead | CommentRead, page?: GateDesk['page']): Promise<Turn> {
  return wakingOthers(site, async (plain) => {
    const desk = page === undefined ? plain : { ...plain, page };
    const {
      acting,
      state,
      view = null,
      ...said
    } = await listen(desk, read).catch((error: unknown) => named(desk, read.issue, error));
    if (acting === undefined || state === undefined) return { outcome: nothingBegun(said), view: null };
    return { outcome: outcomeOf(said, acting, state, view), view };
  });
}

/** Whoever types there reads why nothing came of it; the job fails for it all the same. */
async function named(desk: GateDesk, issue: number, error: unknown): Promise<never> {
  if (error instanceof Failure && isBroken(error)) {
    const mission = await missionNamedAt(desk.world.bench, issue);
    if (mission !== undefined) await showBroken(desk, { mission, because: error });
  }
  throw error;
}

export async function workOn(site: Site, mission: string, role: 'cell' | 'writer'): Promise<Turn> {
  return role === 'cell' ? workInCell(site, mission) : wakingOthers(site, (desk) => write(site, desk, mission));
}

async function workInCell(site: Site, mission: string): Promise<Turn> {
  const acting = await site.actOn(mission);
  const before = await missionState(acting);
  // What waited here is older than what this job is for, and may be the same mission.
  if (site.waiting !== undefined) {
    const { takeUpStowed } = await import('../mission/take-up.ts');
    await takeUpStowed({ ...site, ...site.waiting, world: acting.world });
  }
  const state = await runOrSaySo(site, acting);
  // What people see of it is the writer's to show; a page that cannot be made here must not fail the job.
  const view = await site
    .desk()
    .then((desk) => viewOf(desk, { acting, state }))
    .catch(() => null);
  return { outcome: outcomeOf(saidOf(state, 'cell'), acting, state, view), view, failed: failedSince(before, state) };
}

async function write(site: Site, desk: GateDesk, mission: string): Promise<Turn> {
  const acting = await site.actOn(mission);
  const before = await missionState(acting);
  const { state: gone, stuck } = await asFarAsItGoes(site, acting, 'writer');
  const state = stuck === undefined ? await settled(acting, gone) : gone;
  const view = await show(desk, acting, state);
  if (stuck !== undefined) throw stuck;
  return { outcome: outcomeOf(saidOf(state, 'writer'), acting, state, view), view, failed: failedSince(before, state) };
}

/** What failed before is told by the job in which it did: this one only wrote down what follows. Called off is no failure. */
function failedSince(before: MissionState, after: MissionState): ReasonCode | undefined {
  const [was, is] = [courseOf(before)?.attempt, courseOf(after)?.attempt];
  if (is?.status !== 'failed' || after.course?.cancelled !== null) return undefined;
  return was?.id === is.id && was.status === 'failed' ? undefined : knownCode(is.because ?? '');
}

/** A cell that cannot begin here is written down under the runner’s own key, and the job fails for whoever keeps the machine. */
async function runOrSaySo(site: Site, acting: Acting): Promise<MissionState> {
  const attempt = courseOf(await missionState(acting))?.attempt?.id;
  try {
    return await goOn(site, acting, 'cell');
  } catch (error) {
    const failure = failureIn(error);
    if (failure !== undefined && attempt !== undefined)
      // What cannot even be written down is the lesser news.
      await endUnbegun(acting, attempt, { because: failure.code, isByRunner: true }).catch(() => undefined);
    throw error;
  }
}

/** A writer comes after a cell’s job: where that left nothing at all, nobody else would say so. */
async function settled(acting: Acting, state: MissionState): Promise<MissionState> {
  const attempt = courseOf(state)?.attempt?.id;
  if (attempt === undefined || dueNow(acting.world, state).is !== 'cell') return state;
  // There the cell's job stopped for a reason that people see already.
  if (await isDisowned(acting.world, acting.ref, state)) return state;
  return (await endUnbegun(acting, attempt, { because: 'runner_silent', isByRunner: false })) ?? state;
}

async function show(desk: GateDesk, acting: Acting, state: MissionState): Promise<StatusView | null> {
  const issue = await issueOf(acting, state);
  // Its pull request was opened a moment ago.
  return issue === null ? null : showStatus(desk, { acting, state, issue, review: null });
}

function saidOf(state: MissionState, role: 'cell' | 'writer'): Said {
  const course = courseOf(state);
  const end = course?.end ?? null;
  if (end !== null && end.outcome !== 'done') return { decision: 'stop', reasonCode: knownCode(end.because) };
  if (end !== null) return { decision: 'complete', reasonCode: 'verified' };
  if ((course?.cancelled ?? null) !== null) return { decision: 'stop', reasonCode: 'mission_cancelled' };
  const because = course?.attempt?.because ?? null;
  if (because !== null)
    return { decision: role === 'cell' && mayTryAgain(because) ? 'failure' : 'stop', reasonCode: knownCode(because) };
  return { decision: 'wait', reasonCode: role === 'cell' ? 'work_handed_over' : 'reconciled' };
}

function knownCode(because: string): ReasonCode {
  return Object.hasOwn(REASONS, because) ? (because as ReasonCode) : 'verify_failed';
}
