// What must be true of every history that verifies, whoever lied in it: written from the promises, apart from the rules, and
// read off the log alone. An invariant answers with what is wrong, or with nothing.
import type { Event, EventOf, EventType } from '../../src/kernel/event.ts';
import { memberOf, personBehind, ROSTER } from './cast.ts';
import type { Entry } from './world.ts';

export type Invariant = {
  readonly name: string;
  readonly words: string;
  /** `entry` was just accepted, behind `before`. */
  readonly broken: (before: readonly Entry[], entry: Entry) => string | undefined;
};

type Said<T extends EventType> = { readonly event: EventOf<T>; readonly by: string; readonly at: number };

function all<T extends EventType>(log: readonly Entry[], type: T): Said<T>[] {
  return log.flatMap(({ event, by }, at) =>
    event.event_type === type ? [{ event: event as EventOf<T>, by, at }] : [],
  );
}

function last<T extends EventType>(log: readonly Entry[], type: T): Said<T> | undefined {
  return all(log, type).at(-1);
}

const LEAST_QUORUM = [0, 1, 2, 2] as const;
const NEEDS_TIER_ONE =
  /^(write_local|delete_local|vcs_mutation|rollback|network_write|publication|credentialed_api_call|durable_memory_write)$/;

type Plan = EventOf<'plan.computed'>['payload'];

/** What the plan's tier has to be, whatever it says of itself. */
function trueTier({ tier, asks }: Plan): number {
  return Math.max(tier, ...asks.map(({ action_class }) => (NEEDS_TIER_ONE.test(action_class) ? 1 : 0)));
}

function speaks(name: string, role: 'gate' | 'person' | 'writer'): boolean {
  return memberOf(name)?.roles.includes(role) === true;
}

/** Everybody who had a hand in what is asked for: who signed, for whom it was signed, whom a gate named. */
function authors(log: readonly Entry[]): Set<string> {
  const people = all(log, 'mission.proposed').flatMap(({ event, by }) => [
    ...(speaks(by, 'gate') ? [] : [by]),
    event.actor_id,
    ...event.payload.proposers.flatMap(({ principal_id, forge_user_id }) => [
      ...(principal_id === null ? [] : [principal_id]),
      ...ROSTER.members
        .filter((one) => one.forge_user_id !== null && one.forge_user_id === forge_user_id)
        .map((one) => one.principal_id),
    ]),
  ]);
  return new Set(people.map(personBehind));
}

/** Persons who agree to a digest: by their own signature, or below tier 3 by the word of a gate for their account. */
function agreeing(log: readonly Entry[], digest: string, tier: number): Set<string> {
  const persons = new Map<string, boolean>();
  log.forEach(({ event, by }) => {
    if (event.event_type === 'vote.cast' && event.payload.digest === digest) {
      const isSigned = by === event.actor_id && event.payload.forge === null;
      const isRelayed = speaks(by, 'gate') && event.payload.forge?.user_id === memberOf(event.actor_id)?.forge_user_id;
      const counts = event.payload.choice === 'approve' && (isSigned || (tier < 3 && isRelayed));
      persons.set(personBehind(event.actor_id), counts && isVoter(event.actor_id));
    }
    if (event.event_type === 'vote.withdrawn') persons.set(personBehind(event.actor_id), false);
  });
  return new Set([...persons].filter(([, counts]) => counts).map(([person]) => person));
}

function isVoter(name: string): boolean {
  const member = memberOf(name);
  return member?.principal_type === 'user' && member.roles.includes('person');
}

