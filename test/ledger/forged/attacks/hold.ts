// Attacks on holding a mission: by those whom it does not concern, in the name of others, too late; by whoever would let it go
// on who may not; and by every signer who begins something all the same.
import {
  attemptCreated,
  by,
  cancelled,
  grant,
  held,
  ID,
  onAttempt,
  PIA,
  relayed,
  relayOf,
  unheld,
  VIC,
  type Said,
} from '../../../support/course/asked.ts';
import { intended } from '../../../support/course/caused.ts';
import { leased, spawned } from '../../../support/course/worked.ts';
import type { Attack } from '../../../support/forge/attack.ts';
import { CAST } from '../../../support/given.ts';
import { forgedCourse } from './course.ts';

/** Said by somebody who may approve it, as honestly as can be. */
const HELD = by(VIC, held(VIC));
const STRANGERS = { ...relayOf(VIC), user_id: 77 };

type Forged = Parameters<typeof forgedCourse>[0];
type GoingOn = Pick<Forged, 'name' | 'does' | 'at'> & { readonly says: readonly Said[] };

/** Where the mission was held a moment before. */
function goesOn({ says, ...attack }: GoingOn): Attack {
  return forgedCourse({ ...attack, says: [...HELD, ...says], code: 'mission_held' });
}

export const HOLD: readonly Attack[] = [
  forgedCourse({
    name: 'held-by-its-runner',
    does: 'holds, as its runner, a mission that it would rather not run',
    at: 'granted',
    says: by(CAST.runner, held(CAST.runner)),
    code: 'role_not_allowed',
    shows: true,
  }),
  forgedCourse({
    name: 'held-in-the-name-of-a-person',
    does: 'holds a mission, as the gate, as if a person had signed it',
    at: 'awaiting',
    says: by(CAST.gate, held(VIC, CAST.gate, null)),
    code: 'actor_mismatch',
  }),
  forgedCourse({
    name: 'held-by-the-gate-itself',
    does: 'holds a mission, as the gate, because it would like to',
    at: 'awaiting',
    says: by(CAST.gate, held(CAST.gate)),
    code: 'not_authorised',
  }),
  forgedCourse({
    name: 'held-by-a-stranger',
    does: 'holds a mission, as the gate, by the comment of an account that has nothing to do with it',
    at: 'awaiting',
    says: relayed({ by: CAST.gate, event: held(CAST.gate, CAST.gate, STRANGERS) }),
    code: 'not_authorised',
  }),
  forgedCourse({
    name: 'held-without-a-source',
    does: 'relays the word that holds a mission and does not record where it came in',
    at: 'awaiting',
    says: by(CAST.gate, held(VIC, CAST.gate)),
    code: 'source_missing',
  }),
  forgedCourse({
    name: 'held-twice',
    does: 'holds, as who proposed it, what is held already, to be the one who may let it go on',
    at: 'awaiting',
    says: [...HELD, ...by(PIA, held(PIA))],
    code: 'mission_held',
  }),
  forgedCourse({
    name: 'held-after-the-first-intent',
    does: 'holds a mission whose effects may be in the world by now',
    at: 'intended',
    says: by(VIC, held(VIC)),
    code: 'effects_begun',
  }),
  forgedCourse({
    name: 'held-after-success',
    does: 'holds what was done',
    at: 'succeeded',
    says: by(VIC, held(VIC)),
    code: 'mission_succeeded',
  }),
  forgedCourse({
    name: 'held-after-the-cancel',
    does: 'holds what was called off, so that it never ends',
    at: 'awaiting',
    says: [...by(PIA, cancelled(PIA)), ...by(VIC, held(VIC))],
    code: 'mission_cancelled',
  }),
  forgedCourse({
    name: 'let-go-by-its-proposer',
    does: 'lets go on, as who proposed it, what somebody else holds',
    at: 'awaiting',
    says: [...HELD, ...by(PIA, unheld(PIA))],
    code: 'hold_of_another',
  }),
  forgedCourse({
    name: 'let-go-in-the-name-of-a-person',
    does: 'lets a mission go on, as the gate, as if whoever holds it had signed that',
    at: 'awaiting',
    says: [...HELD, ...by(CAST.gate, unheld(VIC, CAST.gate, null))],
    code: 'actor_mismatch',
  }),
  forgedCourse({
    name: 'let-go-by-the-gate-itself',
    does: 'lets a mission go on, as the gate, because it would like to',
    at: 'awaiting',
    says: [...HELD, ...by(CAST.gate, unheld(CAST.gate))],
    code: 'not_authorised',
  }),
  forgedCourse({
    name: 'let-go-by-a-stranger',
    does: 'lets a mission go on, as the gate, by the comment of an account that has nothing to do with it',
    at: 'awaiting',
    says: [...HELD, ...relayed({ by: CAST.gate, event: unheld(CAST.gate, CAST.gate, STRANGERS) })],
    code: 'not_authorised',
  }),
  forgedCourse({
    name: 'let-go-without-a-source',
    does: 'relays the word that lets a mission go on and does not record where it came in',
    at: 'awaiting',
    says: [...HELD, ...by(CAST.gate, unheld(VIC, CAST.gate))],
    code: 'source_missing',
  }),
  forgedCourse({
    name: 'let-go-where-nobody-held-it',
    does: 'lets go on what nobody holds, to have been asked',
    at: 'awaiting',
    says: by(VIC, unheld(VIC)),
    code: 'hold_missing',
  }),
  goesOn({
    name: 'granted-while-held',
    does: 'grants the run of a mission that is held',
    at: 'approved',
    says: by(CAST.gate, grant()),
  }),
  goesOn({
    name: 'leased-while-held',
    does: 'takes, as a runner, the lease of a mission that is held',
    at: 'granted',
    says: by(CAST.runner, leased(1, CAST.runner, 'isolated')),
  }),
  goesOn({
    name: 'born-while-held',
    does: 'starts the agent of a mission that is held, under a lease from before',
    at: 'leased',
    says: by(CAST.runner, spawned()),
  }),
  goesOn({
    name: 'writer-leased-while-held',
    does: 'takes, as the writer, the lease to deliver the work of a mission that is held',
    at: 'computed',
    says: by(CAST.writer, leased(2, CAST.writer, 'mutable')),
  }),
  goesOn({
    name: 'effect-while-held',
    does: 'begins, as the writer, an effect of a mission that is held',
    at: 'writing',
    says: by(CAST.writer, intended('push_branch')),
  }),
  goesOn({
    name: 'another-attempt-while-held',
    does: 'begins another attempt of a mission that is held',
    at: 'granted',
    says: by(
      CAST.gate,
      onAttempt('attempt.failed', { because: 'runner_lost' }, CAST.gate, { entity: ID.attempt }),
      attemptCreated(2, ID.attempt),
    ),
  }),
  goesOn({
    name: 'success-while-held',
    does: 'calls work a success that was verified while the mission is held',
    at: 'closed',
    says: by(CAST.writer, onAttempt('attempt.succeeded', {}, CAST.writer, { entity: ID.attempt })),
  }),
];
