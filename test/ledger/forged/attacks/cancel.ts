// Attacks on calling a mission off: by those whom it does not concern, in the name of others, too late; and by every signer
// who would go on all the same. And the same of a stopped project.
import {
  by,
  approvalAsked,
  approved,
  attemptCreated,
  cancelled,
  grant,
  ID,
  ingress,
  judged,
  onAttempt,
  PIA,
  planned,
  proposal,
  relayed,
  relayOf,
  VIC,
  vote,
  type Said,
} from '../../../support/course/asked.ts';
import { intended } from '../../../support/course/caused.ts';
import { leased, spawned, worked } from '../../../support/course/worked.ts';
import { everywhere, on, refused, type Attack } from '../../../support/forge/attack.ts';
import { KEY } from '../../../support/forge/cast.ts';
import { ABOUT } from '../../../support/forge/course.ts';
import { said } from '../../../support/forge/facts.ts';
import { CAST, fact } from '../../../support/given.ts';
import { forgedCourse } from './course.ts';

/** Said by whoever asked for it, as honestly as can be. */
const OFF = by(PIA, cancelled(PIA));
const STRANGERS = { ...relayOf(VIC), user_id: 77 };

type GoingOn = Pick<Parameters<typeof forgedCourse>[0], 'name' | 'does' | 'at'> & { readonly says: readonly Said[] };

/** Where the mission was called off a moment before. */
function goesOn({ says, ...attack }: GoingOn): Attack {
  return forgedCourse({ ...attack, says: [...OFF, ...says], code: 'mission_cancelled' });
}