/** Digests whose votes cover this one too: of plans that asked for at least as much, where the question says so. */
function covered(log: readonly Entry[], digest: string, tier: number): string[] {
  if (tier >= 3) return [digest];
  const asked = all(log, 'approval.requested').filter(({ event }) => event.payload.digest === digest);
  const former = asked.flatMap(({ event }) =>
    all(log, 'approval.requested').filter(
      (one) => one.event.entity_id === event.payload.carries && one.event.payload.digest !== digest,
    ),
  );
  const plans = all(log, 'plan.computed').map(({ event }) => event.payload);
  const plan = plans.find((one) => one.plan_digest === digest);
  const isCovering = (other: Plan | undefined): boolean =>
    plan !== undefined &&
    other !== undefined &&
    other.terms === plan.terms &&
    other.base_commit === plan.base_commit &&
    other.policy.digest === plan.policy.digest &&
    trueTier(other) >= trueTier(plan) &&
    pathsOf(plan).every((path) => pathsOf(other).includes(path)) &&
    plan.asks.every(({ ask }) => other.asks.some((one) => one.ask === ask));
  const more = former
    .map(({ event }) => event.payload.digest)
    .filter((one) => isCovering(plans.find(({ plan_digest }) => plan_digest === one)));
  return [digest, ...more.flatMap((one) => covered(log.slice(0, asked.at(-1)?.at ?? 0), one, tier))];
}

function missing(log: readonly Entry[], digest: string, plan: Plan): string | undefined {
  const tier = trueTier(plan);
  const quorum = Math.max(plan.quorum, LEAST_QUORUM[tier]!);
  const not = tier === 0 ? new Set<string>() : authors(log);
  const agree = new Set(covered(log, digest, tier).flatMap((one) => [...agreeing(log, one, tier)]));
  const persons = [...agree].filter((person) => !not.has(person));
  return persons.length < quorum
    ? `${persons.length} of ${quorum} agreed (tier ${tier}): ${persons.join()}`
    : undefined;
}

function leaseAt(log: readonly Entry[]): Said<'lease.acquired'> | undefined {
  const lease = last(log, 'lease.acquired');
  const isOver = log
    .slice((lease?.at ?? 0) + 1)
    .some(({ event }) => event.event_type === 'lease.released' || event.event_type === 'lease.expired');
  return lease === undefined || isOver ? undefined : lease;
}

/** What became of an effect: null while nobody knows. */
function outcomeOf(log: readonly Entry[], effect: string): string | null {
  let outcome: string | null = null;
  for (const { event } of log) {
    if (event.event_type === 'effect.observed' && event.entity_id === effect) outcome = event.payload.outcome;
    if (event.event_type === 'decision.recorded' && event.payload.subject_ref === effect)
      outcome = event.payload.outcome === 'applied' ? 'applied' : 'failed';
  }
  return outcome === 'unknown_outcome' ? null : outcome;
}

function planNow(log: readonly Entry[]): Plan | undefined {
  return last(log, 'plan.computed')?.event.payload;
}

function invariant(name: string, words: string, broken: Invariant['broken']): Invariant {
  return { name, words, broken };
}

/** Said of one event type only. */
function whenever<T extends EventType>(
  types: readonly T[],
  broken: (event: EventOf<T>, log: readonly Entry[], by: string) => string | undefined,
): Invariant['broken'] {
  return (before, { event, by }) =>
    (types as readonly string[]).includes(event.event_type) ? broken(event as EventOf<T>, before, by) : undefined;
}

const RUNNERS_FAULT =
  /^(agent_missing|cell_prepare_failed|cell_start_failed|disk_full|git_failed|git_missing|backend_unmet|level_unmet|runner_lost|runner_silent|sandbox_missing|sandbox_unfit|approval_expired|base_unknown|grant_expired|policy_drifted|policy_unreadable|quorum_missing|ref_moved|sacred_unreadable)$/;
const AFTER_THE_END =
  /^(ingress\.recorded|artifact\.(recorded|erased)|note\.recorded|receipt\.issued|cell\.|roster\.adopted|cut_off\.adopted|trust\.annotated|ledger\.)/;
