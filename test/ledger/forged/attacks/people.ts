// Attacks by members on who asks and who agrees: proposers who hide, gates that make a plan small, machines that act for
// people, and whoever would go on where somebody said no or all is over.
import { nodeCrypto } from '../../../../src/adapters/system/node-crypto.ts';
import type { EventOf } from '../../../../src/kernel/event.ts';
import { planDigest } from '../../../../src/kernel/course/plan.ts';
import type { Member } from '../../../../src/kernel/roster/roster.ts';
import {
  by,
  approvalAsked,
  askedAnew,
  denied,
  grant,
  ID,
  ingress,
  onAttempt,
  PIA,
  planned,
  proposal,
  PROPOSERS,
  relayed as heard,
  requestAnew,
  terms,
  VIC,
  vote,
  withdrawal,
  type Said,
  type Terms,
} from '../../../support/course/asked.ts';
import { uuid } from '../../../support/events.ts';
import { everywhere, forgedOn, refused, type Attack } from '../../../support/forge/attack.ts';
import { KEY, ROSTER_1 } from '../../../support/forge/cast.ts';
import { ABOUT, COURSE_ID } from '../../../support/forge/course.ts';
import { note } from '../../../support/forge/facts.ts';
import { CAST, DIGEST, fact, TASK } from '../../../support/given.ts';
import { testKey, nextRoster, type TestKey } from '../../../support/people.ts';
import { forgedCourse } from './course.ts';
import { presented } from './roster.ts';

const SECOND_ACCOUNT = testKey('pia-at-work');
const HIDDEN = [{ forge_user_id: null, principal_id: 'vic' }];
const REVIEWER = [...PROPOSERS, ...HIDDEN, { forge_user_id: null, principal_id: 'val' }];

/** With the digest that it has in the golden mission. */
function plan(about: Terms): EventOf<'plan.computed'> {
  const said = planned(about);
  const own = { ...terms(about), plan_digest: planDigest(nodeCrypto, COURSE_ID, terms(about)) };
  return { ...said, payload: own };
}

const gate = (...events: Said['event'][]) => by(CAST.gate, ...events);
const SIGNED_REVISION: Terms = { tier: 3, plan: { ...ABOUT.plan, revision: 2 } };
const ROOTS = [KEY.ana, KEY.ben];

/** A revision and the words it rests on. */
function inWords(by: TestKey, proposers: Parameters<typeof proposal>[1]): Said[] {
  return [
    { by, event: ingress(by) },
    { by, event: proposal(2, proposers, by) },
  ];
}

const SIGNED_QUESTION = uuid('asked at tier 3');
const OF_TIER_3 = { approval_id: SIGNED_QUESTION, digest: plan(SIGNED_REVISION).payload.plan_digest } as const;

/** Planned anew for signatures, asked, and rejected by one. */
function rejectedAtTier3(): Said[] {
  const { digest } = OF_TIER_3;
  const asked = approvalAsked({}, { digest, requested_action_ref: requestAnew() }, SIGNED_QUESTION);
  return [
    ...inWords(PIA, PROPOSERS),
    ...gate(plan(SIGNED_REVISION), ...askedAnew().map(({ event }) => event), asked),
    another(vote(ABOUT, VIC, VIC, { ...OF_TIER_3, choice: 'reject' }), 'no of vic'),
  ];
}

/** Under an id of its own: that one was drawn for an earlier vote. */
function another({ by, event }: Said, id = 'relayed of vic'): Said {
  return { by, event: { ...event, entity_id: uuid(id) } };
}

