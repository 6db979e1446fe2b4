// The turns that jobs take on missions: hear one event, work on one mission, or put right what others left undone. Each
// goes as far as its key may, looks everything up itself, and says which job comes next; nobody has to believe it.
import { courseOf } from '../../kernel/course/steps.ts';
import { Failure } from '../../failure.ts';
import type { Outcome } from '../../forge-text/outcome.ts';
import type { StatusView } from '../../forge-text/status-view.ts';
import { mayTryAgain } from '../../kernel/attempt/blame.ts';
import { whatIsDue } from '../../kernel/decide/due.ts';
import type { Silent } from '../../kernel/decide/recover.ts';
import type { MissionState } from '../../kernel/state.ts';
import { missionName } from '../../kernel/values.ts';
import { REASONS, type ReasonCode } from '../../reasons.ts';
import { advance, type DueKind } from '../mission/advance.ts';
import { planDocumentOf } from '../mission/documents.ts';
import { sweepKept } from '../mission/kept.ts';
import { isDisowned } from '../mission/disowned.ts';
import { endUnbegun } from '../mission/recover.ts';
import { freedFor, NAMED_MAX } from '../mission/waiting.ts';
import { instant, missionState, projectState, type Acting, type MissionWorld } from '../mission/world.ts';
import { assertNotSetBack, isBroken, showBroken } from './broken-ledgers.ts';
import { nothingBegun, type CommentRead, type IssueRead } from './before.ts';
import { settingOf, type GateDesk } from './desk.ts';
import { missionNamedAt } from './issue-index.ts';
import { listen } from './listen.ts';
import { hearLost, type Hearing } from './lost-issues.ts';
import { askAgain } from './reconcile.ts';
import { leaveOpen } from './open-missions.ts';
import { showStatus, statusCommentOf, viewOf, type ToShow } from './show.ts';
import { beaconHeads, silentAmong, sweepBeacons, type Watch } from './silence.ts';
import type { Site } from './site.ts';

export type Turn = {
  readonly outcome: Outcome;
  readonly view: StatusView | null;
  /** Why the attempt came to nothing in this turn. Nothing follows from it: whoever looks at jobs sees it. */
  readonly failed?: ReasonCode | undefined;
};

const STEPS: Readonly<Record<'gate' | 'cell' | 'writer', ReadonlySet<DueKind>>> = {
  gate: new Set<DueKind>(['plan', 'grant', 'recover', 'end', 'expire', 'over']),
  cell: new Set<DueKind>(['cell']),
  writer: new Set<DueKind>(['deliver', 'observe', 'end', 'over']),
};

