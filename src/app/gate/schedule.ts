// The turn of the schedule: everything that a lost event or a death left undone, over all missions that are open; and the
// same for the one that somebody woke.
import { courseOf } from '../../kernel/course/steps.ts';
import { Failure } from '../../failure.ts';
import type { Silent } from '../../kernel/decide/recover.ts';
import type { MissionState } from '../../kernel/state.ts';
import type { Messenger } from '../../ports/messenger.ts';
import { incomingHeads, sweepIncoming } from '../mission/incoming.ts';
import { sweepKept } from '../mission/kept.ts';
import { NAMED_MAX } from '../mission/waiting.ts';
import { dueNow, missionState, type MissionWorld } from '../mission/world.ts';
import type { WaitingInIssue } from '../../forge-text/waiting.ts';
import { announceRules } from './announce-rules.ts';
import { askAgain } from './ask-again.ts';
import { assertNotSetBack, isBroken, showBroken } from './broken-ledgers.ts';
import { nothingBegun } from './before.ts';
import { showBoard } from './board.ts';
import { lookAtDelivered } from './delivered.ts';
import type { GateDesk } from './desk.ts';
import { asFarAsItGoes, freed, issueOf, outcomeOf, wakingOthers, type Turn } from './going.ts';
import { askForFollowUps } from './lost-follow-ups.ts';
import { hearLost, type Hearing } from './lost-issues.ts';
import { bringOpen, leaveOpen } from './open-missions.ts';
import { showStatus, statusCommentOf, type ToShow } from './show.ts';
import { brokenRow, rowOf, unread } from './rows.ts';
import { beaconHeads, silentAmong, sweepBeacons, type Watch } from './silence.ts';
import type { Site } from './site.ts';
import { tellTeam, untoldOf, type Seen, type TeamTold } from './tell-team.ts';

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
  const { turn, stuck } = await putRight(site, desk, { mission });
  if (stuck !== undefined) throw stuck;
  // A person who took a vote back did that from a clone, and could wake this one alone.
  const wake = turn.outcome.next === 'none' ? await freed(site, desk, null) : [];
  return { ...turn, outcome: { ...turn.outcome, wake } };
}

async function lookAtAll(site: Site, desk: GateDesk, { watch, ...hearing }: Reconciling): Promise<Turn> {
  const { pause, onSkipped } = hearing;
  const { world } = desk;
  await sweepKept(world.bench);
  // Before the missions: an attempt that begins meanwhile is none of those that are over.
  const [heads, incoming] = await Promise.all([beaconHeads(world.bench), incomingHeads(world.bench)]);
  await hearLost(desk, hearing);
  const owed = new Map<string, Turn>();
  const over = new Map<string, WaitingInIssue & { readonly request: number | null }>();
  const busy = new Map<string, MissionState>();
  const rows = new Map<string, WaitingInIssue>();
  const attempts = new Set<string>();
  let areAllRead = true;
  const look = async (mission: string, silent?: Silent): Promise<void> => {
    let isRead = false;
    try {
      const { turn, state, row, attempts: its, stuck } = await putRight(site, desk, { mission, pause, silent });
      isRead = true;
      if (!isOver(state)) for (const id of its) attempts.add(id);
      if (stuck !== undefined) {
        rows.set(mission, { ...row, kind: 'still', because: stuck.code });
        throw stuck;
      }
      if (turn.outcome.next !== 'none') owed.set(mission, turn);
      rows.delete(mission);
      if (isOver(state)) over.set(mission, { ...row, request: turn.view?.pullRequest ?? null });
      else rows.set(mission, row);
      if (isRunning(world, state)) busy.set(mission, state);
      else busy.delete(mission);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onSkipped(mission, error);
      areAllRead &&= isRead;
      const broken = isBroken(error)
        ? await orSkipped(mission, () => showBroken(desk, { mission, because: error }), onSkipped)
        : undefined;
      if (broken !== undefined) rows.set(mission, brokenRow(broken));
      else if (!rows.has(mission)) rows.set(mission, unread(mission, error.code));
    }
  };
  const open = await site.openMissions();
  await bringOpen(world.bench, open);
  for (const mission of open) await look(mission);
  for (const [mission, silent] of await silentAmong(world, { busy, heads, watch })) await look(mission, silent);
  await sweepBeacons(world, heads, busy);
  // Whose attempts nobody could read, their work may be needed.
  if (areAllRead) await sweepIncoming(world.bench, incoming, attempts);
  await orSkipped('follow-ups', () => askForFollowUps(site, desk, { open, ...hearing }), onSkipped);
  const rules = (await orSkipped('policy', () => announceRules(desk), onSkipped)) ?? null;
  const reviewed = (await orSkipped('pull requests', () => lookAtDelivered(site, desk, onSkipped), onSkipped)) ?? [];
  const seen = { rows: [...rows.values(), ...reviewed], rules };
  await orSkipped('board', () => showBoard(desk, seen), onSkipped);
  const untold = await tellOf(desk, { ...seen, ended: [...over.values()] }, hearing);
  const left = [...over].filter(([mission]) => !untold.has(mission));
  await leaveOpen(world.bench, new Map(left.map(([mission, { request }]) => [mission, request])));
  const [first, ...others] = owed.values();
  if (first === undefined) return { outcome: nothingBegun({ decision: 'wait', reasonCode: 'reconciled' }), view: null };
  const wake = others.slice(0, NAMED_MAX).flatMap(({ outcome }) => outcome.mission ?? []);
  return { ...first, outcome: { ...first.outcome, wake } };
}