export const PEOPLE: readonly Attack[] = [
  forgedCourse({
    name: 'proposer-not-named',
    does: 'revises a proposal without standing among its proposers, to vote for it afterwards',
    at: 'awaiting',
    says: inWords(VIC, PROPOSERS),
    code: 'proposer_missing',
  }),
  forgedCourse({
    name: 'proposer-in-the-name-of-a-reviewer',
    does: 'names, as a person, somebody else as proposer, so that this reviewer may not vote',
    at: 'awaiting',
    says: inWords(VIC, REVIEWER),
    code: 'proposer_foreign',
  }),
  forgedCourse({
    name: 'proposer-under-another-name',
    does: 'names, as the gate, an account together with another member than the one it belongs to',
    at: 'awaiting',
    says: inWords(CAST.gate, [...PROPOSERS, { forge_user_id: 103, principal_id: 'val' }]),
    code: 'proposer_mismatch',
  }),
  forgedCourse({
    name: 'vote-through-a-second-account',
    does: 'votes for its own proposal through another account of the same person',
    at: 'awaiting',
    says: [vote(ABOUT, SECOND_ACCOUNT)],
    code: 'self_approval',
  }),
  forgedCourse({
    name: 'denied-by-the-proposer',
    does: 'ends, as the proposer, what only those who may vote can deny',
    at: 'awaiting',
    says: [{ by: PIA, event: denied(PIA) }],
    code: 'self_approval',
  }),
  forgedCourse({
    name: 'plan-below-its-tier',
    does: 'calls a plan that pushes one of tier 0, for which nobody has to agree',
    at: 'awaiting',
    says: gate(plan({ tier: 0, plan: { ...ABOUT.plan, asks: terms(ABOUT).asks } })),
    code: 'tier_too_low',
  }),
  forgedCourse({
    name: 'plan-that-calls-a-push-a-look',
    does: 'gives a push in the plan the class of reading, and the plan tier 0',
    at: 'awaiting',
    says: gate(
      plan({
        tier: 0,
        plan: {
          ...ABOUT.plan,
          asks: terms(ABOUT).asks.map((one) => ({ ...one, action_class: 'read_local' as const })),
        },
      }),
    ),
    code: 'event_malformed',
  }),
  forgedCourse({
    name: 'plan-for-a-quorum-out-of-reach',
    does: 'asks for more people than may vote',
    at: 'awaiting',
    says: gate(plan({ ...ABOUT, plan: { ...ABOUT.plan, quorum: 16 } })),
    code: 'quorum_unreachable',
  }),
  forgedCourse({
    name: 'plan-of-tier-3-for-a-relayed-proposal',
    does: 'plans at tier 3 what only the gate says that somebody proposed',
    at: 'awaiting',
    says: gate(plan({ ...ABOUT, tier: 3 })),
    code: 'proposal_unsigned',
  }),
  forgedCourse({
    name: 'votes-carried-at-tier-3',
    does: 'has signed votes for one plan count for another of tier 3',
    at: 'voted',
    says: [
      ...inWords(PIA, PROPOSERS),
      ...gate(
        plan(SIGNED_REVISION),
        ...askedAnew().map(({ event }) => event),
        approvalAsked(
          {},
          {
            carries: ID.approval,
            digest: plan(SIGNED_REVISION).payload.plan_digest,
            requested_action_ref: requestAnew(),
          },
          uuid('carrying'),
        ),
      ),
    ],
    code: 'votes_not_carried',
  }),
  forgedCourse({
    name: 'no-taken-back-by-a-gate',
    does: 'takes a rejection back that a person signed at tier 3',
    at: 'voted',
    says: [...rejectedAtTier3(), ...heard({ by: CAST.gate, event: withdrawal(VIC, CAST.gate, SIGNED_QUESTION) })],
    code: 'word_unsigned',
  }),
  forgedCourse({
    name: 'no-replaced-by-a-gate',
    does: 'puts another vote in the place of a rejection that a person signed at tier 3',
    at: 'voted',
    says: [...rejectedAtTier3(), ...heard(another(vote(ABOUT, VIC, CAST.gate, OF_TIER_3)))],
    code: 'word_unsigned',
  }),
  forgedCourse({
    name: 'run-granted-for-many-cells',
    does: 'grants the run for 64 cells',
    at: 'approved',
    says: gate(grant(ID.exec, { max_uses: 64 })),
    code: 'births_exhausted',
  }),
  forgedCourse({
    name: 'run-granted-again',
    does: 'issues the grant to run once more when it is used up',
    at: 'spawned',
    says: gate(grant(ID.exec, {}, { entity: uuid('another grant') })),
    code: 'births_exhausted',
  }),
  forgedCourse({
    name: 'task-paused-without-a-lease',
    does: 'pauses, as a runner, a task that it does not hold',
    at: 'closed',
    says: [{ by: CAST.runner, event: fact('task.paused', { because: 'held' }, CAST.runner, { task: TASK }) }],
    code: 'lease_lost',
  }),
  forgedCourse({
    name: 'verdict-on-work-not-begun',
    does: 'fails, as a runner without a lease, an attempt as if its work had been judged',
    at: 'granted',
    says: [
      {
        by: CAST.runner,
        event: onAttempt('attempt.failed', { because: 'verify_failed' }, CAST.runner, { entity: ID.attempt }),
      },
    ],
    code: 'lease_lost',
  }),
  forgedCourse({
    name: 'called-off-after-success',
    does: 'ends, as the gate, a mission as cancelled when everything was done',
    at: 'succeeded',
    says: gate(fact('mission.ended', { because: 'no_longer_wanted', outcome: 'cancelled' }, CAST.gate)),
    code: 'mission_succeeded',
  }),
  forgedCourse({
    name: 'work-after-the-end',
    does: 'creates a task in a mission that is over',
    at: 'ended',
    says: gate(fact('task.created', { contract: DIGEST }, CAST.gate, { task: uuid('one more task') })),
    code: 'mission_over',
  }),
  relayed('actor-on-no-roster', 'tells, as the gate, of an act of somebody whom no roster has', 'nobody'),
  relayed('actor-of-another-type', 'tells, as the gate, of a person as of a webhook', KEY.sam.principalId, 'webhook'),
  presented(
    'roster-with-a-machine-among-people',
    'puts a machine into a layer of people, properly signed',
    'roster_layer_wrong',
    changed((one) => (one.principal_id === 'gus' ? { ...one, layer: 'L1' } : one)),
    ROOTS,
  ),
  presented(
    'roster-with-one-account-for-two',
    'gives two members one account of the forge, properly signed',
    'roster_account_twice',
    changed((one) => (one.principal_id === 'ana' || one.principal_id === 'ben' ? { ...one, forge_user_id: 7 } : one)),
    ROOTS,
  ),
];

function relayed(name: string, does: string, actor: string, type?: 'webhook'): Attack {
  return {
    name,
    does,
    holds: 'a member’s key',
    forge: ({ bench, course }) => {
      const said = note(KEY.gus, COURSE_ID, 9000, actor);
      const events = [type === undefined ? said : { ...said, actor_type: type }];
      return forgedOn(bench, 'course', course.at('awaiting'), KEY.gus, { events });
    },
    ...everywhere(refused(type === undefined ? 'actor_unknown' : 'actor_mismatch')),
  };
}

function changed(change: (one: Member) => Member): typeof ROSTER_1 {
  return nextRoster(ROSTER_1, { members: ROSTER_1.members.map(change) });
}