export const CANCEL: readonly Attack[] = [
  forgedCourse({
    name: 'cancelled-by-its-runner',
    does: 'calls off, as its runner, a mission that it would rather not run',
    at: 'granted',
    says: by(CAST.runner, cancelled(CAST.runner)),
    code: 'role_not_allowed',
    shows: true,
  }),
  forgedCourse({
    name: 'cancelled-in-the-name-of-a-person',
    does: 'calls a mission off, as the gate, as if a person had signed it',
    at: 'awaiting',
    says: by(CAST.gate, cancelled(VIC, CAST.gate, null)),
    code: 'actor_mismatch',
  }),
  forgedCourse({
    name: 'cancelled-by-the-gate-itself',
    does: 'calls a mission off, as the gate, because it would like to',
    at: 'awaiting',
    says: by(CAST.gate, cancelled(CAST.gate)),
    code: 'not_authorised',
  }),
  forgedCourse({
    name: 'cancelled-by-a-stranger',
    does: 'calls a mission off, as the gate, by the comment of an account that has nothing to do with it',
    at: 'awaiting',
    says: relayed({ by: CAST.gate, event: cancelled(CAST.gate, CAST.gate, STRANGERS) }),
    code: 'not_authorised',
  }),
  forgedCourse({
    name: 'cancelled-by-a-member-without-a-name',
    does: 'passes on, as the gate, a person’s comment as that of somebody whom no roster has',
    at: 'awaiting',
    says: relayed({ by: CAST.gate, event: cancelled(CAST.gate, CAST.gate, relayOf(VIC)) }),
    code: 'actor_mismatch',
  }),
  forgedCourse({
    name: 'cancelled-without-a-source',
    does: 'relays the word that calls a mission off and does not record where it came in',
    at: 'awaiting',
    says: by(CAST.gate, cancelled(VIC, CAST.gate)),
    code: 'source_missing',
  }),
  forgedCourse({
    name: 'cancelled-twice',
    does: 'calls off what is called off already, to be the one who did',
    at: 'awaiting',
    says: [...OFF, ...by(VIC, cancelled(VIC))],
    code: 'mission_cancelled',
  }),
  forgedCourse({
    name: 'cancelled-after-the-first-intent',
    does: 'calls a mission off whose effects may be in the world by now',
    at: 'intended',
    says: by(VIC, cancelled(VIC)),
    code: 'effects_begun',
  }),
  forgedCourse({
    name: 'cancelled-after-its-effects',
    does: 'calls a mission off whose effects were seen and receipted',
    at: 'receipted',
    says: by(VIC, cancelled(VIC)),
    code: 'effects_begun',
  }),
  forgedCourse({
    name: 'cancelled-after-success',
    does: 'calls off what was done',
    at: 'succeeded',
    says: by(VIC, cancelled(VIC)),
    code: 'mission_succeeded',
  }),
  goesOn({
    name: 'revised-after-the-cancel',
    does: 'revises a proposal that was called off',
    at: 'awaiting',
    says: by(CAST.gate, ingress(), proposal(2)),
  }),
  goesOn({
    name: 'planned-after-the-cancel',
    does: 'plans anew what was called off',
    at: 'awaiting',
    says: by(CAST.gate, planned(ABOUT)),
  }),
  goesOn({
    name: 'asked-after-the-cancel',
    does: 'asks people to approve what was called off',
    at: 'asked',
    says: by(CAST.gate, judged(), approvalAsked(ABOUT)),
  }),
  goesOn({
    name: 'vote-after-the-cancel',
    does: 'votes for what was called off',
    at: 'awaiting',
    says: [vote(ABOUT, VIC)],
  }),
  goesOn({
    name: 'approved-after-the-cancel',
    does: 'declares approved what was called off when the votes were there',
    at: 'voted',
    says: by(CAST.gate, approved(ABOUT, [VIC])),
  }),
  goesOn({
    name: 'granted-after-the-cancel',
    does: 'grants the run of what was called off',
    at: 'approved',
    says: by(CAST.gate, grant()),
  }),
  goesOn({
    name: 'leased-after-the-cancel',
    does: 'takes, as a runner, the lease of a mission that was called off',
    at: 'granted',
    says: by(CAST.runner, leased(1, CAST.runner, 'isolated')),
  }),
  goesOn({
    name: 'born-after-the-cancel',
    does: 'starts the agent of a mission that was called off',
    at: 'leased',
    says: by(CAST.runner, spawned()),
  }),
  goesOn({
    name: 'work-after-the-cancel',
    does: 'ignores, as a runner, that the mission was called off, and hands work over',
    at: 'spawned',
    says: by(CAST.runner, worked()),
  }),
  goesOn({
    name: 'writer-leased-after-the-cancel',
    does: 'takes, as the writer, lease after lease, so that a mission that was called off never ends',
    at: 'computed',
    says: by(CAST.writer, leased(2, CAST.writer, 'mutable')),
  }),
  goesOn({
    name: 'effect-after-the-cancel',
    does: 'begins, as the writer, an effect of a mission that was called off',
    at: 'writing',
    says: by(CAST.writer, intended('push_branch')),
  }),
  goesOn({
    name: 'another-attempt-after-the-cancel',
    does: 'begins another attempt of a mission that was called off',
    at: 'granted',
    says: by(
      CAST.gate,
      onAttempt('attempt.failed', { because: 'runner_lost' }, CAST.gate, { entity: ID.attempt }),
      attemptCreated(2, ID.attempt),
    ),
  }),
  goesOn({
    name: 'success-after-the-cancel',
    does: 'calls work a success that was verified before the mission was called off',
    at: 'closed',
    says: by(CAST.writer, onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt })),
  }),
  goesOn({
    name: 'ended-otherwise-after-the-cancel',
    does: 'ends as failed, as if it had been judged, what was called off',
    at: 'granted',
    says: by(
      CAST.gate,
      onAttempt('attempt.cancelled', { because: 'mission_cancelled' }, CAST.gate, { entity: ID.attempt }),
      fact('mission.ended', { because: 'verify_failed', outcome: 'failed' }, CAST.gate),
    ),
  }),
  {
    name: 'halt-of-a-root-lifted-by-a-person',
    does: 'lets a project go on, as a person, that a root stopped',
    holds: 'a member’s key',
    forge: ({ bench, project }) => {
      const halted = bench.honest(project.tip, KEY.ana, [said('halt.declared', {}, KEY.ana)]);
      const events = [said('halt.lifted', {}, KEY.sam)];
      return on('project', project.tip, bench.forged(halted, KEY.sam, { events }));
    },
    ...everywhere(refused('halt_of_root', 1)),
    bundle: { is: 'not_visible', why: 'what the state allows takes the events before it' },
  },
];
