// What people see of a mission's history, folded event by event so that nobody has to read it again: who voted, what
// became of effects, the receipts, the latest happenings. Decides nothing; what is open now stands in the state.
import { z } from 'zod';
import { EffectKind } from '../../kernel/course/classes.ts';
import { cellWords } from '../../kernel/cell/words.ts';
import { expiredWords } from '../../kernel/lease/words.ts';
import type { Event, EventType } from '../../kernel/event.ts';
import { Plan } from '../../kernel/course/plan.ts';
import { hex } from '../../format/bytes.ts';
import { FarCause } from '../../kernel/envelope.ts';
import { Count, Digest, Instant, ObjectName, Slug, Uuid } from '../../kernel/values.ts';
import type { Fold } from '../folding.ts';
import { show } from './evidence.ts';
import { tellAttempt, ToldAttempt } from './told-attempts.ts';

const Scope = z.enum(['plan', 'effects']);

const Outcome = z.enum(['applied', 'not_applied', 'refused', 'failed', 'unknown_outcome']);

const Cast = z.strictObject({
  principal: Slug,
  choice: z.enum(['approve', 'reject']),
  at: Instant,
  /** Null: signed by whoever voted. */
  comment: z.strictObject({ id: Count.nullable(), body_sha256: Digest }).nullable(),
});

const Told = z.lazy(() =>
  z.strictObject({
    /** What each approval was asked for. */
    asked: z.record(Uuid, Scope),
    votes: z.record(Uuid, Cast),
    /** The votes behind the latest approval of each kind, in the order in which the kinds were first approved. */
    granted: z.partialRecord(Scope, z.array(Uuid)),
    /** All that were ever intended, and what is known of their outcome: seen, or said by a person. */
    intended: z.record(Uuid, z.strictObject({ kind: EffectKind, outcome: Outcome.nullable() })),
    /** The latest of each kind, in the order in which they were intended. */
    effects: z.partialRecord(
      EffectKind,
      z.strictObject({
        target: z.string(),
        state: z.enum(['intended', 'applied', 'refused', 'failed', 'unknown_outcome']),
        because: z.string().nullable(),
      }),
    ),
    receipts: z.array(z.strictObject({ id: Uuid, action: z.string(), outcome: z.string() })),
    work: z.strictObject({ commit: ObjectName, changed: Count }).nullable(),
    pull_request: Count.nullable(),
    history: z.array(z.strictObject({ at: Instant, what: z.string() })),
    /** The plan in force, and whether anybody voted on it. */
    plan: z.strictObject({ terms: Plan, is_voted: z.boolean() }).nullable(),
    /** The latest other plan that somebody voted on; where nobody ever did, the one before. */
    former: z.strictObject({ terms: Plan, is_voted: z.boolean() }).nullable(),
    /** Comments that something followed from, by their numbers. */
    heard: z.array(Count),
    /** The latest form that came in. */
    form: z.strictObject({ ingress: Uuid, body_sha256: Digest }).nullable(),
    /** The form as it was when the proposal in force was read from it; null where that came another way. */
    proposed_form: Digest.nullable(),
    /** The agent's latest cell: what stood in it, and once it is closed the artifact that says what became of it. */
    cell: z.strictObject({ id: Uuid, environment: z.array(Digest), facts: Digest.nullable() }).nullable(),
    /** Artifacts that say what became of the cells that prepared or checked for it, where there is something to say. */
    beside: z.array(Digest),
    /** By route, over all attempts. */
    spent: z.record(Slug, z.strictObject({ calls: Count, guessed: Count, tokens_in: Count, tokens_out: Count })),
    /** The latest attempt that came to nothing. */
    failed: z.strictObject({ attempt: Uuid, at: Instant }).nullable(),
    /** The latest ones, in their order. */
    attempts: z.array(ToldAttempt),
    /** The mission that it goes on from, by its id; its signer's word. */
    follows: Uuid.nullable(),
    /** Where its end stands, for a mission that goes on from it. */
    end: FarCause.nullable(),
    /** By attempt, what it has to show for its run. */
    shown: z.record(Uuid, z.array(Digest)),
  }),
);
export type Told = z.infer<typeof Told>;

