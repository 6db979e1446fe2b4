// Attacks by members who lie about why something happened: causes that never were or are long over, words of another
// mission.
import type { Event } from '../../../../src/kernel/event.ts';
import { headOf } from '../../../../src/ledger/tip.ts';
import type { ReasonCode } from '../../../../src/reasons.ts';
import { approved, ingress, proposal, VAL, VIC, vote, type Said } from '../../../support/course/asked.ts';
import { approvalFor, effectRequests, intended, observed, receipt } from '../../../support/course/caused.ts';
import { cellClosed, leased } from '../../../support/course/worked.ts';
import { uuid } from '../../../support/events.ts';
import { everywhere, forgedOn, refused, type Attack, type Expected } from '../../../support/forge/attack.ts';
import { KEY, ROSTER_0 } from '../../../support/forge/cast.ts';
import { ABOUT, recast, transactionsOf, type STAGES } from '../../../support/forge/course.ts';
import { said } from '../../../support/forge/facts.ts';
import { MISSION_ID } from '../../../support/forge/golden.ts';
import { CAST } from '../../../support/given.ts';

const NO_STATE: Expected = { is: 'not_visible', why: 'what may be named takes the events before it' };
const NEVER = uuid('an event that never was');

type Forged = {
  readonly name: string;
  readonly does: string;
  readonly at: (typeof STAGES)[number];
  /** The last of them lies. */
  readonly says: readonly Said[];
  readonly lie: (honest: Event) => Event;
  readonly code: ReasonCode;
  /** Left out where a proof, which has the event and not those before it, cannot tell. */
  readonly bundle?: Expected;
};

/** Honest in everything but what it says of its cause. */
function forgedCause({ name, does, at, says, lie, code, bundle = NO_STATE }: Forged): Attack {
  return {
    name,
    does,
    holds: 'a member’s key',
    forge: ({ bench, course }) => {
      const tip = course.at(at);
      const made = says.map(recast);
      const honest = bench.caused(
        tip,
        made.map(({ event }) => event),
      );
      const events = [...honest.slice(0, -1), lie(honest.at(-1)!)];
      return forgedOn(bench, 'course', tip, made[0]!.by, { events, isAsSaid: true });
    },
    ...everywhere(refused(code, says.length - 1)),
    bundle,
  };
}

/** The id that the golden course's event of this type has. */
function idOf(stage: (typeof STAGES)[number], type: Event['event_type']): string {
  const events = transactionsOf(stage).flatMap((one) => one.events);
  return events.find(({ event_type }) => event_type === type)!.event_id;
}

export const CAUSES: readonly Attack[] = [
  forgedCause({
    name: 'cause-that-never-was',
    does: 'names, as what made it happen, an event that no ledger holds',
    at: 'voted',
    says: [{ by: CAST.gate, event: approved(ABOUT, [VIC, VAL]) }],
    lie: (honest) => ({ ...honest, causation_id: NEVER }),
    code: 'cause_unknown',
  }),
  forgedCause({
    name: 'cause-left-out',
    does: 'acts for no reason at all',
    at: 'awaiting',
    says: [vote(ABOUT, VIC)],
    lie: (honest) => ({ ...honest, causation_id: null }),
    code: 'cause_missing',
    bundle: refused('cause_missing'),
  }),
  forgedCause({
    name: 'cause-that-is-over',
    does: 'asks for an effect because of a lease that was let go of',
    at: 'closed',
    says: [{ by: CAST.writer, event: effectRequests()[0]! }],
    lie: (honest) => ({ ...honest, causation_id: idOf('leased', 'lease.acquired') }),
    code: 'cause_unknown',
  }),
  forgedCause({
    name: 'cause-that-comes-after',
    does: 'names itself as its cause',
    at: 'granted',
    says: [{ by: CAST.runner, event: leased(1, CAST.runner, 'isolated') }],
    lie: (honest) => ({ ...honest, causation_id: honest.event_id }),
    code: 'cause_unknown',
  }),
  forgedCause({
    name: 'cause-in-another-ledger',
    does: 'names an event of the project as the cause of what happens in a cell',
    at: 'worked',
    says: [{ by: CAST.runner, event: cellClosed(1) }],
    lie: (honest) => ({
      ...honest,
      causation_id: null,
      cause: { index: 0, leaf: 'ca'.repeat(32), ledger_id: ROSTER_0.project_id },
    }),
    code: 'cause_misplaced',
    bundle: refused('cause_misplaced'),
  }),
  forgedCause({
    name: 'proposal-on-other-words',
    does: 'proposes on other words than those recorded beside it',
    at: 'created',
    says: [ingress(), proposal(2)].map((event) => ({ by: CAST.gate, event })),
    lie: (honest) => ({ ...honest, payload: { ...honest.payload, ingress_id: NEVER } }) as Event,
    code: 'source_missing',
  }),
  forgedCause({
    name: 'proposal-of-other-words',
    does: 'proposes a revision as if somebody else’s request had asked for it',
    at: 'created',
    says: [ingress(), proposal(2)].map((event) => ({ by: CAST.gate, event })),
    lie: (honest) => ({ ...honest, correlation_id: NEVER }),
    code: 'correlation_mismatch',
  }),
  forgedCause({
    name: 'attempt-for-another-request',
    does: 'runs the attempt as if another request had asked for it',
    at: 'granted',
    says: [{ by: CAST.runner, event: leased(1, CAST.runner, 'isolated') }],
    lie: (honest) => ({ ...honest, correlation_id: NEVER }),
    code: 'correlation_mismatch',
  }),
  forgedCause({
    name: 'effect-under-a-key-of-its-own',
    does: 'intends an effect under a key that is not its request, so that it may be done again',
    at: 'writing',
    says: [{ by: CAST.writer, event: intended('push_branch') }],
    lie: (honest) => ({ ...honest, idempotency_key: NEVER }),
    code: 'idempotency_mismatch',
  }),
  forgedCause({
    name: 'outcome-under-a-key-of-its-own',
    does: 'says what became of an effect under the key of another',
    at: 'intended',
    says: [{ by: CAST.writer, event: observed('push_branch') }],
    lie: (honest) => ({ ...honest, idempotency_key: NEVER }),
    code: 'idempotency_mismatch',
  }),
  forgedCause({
    name: 'receipt-under-a-key-of-its-own',
    does: 'gives an effect a receipt under the key of another',
    at: 'observed',
    says: [{ by: CAST.writer, event: receipt('push_branch', approvalFor(ABOUT)) }],
    lie: (honest) => ({ ...honest, idempotency_key: NEVER }),
    code: 'idempotency_mismatch',
  }),
  {
    name: 'release-because-of-another-mission',
    does: 'lets go of a mission’s paths because of what happened in another one',
    holds: 'a member’s key',
    forge: ({ bench, project, long, cut }) => {
      const payload = { after: headOf(long.tip), because: 'ended' as const, mission_id: MISSION_ID.long };
      const event = said('claims.released', payload, KEY.gus, { entity: MISSION_ID.long });
      const cause = { index: 0, leaf: 'ca'.repeat(32), ledger_id: cut.tip.state!.ledger_id };
      const events = [{ ...event, cause, task_id: project.tip.state!.ledger_id }];
      return forgedOn(bench, 'project', project.tip, KEY.gus, { events, isAsSaid: true });
    },
    ...everywhere(refused('cause_misplaced')),
  },
];
