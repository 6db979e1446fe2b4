// Attacks by members who lie about the time: dated back, to use what is over; dated ahead, to end what is not; and windows
// that never close.
import type { Event } from '../../../../src/kernel/event.ts';
import {
  approvalAsked,
  ID,
  judged,
  LATER,
  NOW,
  onAttempt,
  VIC,
  vote,
  type Said,
} from '../../../support/course/asked.ts';
import { intended } from '../../../support/course/caused.ts';
import { leased, spawned } from '../../../support/course/worked.ts';
import type { Attack } from '../../../support/forge/attack.ts';
import { ABOUT } from '../../../support/forge/course.ts';
import { CAST, DIGEST, fact } from '../../../support/given.ts';
import type { TestKey } from '../../../support/people.ts';
import { forgedCourses } from './course.ts';

/** Honest, and later than everything that is open. */
const NOW_IT_IS_LATER: Said = {
  by: CAST.gate,
  event: fact('projection.anchored', { comment_id: 7, issue: 3, kind: 'status_comment' }, CAST.gate, {
    occurred_at: LATER,
  }),
};
/** Three minutes of it, after a beacon of the moment in which the lease was taken, unless told otherwise. */
function silence(by: TestKey, at: string, beaconAt = NOW): Event {
  const said = { beacon: { at: beaconAt, digest: DIGEST, no: 1 }, seconds: 180 };
  return onAttempt('lease.expired', { fence: 1, silence: said }, by, { entity: ID.cellLease, occurred_at: at });
}

const FOR_EVER = '9999-12-31T23:59:59.999Z';

function endless<E extends Event & { payload: { expires_at: string } }>(said: E): E {
  return { ...said, payload: { ...said.payload, expires_at: FOR_EVER } };
}

/** What the clock says is checked against the events before; a proof need not show them. */
export const TIME: readonly Attack[] = forgedCourses({
  'lease-dated-back': {
    does: 'takes, as a runner, the lease under a grant that is over, and dates that back',
    at: 'granted',
    says: [NOW_IT_IS_LATER, { by: CAST.runner, event: leased(1, CAST.runner, 'isolated') }],
    code: 'clock_behind',
  },
  'cell-dated-back': {
    does: 'starts the agent under a grant that is over, and dates that back',
    at: 'leased',
    says: [NOW_IT_IS_LATER, { by: CAST.runner, event: spawned() }],
    code: 'clock_behind',
  },
  'vote-dated-back': {
    does: 'votes when the time for it is over, and dates that back',
    at: 'awaiting',
    says: [NOW_IT_IS_LATER, vote(ABOUT, VIC)],
    code: 'clock_behind',
  },
  'effect-dated-back': {
    does: 'intends an effect under a grant that is over, and dates that back',
    at: 'writing',
    says: [NOW_IT_IS_LATER, { by: CAST.writer, event: intended('push_branch') }],
    code: 'clock_behind',
  },
  'lease-expired-ahead-of-time': {
    does: 'ends, as a runner, the lease of another by an event dated ahead',
    at: 'leased',
    says: [
      {
        by: CAST.runner,
        event: onAttempt('lease.expired', { fence: 1, silence: null }, CAST.runner, {
          entity: ID.cellLease,
          occurred_at: LATER,
        }),
      },
    ],
    code: 'role_not_allowed',
    shows: true,
  },
  'lease-expired-in-silence-by-a-runner': {
    does: 'ends, as a runner, the lease of another that was heard of a moment ago, for silence',
    at: 'leased',
    says: [{ by: CAST.runner, event: silence(CAST.runner, '2026-11-18T10:30:00.000Z') }],
    code: 'role_not_allowed',
    shows: true,
  },
  'lease-expired-before-the-silence-is-long': {
    does: 'ends, as the gate, a lease for three minutes of silence one minute after the beacon that it names',
    at: 'leased',
    says: [{ by: CAST.gate, event: silence(CAST.gate, '2026-11-18T10:01:00.000Z') }],
    code: 'lease_held',
  },
  'lease-expired-by-a-beacon-of-before': {
    does: 'ends, as the gate, a lease by a beacon from before it was taken',
    at: 'leased',
    says: [{ by: CAST.gate, event: silence(CAST.gate, '2026-11-18T10:01:00.000Z', '2026-11-18T09:50:00.000Z') }],
    code: 'lease_held',
  },
  'lease-after-the-grant': {
    does: 'takes the lease to run when the grant to run is over',
    at: 'granted',
    says: [
      {
        by: CAST.runner,
        event: {
          ...leased(1, CAST.runner, 'isolated'),
          occurred_at: LATER,
          payload: { ...leased(1, CAST.runner, 'isolated').payload, expires_at: '2026-11-18T13:00:00.000Z' },
        },
      },
    ],
    code: 'grant_expired',
  },
  'lease-for-ever': {
    does: 'takes the lease to run and never lets the mission go',
    at: 'granted',
    says: [{ by: CAST.runner, event: endless(leased(1, CAST.runner, 'isolated')) }],
    code: 'window_too_long',
  },
  'approval-for-ever': {
    does: 'asks people for votes that never expire',
    at: 'asked',
    says: [
      { by: CAST.gate, event: judged() },
      { by: CAST.gate, event: endless(approvalAsked(ABOUT)) },
    ],
    code: 'window_too_long',
  },
});
