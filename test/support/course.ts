// A mission as far as it has come: the honest walk replayed through the kernel up to a stage, event by event. A refusal
// on the way is a mistake in the test.
import { theStep, withStep } from '../../src/kernel/course/steps.ts';
import type { Event } from '../../src/kernel/event.ts';
import type { Course } from '../../src/kernel/course/course.ts';
import type { Roster } from '../../src/kernel/roster/roster.ts';
import type { MissionState, State } from '../../src/kernel/state.ts';
import type { Verdict } from '../../src/kernel/verdict.ts';
import {
  approvalAsked,
  approvalReceipt,
  approved,
  asked,
  by,
  created,
  EFFECTS,
  FORGE_USER,
  grant,
  ID,
  ingress,
  isSaying,
  judged,
  onAttempt,
  PIA,
  planned,
  proposal,
  PROPOSERS,
  VAL,
  VIC,
  vote,
  voteOf,
  type Said,
  type Terms,
} from './course/asked.ts';
import {
  approvalFor,
  effectGrants,
  effectRequests,
  effectsApprovalAsked,
  effectsApprovalReceipt,
  effectsComputed,
  effectsDigestOf,
  effectsVote,
  intended,
  observed,
  receipt,
  runReceipt,
} from './course/caused.ts';
import {
  cellClosed,
  checkBorn,
  checkClosed,
  claimed,
  leased,
  leaseReleased,
  spawned,
  started,
  verified,
  worked,
} from './course/worked.ts';
import { uuid } from './events.ts';
import { CAST, castRoster, DIGEST, fact, missionAfter, openedMission, openedProject, TASK, when } from './given.ts';
import { member, roster, type TestKey } from './people.ts';

/** Everybody of the cast, and people: one who proposes, two who vote. */
export function courseRoster(...more: Roster['members']): Roster {
  const cast = castRoster();
  const people = [PIA, VIC, VAL].map((key) => member(key, { roles: ['person'] }));
  const members = [...cast.members, ...people, ...more].map((one) => ({
    ...one,
    forge_user_id: FORGE_USER[one.principal_id] ?? one.forge_user_id,
  }));
  return roster(cast.project_id, members);
}

export type Stage = keyof typeof STAGES;

export function courseAt(stage: Stage, about: Terms = {}, judgedBy: Roster = courseRoster()): MissionState {
  return replay(openedMission(openedProject(judgedBy)), eventsUpTo(stage, about));
}

/** Everything that was said until the end of a stage. */
export function eventsUpTo(stage: Stage, about: Terms = {}): Said[] {
  const names = Object.keys(STAGES) as Stage[];
  return names.slice(0, names.indexOf(stage) + 1).flatMap((name) => STAGES[name](about));
}

/** What one member says in a row is one transaction: an approval is settled together with its receipt. */
export function turnsOf(said: readonly Said[]): { readonly by: TestKey; readonly events: Event[] }[] {
  const turns: { by: TestKey; events: Event[] }[] = [];
  for (const { by, event } of said) {
    const last = turns.at(-1);
    if (last?.by === by) last.events.push(event);
    else turns.push({ by, events: [event] });
  }
  return turns;
}

export function replay(state: MissionState, said: readonly Said[]): MissionState {
  return said.reduce((before, { event, by }) => missionAfter(when(before, event, by)), state);
}

/** Where the event's word came in, recorded a moment before. */
export function recordedFor(state: MissionState, event: Event): MissionState {
  if (event.event_type === 'mission.proposed')
    return { ...state, hearing: { ...RECORDED, forge: null, id: event.payload.ingress_id } };
  const forge = isSaying(event) ? event.payload.forge : null;
  return forge === null ? state : { ...state, hearing: { ...RECORDED, forge, id: uuid('came in') } };
}

/** In the transaction that `when` judges. */
const RECORDED = { correlation_id: uuid('said in'), index: 10 };

