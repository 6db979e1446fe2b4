// Attacks on the course of a mission, by members who hold a key that may sign the kind of event and would have it say
// more than was agreed to: votes, approvals, plans.
import type { Event } from '../../../../src/kernel/event.ts';
import {
  approvalAsked,
  approved,
  digestOf,
  grant,
  ID,
  ingress,
  judged,
  LATER,
  PIA,
  planned,
  proposal,
  relayed,
  relayOf,
  VIC,
  vote,
  type Said,
  type Terms,
  oneStep,
} from '../../../support/course/asked.ts';
import { turnsOf } from '../../../support/course.ts';
import { everywhere, forgedOn, on, refused, type Attack, type Expected } from '../../../support/forge/attack.ts';
import { KEY } from '../../../support/forge/cast.ts';
import { ABOUT, recast, type STAGES } from '../../../support/forge/course.ts';
import { said } from '../../../support/forge/facts.ts';
import type { TestKey } from '../../../support/people.ts';
import { CAST, STRANGER } from '../../../support/given.ts';
import type { ReasonCode } from '../../../../src/reasons.ts';

const NO_STATE: Expected = { is: 'not_visible', why: 'what the state allows takes the events before it' };

type Forged = {
  readonly name: string;
  readonly does: string;
  readonly at: (typeof STAGES)[number];
  readonly says: readonly Said[];
  readonly code: ReasonCode;
  /** A proof shows it too: who may sign what takes no other event. */
  readonly shows?: boolean;
};

/**
 * Appended to the golden course where it had come to a stage; refused for the last thing that is said. What others say
 * before the forger is honest.
 */
export function forgedCourse({ name, does, at, says, code, shows = false }: Forged): Attack {
  const answer = refused(code, says.length - 1);
  return {
    name,
    does,
    holds: 'a member’s key',
    forge: ({ bench, course }) => {
      const made = says.map(recast);
      const { by } = made.at(-1)!;
      const honest = made.slice(0, made.findLastIndex((one) => one.by !== by) + 1);
      const tip = turnsOf(honest).reduce((before, turn) => bench.honest(before, turn.by, turn.events), course.at(at));
      const events = made.slice(honest.length).map(({ event }) => event);
      return on('course', course.at(at), bench.forged(tip, by, { events }));
    },
    ...everywhere(answer),
    bundle: shows ? answer : NO_STATE,
  };
}

/** A table of such attacks by their names. */
export function forgedCourses(table: Readonly<Record<string, Omit<Forged, 'name'>>>): readonly Attack[] {
  return Object.entries(table).map(([name, forged]) => forgedCourse({ name, ...forged }));
}

function by(who: TestKey, event: Event): Said {
  return { by: who, event };
}

const LEE = vote(ABOUT, VIC);
const other: Terms = { plan: { ...ABOUT.plan, steps: oneStep(['**']) }, tier: 2 };