const MAY_HAVE_NO_CAUSE =
  /^(ingress\.recorded|mission\.opened|project\.opened|ledger\.|trust\.|note\.recorded|artifact\.|roster\.|key\.|halt\.|policy\.revised|cut_off\.)/;

export const INVARIANTS: readonly Invariant[] = [
  invariant(
    'agreed',
    'No agent runs unless enough different persons, none of whom asked for it, agreed to exactly this plan.',
    whenever(['cell.spawned'], (_, log) => {
      const plan = planNow(log);
      return plan === undefined ? 'no plan' : missing(log, plan.plan_digest, plan);
    }),
  ),
  invariant(
    'granted once',
    'One grant to run for what was asked, and no more births under it than it allows.',
    whenever(['grant.issued'], (event, log) =>
      event.payload.action_class === 'execute_command' &&
      all(log, 'grant.issued').some((one) => one.event.payload.action_request_ref === event.payload.action_request_ref)
        ? 'granted again'
        : undefined,
    ),
  ),
  invariant(
    'checked as planned',
    'A verdict names the plan’s checks, all of them, in its order, each with what the cell that was born for it ended with.',
    whenever(['verification.recorded'], ({ payload, attempt_id }, log) => {
      const kinds = planNow(log)?.checks ?? [];
      if (payload.checks.map(({ check }) => check).join() !== kinds.join()) return 'other checks than planned';
      const births = all(log, 'cell.spawned').filter(({ event }) => event.attempt_id === attempt_id);
      const ends = all(log, 'cell.closed');
      const told = payload.checks.findIndex(({ cell, exit_code, n }, place) => {
        const born = births.findIndex(({ event }) => event.entity_id === cell && event.payload.check === n);
        const end = ends.find(({ event }) => event.entity_id === cell);
        return n !== place || born === -1 || end?.event.payload.exit_code !== exit_code;
      });
      return told === -1 ? undefined : `check ${told} is told otherwise than it went`;
    }),
  ),
  invariant(
    'foreseen',
    'No effect but those computed from verified work, of a kind that the plan asks for, and from tier 2 on agreed to one by one.',
    whenever(['effect.intended'], ({ payload, attempt_id }, log) => {
      const plan = planNow(log);
      const grant = all(log, 'grant.issued').find(({ event }) => event.entity_id === payload.grant_id);
      const request = grant?.event.payload.action_request_ref;
      const set = all(log, 'effects.computed').findLast(({ event }) => event.attempt_id === attempt_id);
      const isIn = set?.event.payload.effects.some(
        (one) => one.action_request_ref === request && one.kind === payload.kind && one.effect === payload.effect,
      );
      if (plan === undefined || set === undefined || isIn !== true) return 'not in the computed set';
      if (!plan.asks.some(({ kind }) => kind === payload.kind)) return 'a kind that nobody asked for';
      const isVerified = all(log.slice(0, set.at), 'verification.recorded').some(
        ({ event }) => event.attempt_id === attempt_id && event.payload.verdict === 'satisfied',
      );
      if (!isVerified) return 'computed from work that nobody verified';
      return trueTier(plan) >= 2 ? missing(log, set.event.payload.effects_digest, plan) : undefined;
    }),
  ),
  invariant(
    'caused once',
    'Nothing is begun again while it may have happened, or after it did.',
    whenever(['effect.intended'], ({ payload }, log) => {
      const requestOf = (grantId: string) =>
        all(log, 'grant.issued').find(({ event }) => event.entity_id === grantId)?.event.payload.action_request_ref;
      const request = requestOf(payload.grant_id);
      const same = all(log, 'effect.intended').filter(
        ({ event }) =>
          requestOf(event.payload.grant_id) === request ||
          (event.payload.effect === payload.effect && event.payload.target === payload.target),
      );
      const open = same.filter(({ event }) => {
        const outcome = outcomeOf(log, event.entity_id);
        return outcome === null || outcome === 'applied';
      });
      return open.length > 0 ? 'an intent of the same is open or applied' : undefined;
    }),
  ),
  invariant(
    'receipts tell',
    'A receipt is about something in the log, says what became of it, and is the last word on it.',
    whenever(['receipt.issued'], ({ payload, event_id, entity_id }, log) => {
      const { subject_ref, result_code, receipt_class, capability_grant_ref } = payload;
      if (!log.some(({ event }) => event.entity_id === subject_ref)) return 'about nothing';
      const earlier = all(log, 'receipt.issued').filter(({ event }) => event.event_id !== event_id);
      if (earlier.some(({ event }) => event.entity_id === entity_id)) return 'an id used twice';
      const last = log.findLastIndex(
        ({ event }) =>
          event.event_type === 'receipt.issued' &&
          event.payload.subject_ref === subject_ref &&
          event.payload.result_code !== 'unknown_outcome',
      );
      // A vote taken back, or an end, opens an approval again: what settles it then has a word of its own.
      const settledAgain = log
        .slice(last + 1)
        .some(({ event }) => event.entity_id === subject_ref && event.event_type.startsWith('approval.'));
      if (last >= 0 && !settledAgain) return 'a second last word';
      const effect = all(log, 'effect.intended').find(({ event }) => event.entity_id === subject_ref);
      if (effect === undefined)
        return receipt_class === 'publish' && result_code === 'succeeded'
          ? 'published what nobody intended'
          : undefined;
      const outcome = outcomeOf(log, subject_ref);
      const said = { succeeded: 'applied', refused: 'refused', failed: 'failed', unknown_outcome: null }[
        result_code as 'succeeded'
      ];
      if (said !== outcome) return `says ${result_code} of ${outcome ?? 'an unknown outcome'}`;
      return capability_grant_ref !== null && capability_grant_ref !== effect.event.payload.grant_id
        ? 'names a grant that was not used'
        : undefined;
    }),
  ),
  invariant(
    'settled openly',
    'What policy once said of a request stays said.',
    whenever(['policy.evaluated'], ({ payload }, log) =>
      all(log, 'policy.evaluated').some(({ event }) => event.payload.action_request_ref === payload.action_request_ref)
        ? 'answered twice'
        : undefined,
    ),
  ),
  invariant(
    'own lease',
    'Only who holds the lease works, and nobody ends another’s before its time.',
    (before, { event, by }) => {
      const lease = leaseAt(before);
      switch (event.event_type) {
        case 'lease.acquired':
          return lease === undefined ? undefined : 'taken while another holds it';
        case 'lease.released':
          return lease?.by === by ? undefined : 'let go by somebody else';
        case 'lease.expired':
          return lease !== undefined && event.occurred_at > lease.event.payload.expires_at
            ? undefined
            : 'ended before its time';
        case 'work.proposed':
        case 'verification.recorded':
        case 'done.claimed':
        case 'effect.intended':
        case 'effect.observed':
          return lease?.by === by ? undefined : 'without the lease';
        case 'task.blocked':
        case 'task.paused':
        case 'task.unblocked':
          return memberOf(by)?.roles.join() === 'runner' && lease?.by !== by
            ? 'a runner without the lease moved the task'
            : undefined;
        default:
          return undefined;
      }
    },
  ),
  invariant(
    'own word',
    'Nobody votes, asks or answers for another: a gate speaks for accounts of the roster, everybody else for themselves.',
    (_, { event, by }) => {
      const actor = memberOf(event.actor_id);
      if (event.actor_id === by)
        return event.actor_type === actor?.principal_type ? undefined : 'another type than the roster’s';
      if (!speaks(by, 'gate') && !speaks(by, 'writer')) return 'spoke for somebody else';
      if (actor === undefined)
        return event.event_type === 'ingress.recorded' ? undefined : 'spoke for nobody on the roster';
      if (event.actor_type !== actor.principal_type) return 'another type than the roster’s';
      const isVote = event.event_type === 'vote.cast' || event.event_type === 'vote.withdrawn';
      return isVote && event.payload.forge?.user_id !== actor.forge_user_id
        ? 'a vote of an account that is not theirs'
        : undefined;
    },
  ),
  invariant(
    'blamed rightly',
    'A runner that holds nothing fails an attempt only for what is the runner’s or the world’s fault.',
    (before, { event, by }) =>
      event.event_type === 'attempt.failed' &&
      memberOf(by)?.roles.join() === 'runner' &&
      leaseAt(before) === undefined &&
      !RUNNERS_FAULT.test(event.payload.because)
        ? `failed as ${event.payload.because}`
        : undefined,
  ),
  invariant(
    'done is done',
    'A mission is done when its work was verified and every kind of effect that was asked for was seen, or declined by policy.',
    whenever(['mission.ended'], ({ payload }, log) => {
      if (payload.outcome !== 'done')
        return last(log, 'attempt.succeeded') === undefined ? undefined : `${payload.outcome} after success`;
      const plan = planNow(log);
      if (plan === undefined) return 'without a plan';
      const verified = last(log, 'verification.recorded')?.event.payload.verdict === 'satisfied';
      if (!verified) return 'without a verdict';
      const open = plan.asks.filter(({ kind }) => kind !== null && !isApplied(log, kind) && !isDeclined(log, kind));
      return open.length > 0 ? `${open.map(({ kind }) => kind).join()} never happened` : undefined;
    }),
  ),
  invariant('the end', 'After its end a mission only takes what looks after it.', (before, { event }) =>
    last(before, 'mission.ended') !== undefined && !AFTER_THE_END.test(event.event_type) ? 'after the end' : undefined,
  ),
  invariant(
    'sealed by the roots',
    'A ledger is closed by as many roots as the roster asks for.',
    whenever(['ledger.sealed'], ({ payload }) => {
      const signers = (payload as { signatures?: readonly { fingerprint: string }[] }).signatures ?? [];
      return new Set(signers.map(({ fingerprint }) => fingerprint)).size < ROSTER.threshold
        ? 'closed by too few'
        : undefined;
    }),
  ),
  invariant('heard once', 'One comment is one vote, however often it is heard.', (before, { event }) => {
    if (event.event_type !== 'vote.cast' && event.event_type !== 'vote.withdrawn') return undefined;
    const comment = event.payload.forge?.comment_id ?? null;
    const isSame = (other: Event): boolean =>
      (other.event_type === 'vote.cast' || other.event_type === 'vote.withdrawn') &&
      other.payload.forge?.comment_id === comment;
    return comment !== null && before.some((one) => isSame(one.event)) ? 'the same comment again' : undefined;
  }),
  invariant(
    'caused by something',
    'Every event but the few that begin something names what made it happen.',
    (before, { event }) => {
      if (event.causation_id === null) return MAY_HAVE_NO_CAUSE.test(event.event_type) ? undefined : 'no cause';
      return before.some((one) => one.event.event_id === event.causation_id)
        ? undefined
        : 'a cause that is not in the log';
    },
  ),
];

function isApplied(log: readonly Entry[], kind: string): boolean {
  return all(log, 'effect.intended').some(
    ({ event }) => event.payload.kind === kind && outcomeOf(log, event.entity_id) === 'applied',
  );
}

function isDeclined(log: readonly Entry[], kind: string): boolean {
  const requests = all(log, 'action.requested').filter(({ event }) => event.payload.kind === kind);
  return requests.some(({ event }) =>
    all(log, 'policy.evaluated').some(
      (one) =>
        one.event.payload.action_request_ref === event.entity_id &&
        (one.event.payload.result === 'deny' || one.event.payload.result === 'downgrade'),
    ),
  );
}

function pathsOf({ steps }: EventOf<'plan.computed'>['payload']): readonly string[] {
  return steps.flatMap(({ footprint }) => footprint);
}