/** What becomes of a word whose source was recorded. */
export function whenSaid(state: MissionState, event: Event, by: TestKey): Verdict<State> {
  return when(recordedFor(state, event), event, by);
}

/** As the one step sees it. */
export function courseOf(state: MissionState): Course {
  if (state.course === undefined) throw new Error('nothing is proposed');
  return theStep(state.course);
}

/** The same mission with something else in its course. */
export function withCourse(state: MissionState, changes: Partial<Course>): MissionState {
  return { ...state, course: withStep(state.course!, { ...courseOf(state), ...changes }) };
}

/** The walk, in order. */
const STAGES = {
  // At tier 3 whoever proposes signs.
  proposed: ({ tier }: Terms) =>
    tier === 3 ? by(PIA, ingress(PIA), proposal(1, PROPOSERS, PIA)) : by(CAST.gate, ingress(), proposal()),
  planned: (about: Terms) => by(CAST.gate, planned(about)),
  created: () => by(CAST.gate, ...created()),
  asked: () => by(CAST.gate, asked()),
  judged: () => by(CAST.gate, judged()),
  awaiting: (about: Terms) => by(CAST.gate, approvalAsked(about)),
  voted: (about: Terms) => votersOf(about).map((who) => vote(about, who)),
  approved: (about: Terms) => by(CAST.gate, approved(about, votersOf(about)), approvalReceipt()),
  granted: () => by(CAST.gate, grant()),
  leased: () => by(CAST.runner, leased(1, CAST.runner, 'isolated'), started()),
  compiled: () => by(CAST.runner, onAttempt('context.compiled', { context_pack_ref: DIGEST }, CAST.runner)),
  spawned: () => by(CAST.runner, spawned()),
  worked: () => by(CAST.runner, claimed(), worked()),
  checking: () => by(CAST.runner, cellClosed(1), checkBorn(0), checkBorn(1)),
  checked: () => by(CAST.runner, checkClosed(0), checkClosed(1)),
  verified: () => by(CAST.runner, verified()),
  closed: () => by(CAST.runner, leaseReleased(1, CAST.runner, ID.cellLease)),
  computed: () => by(CAST.writer, ...effectRequests(), effectsComputed()),
  effectsAwaiting: (about: Terms) => (needsSecond(about) ? by(CAST.gate, effectsApprovalAsked()) : []),
  effectsApproved: (about: Terms) => (needsSecond(about) ? secondApproval(about) : []),
  writing: (about: Terms) => by(CAST.writer, leased(2, CAST.writer, 'mutable'), ...effectGrants(about)),
  intended: () => by(CAST.writer, ...EFFECTS.map(({ kind }) => intended(kind))),
  observed: () => by(CAST.writer, ...EFFECTS.map(({ kind }) => observed(kind))),
  receipted: (about: Terms) =>
    by(CAST.writer, ...EFFECTS.map(({ kind }) => receipt(kind, approvalFor(about))), runReceipt()),
  succeeded: () =>
    by(
      CAST.writer,
      onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt }),
      fact('task.completed', { evidence: [DIGEST] }, CAST.writer, { task: TASK }),
      leaseReleased(2, CAST.writer, ID.effectLease),
    ),
  ended: () => by(CAST.writer, fact('mission.ended', { because: 'verified', outcome: 'done' }, CAST.writer)),
};

function votersOf({ tier = 1, voters }: Terms): readonly TestKey[] {
  return voters ?? [[], [VIC], [VIC, VAL], [VIC, VAL]][tier]!;
}

function needsSecond({ tier = 1 }: Terms): boolean {
  return tier >= 2;
}

function secondApproval(about: Terms): Said[] {
  const voters = votersOf(about);
  const votes = voters.map((who) => uuid(`second ${voteOf(who)}`));
  const granted = approved(about, voters, { digest: effectsDigestOf(), votes }, ID.effectsApproval);
  return [...voters.map((who) => effectsVote(about, who)), ...by(CAST.gate, granted, effectsApprovalReceipt())];
}