/** Before those that are over are looked at no more: who dies in between tells it again. */
async function tellOf(
  desk: GateDesk,
  seen: Seen,
  { messenger, onTold, onSkipped }: Outside,
): Promise<TeamTold['untold']> {
  if (messenger === undefined) return new Set();
  const told = await orSkipped('messages', () => tellTeam(desk, messenger, seen), onSkipped);
  if (told !== undefined && (told.count > 0 || told.why !== undefined)) onTold?.(told);
  return told?.untold ?? untoldOf(seen.ended);
}

/** What cannot be said now is said by the next look. */
async function orSkipped<T>(
  what: string,
  say: () => Promise<T>,
  onSkipped: Hearing['onSkipped'],
): Promise<T | undefined> {
  try {
    return await say();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    onSkipped(what, error);
    return undefined;
  }
}

export type Reconciling = Hearing & {
  readonly watch: Watch;
  /** Where people are told of what waits, outside of the forge. */
  readonly messenger?: Messenger | undefined;
  readonly onTold?: (told: TeamTold) => void;
};

type Outside = Pick<Reconciling, 'messenger' | 'onTold' | 'onSkipped'>;

function isOver(state: MissionState): boolean {
  return (courseOf(state)?.end ?? null) !== null;
}

function isRunning(world: MissionWorld, state: MissionState): boolean {
  return dueNow(world, state).is === 'busy' && courseOf(state)!.lease!.mode === 'isolated';
}

type PutRight = {
  readonly mission: string;
  /** Left out where nobody's lost words are to be looked for. */
  readonly pause?: () => Promise<void>;
  readonly silent?: Silent | undefined;
};

async function putRight(site: Site, desk: GateDesk, { mission, pause, silent }: PutRight): Promise<Right> {
  const acting = await site.actOn(mission);
  const found = await missionState(acting);
  const about = await issueOf(acting, found);
  if (about !== null) await assertNotSetBack(acting, await statusCommentOf(desk, found, about));
  const { state: before, stuck } = await asFarAsItGoes(site, acting, 'gate', silent);
  const issue = about ?? (await issueOf(acting, before));
  const comments = issue === null ? [] : await commentsOf(desk, { acting, state: before, issue }, pause);
  const state = await missionState(acting);
  const view =
    issue === null ? null : await showStatus(desk, { acting, state, issue, comments, stuck: lasting(stuck) });
  const outcome = outcomeOf({ decision: 'wait', reasonCode: 'reconciled' }, acting, state, view);
  const row = await rowOf(desk, { acting, state, issue, view });
  const { attempts } = await acting.desk.told();
  return { turn: { outcome, view }, state, row, attempts: attempts.map(({ id }) => id), stuck };
}

/** What passes by itself nobody has to read about. */
function lasting(stuck: Failure | undefined): Failure['code'] | undefined {
  return stuck?.retry === 'never' ? stuck.code : undefined;
}

type Right = {
  readonly turn: Turn;
  readonly state: MissionState;
  readonly row: WaitingInIssue;
  readonly attempts: readonly string[];
  /** What kept it from going on; people see how far it came. */
  readonly stuck: Failure | undefined;
};

async function commentsOf(desk: GateDesk, toShow: ToShow, pause: (() => Promise<void>) | undefined) {
  return pause === undefined ? desk.forge.comments(toShow.issue) : askAgain(desk, toShow, pause);
}
