// The turn of the schedule: everything that a lost event or a death left undone, over all missions that are open; and the
// same for the one that somebody woke.
import { courseOf } from '../../kernel/course/steps.ts';
import { Failure } from '../../failure.ts';
import { whatIsDue } from '../../kernel/decide/due.ts';
import type { Silent } from '../../kernel/decide/recover.ts';
import type { MissionState } from '../../kernel/state.ts';
import { sweepKept } from '../mission/kept.ts';
import { NAMED_MAX } from '../mission/waiting.ts';
import { instant, missionState, type MissionWorld } from '../mission/world.ts';
import { announceRules } from './announce-rules.ts';
import { askAgain } from './ask-again.ts';
import { assertNotSetBack, isBroken, showBroken } from './broken-ledgers.ts';
import { nothingBegun } from './before.ts';
import type { GateDesk } from './desk.ts';
import { asFarAsItGoes, freed, issueOf, outcomeOf, wakingOthers, type Turn } from './going.ts';
import { askForFollowUps } from './lost-follow-ups.ts';
import { hearLost, type Hearing } from './lost-issues.ts';
import { leaveOpen } from './open-missions.ts';
import { showStatus, statusCommentOf, type ToShow } from './show.ts';
import { beaconHeads, silentAmong, sweepBeacons, type Watch } from './silence.ts';
import type { Site } from './site.ts';

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
      if (isBroken(error)) await orSkipped(mission, () => showBroken(desk, { mission, because: error }), onSkipped);
    }
  };
  const open = await site.openMissions();
  for (const mission of open) await look(mission);
  for (const [mission, silent] of await silentAmong(world, { busy, heads, watch })) await look(mission, silent);
  await sweepBeacons(world, heads, busy);
  await leaveOpen(world.bench, over);
  await orSkipped('follow-ups', () => askForFollowUps(site, desk, { open, ...hearing }), onSkipped);
  await orSkipped('policy', () => announceRules(desk), onSkipped);
  const [first, ...others] = owed.values();
  if (first === undefined) return { outcome: nothingBegun({ decision: 'wait', reasonCode: 'reconciled' }), view: null };
  const wake = others.slice(0, NAMED_MAX).flatMap(({ outcome }) => outcome.mission ?? []);
  return { ...first, outcome: { ...first.outcome, wake } };
}

/** What cannot be said now is said by the next look. */
async function orSkipped(what: string, say: () => Promise<unknown>, onSkipped: Hearing['onSkipped']): Promise<void> {
  try {
    await say();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    onSkipped(what, error);
  }
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