export const COURSE: readonly Attack[] = [
  forgedCourse({
    name: 'vote-of-a-stranger',
    does: 'relays, as the gate, the vote of an account that no roster has',
    at: 'awaiting',
    says: relayed(vote(ABOUT, STRANGER, CAST.gate)),
    code: 'actor_unknown',
    shows: true,
  }),
  forgedCourse({
    name: 'vote-of-the-proposer',
    does: 'votes for its own proposal',
    at: 'awaiting',
    says: [vote(ABOUT, PIA)],
    code: 'self_approval',
  }),
  forgedCourse({
    name: 'vote-signed-by-the-gate',
    does: 'signs a vote in the place of a person, as if that person had signed it',
    at: 'awaiting',
    says: [vote(ABOUT, VIC, CAST.gate, { forge: null })],
    code: 'actor_mismatch',
  }),
  forgedCourse({
    name: 'vote-relayed-from-another-account',
    does: 'relays as a person’s vote what another account wrote',
    at: 'awaiting',
    says: relayed(vote(ABOUT, VIC, CAST.gate, { forge: { ...relayOf(VIC), user_id: 7 } })),
    code: 'actor_mismatch',
  }),
  forgedCourse({
    name: 'vote-for-another-digest',
    does: 'records a vote that was given for another plan',
    at: 'awaiting',
    says: [vote(other, VIC)],
    code: 'approval_stale',
  }),
  forgedCourse({
    name: 'approval-without-votes',
    does: 'declares approved what nobody voted for',
    at: 'awaiting',
    says: [by(CAST.gate, approved(ABOUT, []))],
    code: 'quorum_missing',
  }),
  forgedCourse({
    name: 'approval-with-one-vote-of-two',
    does: 'votes, and declares the approval complete with that one vote',
    at: 'awaiting',
    says: [LEE, by(VIC, { ...approved(ABOUT, [VIC]), actor_id: VIC.principalId })],
    code: 'quorum_missing',
  }),
  forgedCourse({
    name: 'approval-of-a-stale-digest',
    does: 'declares another plan approved by the votes for this one',
    at: 'voted',
    says: [by(CAST.gate, approved(other, [VIC]))],
    code: 'approval_stale',
  }),
  forgedCourse({
    name: 'approval-asked-for-another-digest',
    does: 'asks people to vote for a digest that is not the plan’s',
    at: 'asked',
    says: [by(CAST.gate, judged()), by(CAST.gate, approvalAsked(other))],
    code: 'digest_unknown',
  }),
  forgedCourse({
    name: 'grant-without-approval',
    does: 'grants the run before anybody agreed',
    at: 'awaiting',
    says: [by(CAST.gate, grant())],
    code: 'quorum_missing',
  }),
  forgedCourse({
    name: 'grant-after-the-approval-expired',
    does: 'grants the run when the votes no longer count',
    at: 'approved',
    says: [by(CAST.gate, { ...grant(), occurred_at: LATER })],
    code: 'approval_expired',
  }),
  forgedCourse({
    name: 'policy-result-of-another-policy',
    does: 'has another policy judge than the one that the plan names',
    at: 'asked',
    says: [by(CAST.gate, judged(ID.exec, CAST.gate, { policy: { digest: `sha256:${'ee'.repeat(32)}`, revision: 1 } }))],
    code: 'policy_drifted',
  }),
  forgedCourse({
    name: 'plan-digest-wrong',
    does: 'puts another plan behind the digest that people will type',
    at: 'awaiting',
    says: [by(CAST.gate, { ...planned(other), payload: { ...planned(other).payload, plan_digest: digestOf(ABOUT) } })],
    code: 'plan_digest_mismatch',
  }),
  forgedCourse({
    name: 'plan-of-a-sibling-mission',
    does: 'brings the digest of the same plan in another mission, which people agreed to there',
    at: 'awaiting',
    says: [by(CAST.gate, planned(other))],
    code: 'plan_digest_mismatch',
  }),
  forgedCourse({
    name: 'proposer-forgotten',
    does: 'revises the proposal in another name, so that its author may vote for it',
    at: 'awaiting',
    says: [by(CAST.gate, ingress()), by(CAST.gate, proposal(2, [{ forge_user_id: 9, principal_id: null }]))],
    code: 'proposer_forgotten',
  }),
  forgedCourse({
    name: 'revised-while-under-way',
    does: 'revises the proposal while a runner works on what was approved',
    at: 'leased',
    says: [by(CAST.gate, ingress()), by(CAST.gate, proposal(2))],
    code: 'mission_under_way',
  }),
  {
    name: 'policy-brought-back',
    does: 'brings a policy into force under a number that is not the next',
    holds: 'one root’s key',
    forge: ({ bench, project }) => {
      const digest = `sha256:${'70'.repeat(32)}`;
      const event = said('policy.revised', { policy: digest, revision: 2, sacred: digest }, KEY.ana);
      return forgedOn(bench, 'project', project.tip, KEY.ana, { events: [event] });
    },
    ...everywhere(refused('policy_replayed')),
    bundle: NO_STATE,
  },
];