export const TOLD: Fold<Told> = {
  name: 'told',
  version: 10,
  kind: 'mission',
  start: () => ({
    asked: {},
    votes: {},
    granted: {},
    intended: {},
    effects: {},
    receipts: [],
    work: null,
    pull_request: null,
    history: [],
    plan: null,
    former: null,
    heard: [],
    form: null,
    proposed_form: null,
    cell: null,
    beside: [],
    spent: {},
    failed: null,
    attempts: [],
    follows: null,
    end: null,
    shown: {},
  }),
  take: (told, { events, leaves, tip }) => {
    for (const [i, event] of events.entries()) {
      tell(told, event);
      if (event.event_type === 'mission.opened') told.follows = event.cause?.ledger_id ?? null;
      if (event.event_type === 'mission.ended')
        told.end = { index: tip.size - events.length + i, leaf: hex(leaves[i]!), ledger_id: tip.state!.ledger_id };
      remember(told, event);
      tellAttempt(told.attempts, event, told.plan?.terms.base_commit);
      show(told.shown, event);
    }
  },
  write: (told) => told,
  read: (kept) => Told.safeParse(kept).data,
};

function tell(told: Told, event: Event): void {
  const { entity_id: id } = event;
  switch (event.event_type) {
    case 'ingress.recorded': {
      const { source_channel, forge } = event.payload;
      if (typeof forge?.comment_id === 'number') told.heard.push(forge.comment_id);
      if (source_channel === 'issue_form' && forge !== null)
        told.form = { ingress: id, body_sha256: forge.body_sha256 };
      return;
    }
    case 'mission.proposed':
      told.proposed_form = told.form?.ingress === event.payload.ingress_id ? told.form.body_sha256 : null;
      return;
    case 'plan.computed':
      return replan(told, event.payload);
    case 'approval.requested':
      told.asked[id] = event.payload.approval_type;
      return;
    case 'vote.cast': {
      const { choice, forge, approval_id } = event.payload;
      const comment = forge === null ? null : { id: forge.comment_id, body_sha256: forge.body_sha256 };
      told.votes[id] = { principal: event.actor_id, choice, at: event.occurred_at, comment };
      if (told.plan !== null && told.asked[approval_id] === 'plan') told.plan.is_voted = true;
      return;
    }
    case 'approval.granted':
      told.granted[told.asked[id] ?? 'plan'] = event.payload.votes;
      return;
    case 'effect.intended': {
      const { kind, target } = event.payload;
      told.intended[id] = { kind, outcome: null };
      told.effects[kind] = { target, state: 'intended', because: null };
      return;
    }
    case 'effect.observed':
      return observe(told, id, event.payload);
    case 'decision.recorded': {
      const { subject_ref, outcome, summary } = event.payload;
      return settle(told, subject_ref, outcome, summary);
    }
    case 'attempt.failed':
      told.failed = { attempt: id, at: event.occurred_at };
      return;
    case 'receipt.issued': {
      const { receipt_class: action, result_code: outcome } = event.payload;
      // Who agreed is told anyway.
      if (action === 'approval_resolution' && outcome === 'succeeded') return;
      told.receipts.push({ id, action, outcome });
      return;
    }
    case 'cell.spawned':
      if (event.payload.purpose !== 'agent') return;
      told.cell = { id, environment: event.payload.environment, facts: null };
      told.beside = [];
      return;
    case 'cell.closed':
      settleCell(told, id, event.payload.facts);
      for (const line of event.payload.spent) spend(told, line);
      return;
    case 'work.proposed':
      told.work = { commit: event.payload.commit, changed: event.payload.changed_paths };
      return;
    default:
  }
}

function settleCell({ cell, beside }: Told, id: string, facts: string | null): void {
  if (cell?.id === id) cell.facts = facts;
  else if (facts !== null && !beside.includes(facts)) beside.push(facts);
}

type Line = Extract<Event, { event_type: 'cell.closed' }>['payload']['spent'][number];