export async function hear(site: Site, read: IssueRead | CommentRead): Promise<Turn> {
  return wakingOthers(site, async (desk) => {
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

/** Whoever lets go of paths names who waited for them: they are not to wait for a schedule as well. */
async function wakingOthers(site: Site, take: (desk: GateDesk) => Promise<Turn>): Promise<Turn> {
  const desk = await site.desk();
  const before = projectState(desk.world).missions;
  const turn = await take(desk);
  return { ...turn, outcome: { ...turn.outcome, wake: [...turn.outcome.wake, ...(await freed(site, desk, before))] } };
}

function freed(site: Site, { world }: GateDesk, before: Parameters<typeof freedFor>[1]): Promise<readonly string[]> {
  return freedFor(world, before, (mission) => site.actOn(mission));
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
    if (error instanceof Failure && attempt !== undefined)
      // What cannot even be written down is the lesser news.
      await endUnbegun(acting, attempt, { because: error.code, isByRunner: true }).catch(() => undefined);
    throw error;
  }
}

/** A writer comes after a cell’s job: where that left nothing at all, nobody else would say so. */
async function settled(acting: Acting, state: MissionState): Promise<MissionState> {
  const attempt = courseOf(state)?.attempt?.id;
  if (attempt === undefined || whatIsDue(state, { now: instant(acting.world) }).is !== 'cell') return state;
  // There the cell's job stopped for a reason that people see already.
  if (await isDisowned(acting.world, acting.ref, state)) return state;
  return (await endUnbegun(acting, attempt, { because: 'runner_silent', isByRunner: false })) ?? state;
}

/**
 * Everything that a lost event or a death left undone: the first mission that needs another job gets it, others are woken.
 * One that cannot be read must not keep the others waiting: anybody who may push can make one.
 */
export async function reconcile(site: Site, hearing: Reconciling): Promise<Turn> {
  return wakingOthers(site, (desk) => lookAtAll(site, desk, hearing));
}

/** One that somebody woke: nobody's lost words are looked for, and no other mission but those it may have let go of paths for. */
export async function reconcileOne(site: Site, mission: string): Promise<Turn> {
  const desk = await site.desk();
  const { turn } = await putRight(site, desk, { mission });
  // A person who took a vote back did that from a clone, and could wake this one alone.
  const wake = turn.outcome.next === 'none' ? await freed(site, desk, null) : [];
  return { ...turn, outcome: { ...turn.outcome, wake } };
}

async function lookAtAll(site: Site, desk: GateDesk, { watch, ...hearing }: Reconciling): Promise<Turn> {
  const { pause, onSkipped } = hearing;
  const { world } = desk;
  await sweepKept(world.bench);
  // Before the missions: an attempt that begins meanwhile is none of those that are over.
  const heads = await beaconHeads(world.bench);
  await hearLost(desk, hearing);
  const owed = new Map<string, Turn>();
  const over = new Set<string>();
  const busy = new Map<string, MissionState>();
  const nameBroken = async (mission: string, because: Failure): Promise<void> => {
    try {
      await showBroken(desk, { mission, because });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onSkipped(mission, error);
    }
  };
  const look = async (mission: string, silent?: Silent): Promise<void> => {
    try {
      const { turn, state } = await putRight(site, desk, { mission, pause, silent });
      if (turn.outcome.next !== 'none') owed.set(mission, turn);
      if (isOver(state)) over.add(mission);
      if (isRunning(world, state)) busy.set(mission, state);
      else busy.delete(mission);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onSkipped(mission, error);
      if (isBroken(error)) await nameBroken(mission, error);
    }
  };
  for (const mission of await site.openMissions()) await look(mission);
  for (const [mission, silent] of await silentAmong(world, { busy, heads, watch })) await look(mission, silent);
  await sweepBeacons(world, heads, busy);
  await leaveOpen(world.bench, over);
  const [first, ...others] = owed.values();
  if (first === undefined) return { outcome: nothingBegun({ decision: 'wait', reasonCode: 'reconciled' }), view: null };
  const wake = others.slice(0, NAMED_MAX).flatMap(({ outcome }) => outcome.mission ?? []);
  return { ...first, outcome: { ...first.outcome, wake } };
}

export type Reconciling = Hearing & {
  readonly watch: Watch;
};

function isOver(state: MissionState): boolean {
  return (courseOf(state)?.end ?? null) !== null;
}

function isRunning(world: MissionWorld, state: MissionState): boolean {
  return whatIsDue(state, { now: instant(world) }).is === 'busy' && courseOf(state)!.lease!.mode === 'isolated';
}

type PutRight = {
  readonly mission: string;
  /** Left out where nobody's lost words are to be looked for. */
  readonly pause?: () => Promise<void>;
  readonly silent?: Silent | undefined;
};

async function putRight(
  site: Site,
  desk: GateDesk,
  { mission, pause, silent }: PutRight,
): Promise<{ readonly turn: Turn; readonly state: MissionState }> {
  const acting = await site.actOn(mission);
  const found = await missionState(acting);
  const about = await issueOf(acting, found);
  if (about !== null) await assertNotSetBack(acting, await statusCommentOf(desk, found, about));
  const { state: before, stuck } = await asFarAsItGoes(site, acting, 'gate', silent);
  const issue = about ?? (await issueOf(acting, before));
  const comments = issue === null ? [] : await commentsOf(desk, { acting, state: before, issue }, pause);
  const state = await missionState(acting);
  const view = issue === null ? null : await showStatus(desk, { acting, state, issue, comments });
  if (stuck !== undefined) throw stuck;
  const outcome = outcomeOf({ decision: 'wait', reasonCode: 'reconciled' }, acting, state, view);
  return { turn: { outcome, view }, state };
}

async function commentsOf(desk: GateDesk, toShow: ToShow, pause: (() => Promise<void>) | undefined) {
  return pause === undefined ? desk.forge.comments(toShow.issue) : askAgain(desk, toShow, pause);
}

/** Whatever keeps it from going on: people see how far it came. */
async function asFarAsItGoes(
  site: Site,
  acting: Acting,
  role: 'gate' | 'writer',
  silent?: Silent,
): Promise<{ readonly state: MissionState; readonly stuck: Failure | undefined }> {
  try {
    return { state: await goOn(site, acting, role, silent), stuck: undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { state: await missionState(acting), stuck: error };
  }
}

async function goOn(site: Site, acting: Acting, role: keyof typeof STEPS, silent?: Silent): Promise<MissionState> {
  const may = STEPS[role];
  const issue = await issueOf(acting, await missionState(acting));
  const advanced = await advance(acting, {
    may,
    setting: settingOf(issue ?? 0),
    executors: await site.executors(),
    isAlone: false,
    ...(silent === undefined ? {} : { silent }),
    ...(may.has('cell') ? { running: await site.running() } : {}),
  });
  if (advanced.is === 'refused') throw new Failure(advanced.code, advanced.facts);
  return advanced.value.state;
}

async function show(desk: GateDesk, acting: Acting, state: MissionState): Promise<StatusView | null> {
  const issue = await issueOf(acting, state);
  return issue === null ? null : showStatus(desk, { acting, state, issue });
}

/** The plan says which one it is about; before the first command nothing else does. */
async function issueOf(acting: Acting, { course }: MissionState): Promise<number | null> {
  if (course === undefined || course.anchor !== null || course.plan === null) return course?.anchor?.issue ?? null;
  return (await planDocumentOf(acting, { course })).issue;
}

type Said = Pick<Outcome, 'decision' | 'reasonCode'>;

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

function outcomeOf(said: Said, acting: Acting, state: MissionState, view: StatusView | null): Outcome {
  const next = view?.state === 'blocked' ? 'none' : nextOf(acting, state);
  return {
    decision: next === 'none' ? said.decision : 'continue',
    reasonCode: said.reasonCode,
    next,
    mission: missionName(state.ledger_id),
    digest: state.course?.plan?.plan_digest ?? null,
    seq: view?.seq ?? null,
    receipts: view?.receipts.map(({ id }) => id) ?? [],
    wake: [],
  };
}

function nextOf({ world }: Acting, state: MissionState): Outcome['next'] {
  switch (whatIsDue(state, { now: instant(world) }).is) {
    case 'cell':
      return 'cell';
    case 'deliver':
    case 'observe':
    case 'end':
      return 'writer';
    default:
      return 'none';
  }
}