function spend({ spent }: Told, { route, calls, guessed, tokens_in, tokens_out }: Line): void {
  const before = spent[route] ?? { calls: 0, guessed: 0, tokens_in: 0, tokens_out: 0 };
  spent[route] = {
    calls: before.calls + calls,
    guessed: before.guessed + guessed,
    tokens_in: before.tokens_in + tokens_in,
    tokens_out: before.tokens_out + tokens_out,
  };
}

function replan(told: Told, terms: Plan): void {
  const { plan, former } = told;
  if (plan?.terms.plan_digest === terms.plan_digest) return;
  if (plan !== null && (plan.is_voted || former?.is_voted !== true)) told.former = plan;
  told.plan = { terms, is_voted: false };
}

type Observed = Extract<Event, { event_type: 'effect.observed' }>['payload'];

function observe(told: Told, id: string, { outcome, reason, number }: Observed): void {
  const kind = become(told, id, outcome);
  if (kind === undefined) return;
  told.effects[kind] = { ...told.effects[kind]!, state: outcome, because: outcome === 'applied' ? null : reason };
  if (kind === 'open_pull_request') told.pull_request = number;
}

/** What a person said stays visible as that: it was not seen by whoever caused it. */
function settle(told: Told, id: string, outcome: 'applied' | 'not_applied', because: string): void {
  const kind = become(told, id, outcome);
  if (kind === undefined) return;
  told.effects[kind] = { ...told.effects[kind]!, state: outcome === 'applied' ? 'applied' : 'failed', because };
}

/** The kind of an effect whose outcome was not known yet. */
function become(told: Told, id: string, outcome: z.infer<typeof Outcome>): EffectKind | undefined {
  const effect = told.intended[id];
  if (effect === undefined || !isUnknown(effect)) return undefined;
  effect.outcome = outcome;
  return effect.kind;
}

/** Whether nobody knows for good what became of it. */
export function isUnknown({ outcome }: Told['intended'][string]): boolean {
  return outcome === null || outcome === 'unknown_outcome';
}

const HISTORY_MAX = 10;

function remember({ history }: Told, event: Event): void {
  const words = WORDS[event.event_type];
  if (words === undefined || isBesideAgent(event) || isFirstAttempt(event)) return;
  const why = whyOf(event);
  history.push({ at: event.occurred_at, what: `${words}${why} (${event.actor_id})` });
  if (history.length > HISTORY_MAX) history.shift();
}

/** That the checks ran is told once, with what they came to; what was prepared, by what was then done with it. */
function isBesideAgent(event: Event): boolean {
  return event.event_type === 'cell.spawned' && event.payload.purpose !== 'agent';
}

/** It comes with the plan, and that is told. */
function isFirstAttempt(event: Event): boolean {
  return event.event_type === 'attempt.created' && event.payload.attempt_no === 1;
}

function whyOf(event: Event): string {
  switch (event.event_type) {
    case 'attempt.failed':
      return `: ${event.payload.because}`;
    case 'attempt.created':
      return `: number ${event.payload.attempt_no}, from the base again`;
    case 'lease.expired':
      return `: ${expiredWords(event.payload)}`;
    case 'cell.spawned':
      return `: ${cellWords(event.payload)}`;
    default:
      return '';
  }
}

const WORDS: Readonly<Partial<Record<EventType, string>>> = {
  'mission.proposed': 'proposed',
  'plan.computed': 'planned',
  'vote.cast': 'a vote',
  'vote.withdrawn': 'a vote was taken back',
  'approval.granted': 'approved',
  'attempt.created': 'another attempt',
  'lease.expired': 'its runner was given up',
  'cell.spawned': 'the agent started in its cell',
  'work.proposed': 'work was handed over',
  'work.refused': 'the work was refused',
  'verification.recorded': 'checked in fresh cells',
  'attempt.failed': 'an attempt failed',
  'effect.intended': 'an effect was intended',
  'effect.observed': 'an effect was observed',
  'decision.recorded': 'a person settled what became of an effect',
  'mission.cancelled': 'called off',
  'mission.held': 'held',
  'mission.unheld': 'let go on',
  'mission.ended': 'over',
};
