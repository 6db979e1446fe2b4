// What people, jobs and machines write in the course of a mission, stage by stage: each stage's events as an honest
// walk has them. Pushes a branch and opens a pull request; one who proposes, others who vote.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import type { EffectKind } from '../../../src/kernel/course/classes.ts';
import { EFFECT_KINDS } from '../../../src/kernel/course/classes.ts';
import type { Event, EventOf, EventType } from '../../../src/kernel/event.ts';
import type { Origin } from '../../../src/kernel/ingress/heard.ts';
import { NO_ROLLBACK } from '../../../src/kernel/receipt/classes.ts';
import { planDigest, type PlanTerms } from '../../../src/kernel/course/plan.ts';
import { uuid } from '../events.ts';
import { CAST, DIGEST, fact, MISSION, TASK, type Fields } from '../given.ts';
import { testKey, type TestKey } from '../people.ts';

/** Proposes. */
export const PIA = testKey('pia');
export const VIC = testKey('vic');
export const VAL = testKey('val');
export const FORGE_USER: Readonly<Record<string, number>> = { person: 101, pia: 102, vic: 103, val: 104 };

export const ID = {
  step: uuid('step'),
  attempt: uuid('attempt 1'),
  exec: uuid('request exec'),
  approval: uuid('approval of the plan'),
  effectsApproval: uuid('approval of the effects'),
  execGrant: uuid('grant exec'),
  cellLease: uuid('lease of the cell'),
  effectLease: uuid('lease of the writer'),
  cell: uuid('cell'),
} as const;
export const BASE = 'ba'.repeat(20);
export const WORK = '3c'.repeat(20);
const POLICY = { digest: `sha256:${'70'.repeat(32)}`, revision: 1 };
/** What is to be caused, and where. */
export const EFFECTS = [
  { kind: 'push_branch', target: 'lazarus-work/m/1' },
  { kind: 'open_pull_request', target: 'pulls/main' },
] as const satisfies readonly { kind: EffectKind; target: string }[];

export const NOW = '2026-11-18T10:00:00.000Z';
export const SOON = '2026-11-18T12:00:00.000Z';
export const LATER = '2026-11-18T12:00:00.001Z';

type Payload<Type extends EventType> = EventOf<Type>['payload'];

export type Said = { readonly event: Event; readonly by: TestKey };

export function by(who: TestKey, ...events: Event[]): Said[] {
  return events.map((event) => ({ event, by: who }));
}

export type Terms = {
  readonly tier?: 0 | 1 | 2 | 3;
  readonly voters?: readonly TestKey[];
  readonly plan?: Partial<PlanTerms>;
};

/** An event about the attempt at hand. */
export function onAttempt<Type extends EventType>(
  type: Type,
  payload: EventOf<Type>['payload'],
  by: TestKey,
  fields: Fields = {},
): EventOf<Type> {
  return fact(type, payload, by, { task: TASK, step_id: ID.step, attempt_id: ID.attempt, ...fields });
}

/** Everything that the gate relays of an account: where it came in, and the word itself. */
export function relayed(word: Said): Said[] {
  const { event } = word;
  const forge = isSaying(event) ? event.payload.forge : null;
  const said = { ...ingress().payload, forge, resolution: 'approval', source_channel: 'issue_comment' } as const;
  return [{ by: CAST.gate, event: fact('ingress.recorded', said, CAST.gate, { entity: uuid('came in') }) }, word];
}

type Saying = Exclude<Extract<Event, { payload: { forge: Origin | null } }>, EventOf<'ingress.recorded'>>;

/** What somebody says under their own key or through a gate. */
export function isSaying(event: Event): event is Saying {
  return event.event_type !== 'ingress.recorded' && 'forge' in event.payload;
}

export function ingress(by: TestKey = CAST.gate): EventOf<'ingress.recorded'> {
  const payload: Payload<'ingress.recorded'> = {
    chosen_task_id: null,
    conversation_id: uuid('issue 3'),
    forge: null,
    normalized_text: DIGEST,
    raw_text: DIGEST,
    resolution: 'start_new_root',
    source_channel: 'cli',
    status: 'bound',
  };
  return fact('ingress.recorded', payload, by, { entity: uuid('ingress') });
}

export function proposal(
  revision = 1,
  proposers: Payload<'mission.proposed'>['proposers'] = PROPOSERS,
  by: TestKey = CAST.gate,
): EventOf<'mission.proposed'> {
  return fact('mission.proposed', { ingress_id: uuid('ingress'), proposal: DIGEST, proposers, revision }, by);
}
export const PROPOSERS = [{ forge_user_id: FORGE_USER['pia']!, principal_id: PIA.principalId }];

export function created(): Event[] {
  return [
    fact('task.created', { contract: DIGEST }, CAST.gate, { task: TASK }),
    fact('task.readied', {}, CAST.gate, { task: TASK }),
    stepCreated(),
    attemptCreated(),
  ];
}

export function stepCreated(): EventOf<'step.created'> {
  const payload = { contract_ref: DIGEST, kind: 'run_agent', max_attempts: 2, place: 0 };
  return fact('step.created', payload, CAST.gate, { task: TASK, entity: ID.step, step_id: ID.step });
}

export function attemptCreated(no = 1, from: string | null = null): EventOf<'attempt.created'> {
  const id = uuid(`attempt ${no}`);
  const payload = { attempt_no: no, executor_mode: 'cell', resume_from_ref: from } as const;
  return onAttempt('attempt.created', payload, CAST.gate, { entity: id, attempt_id: id });
}

export function terms({ tier = 1, plan = {} }: Terms = {}): PlanTerms {
  return {
    // Tier 0 reaches nothing outside its cell.
    asks:
      tier === 0
        ? []
        : EFFECTS.map(({ kind }, i) => ({
            action_class: EFFECT_KINDS[kind].actionClass,
            ask: `a${i}`.repeat(32),
            kind,
          })),
    backend: 'process',
    base_commit: BASE,
    budget_minutes: 60,
    checks: ['verify', 'acceptance'],
    level: 2,
    plan: DIGEST,
    policy: POLICY,
    proposal: DIGEST,
    quorum: [0, 1, 2, 2][tier]!,
    revision: 1,
    roster_n: 0,
    steps: oneStep(['src/**']),
    terms: '7e'.repeat(32),
    tier,
    ttl_minutes: 240,
    ...plan,
  };
}

/** The one step that a plan may have, with these paths. */
export function oneStep(footprint: string[]): PlanTerms['steps'] {
  return [{ agent: 'example', depends_on: [], footprint, role: 'executor' }];
}

export function digestOf(about: Terms = {}): string {
  return planDigest(nodeCrypto, MISSION, terms(about));
}

export function planned(about: Terms = {}): EventOf<'plan.computed'> {
  return fact('plan.computed', { ...terms(about), plan_digest: digestOf(about) }, CAST.gate);
}

export function asked(): EventOf<'action.requested'> {
  const payload: Payload<'action.requested'> = {
    action_class: 'execute_command',
    kind: null,
    params_ref: DIGEST,
    reversibility_hint: 'reversible',
    target_resources: ['cells/process'],
  };
  return onAttempt('action.requested', payload, CAST.gate, { entity: ID.exec });
}

export function judged(
  request: string = ID.exec,
  by = CAST.gate,
  changes: Partial<EventOf<'policy.evaluated'>['payload']> = {},
): EventOf<'policy.evaluated'> {
  const payload: Payload<'policy.evaluated'> = {
    action_request_ref: request,
    policy: POLICY,
    reasons: ['agents_run_in_cells'],
    result: 'require_approval',
    risk: 'moderate',
    witness_required: true,
    ...changes,
  };
  return onAttempt('policy.evaluated', payload, by, { entity: policyOf(request) });
}

/** The same asked for again, and judged, as a plan that is made anew does it. */
export function askedAnew(name = 'anew', attempt: string = ID.attempt): Said[] {
  const request = requestAnew(name);
  return [
    { event: { ...asked(), entity_id: request, attempt_id: attempt }, by: CAST.gate },
    { event: { ...judged(request), attempt_id: attempt }, by: CAST.gate },
  ];
}

export function requestAnew(name = 'anew'): string {
  return uuid(`request exec ${name}`);
}

export function policyOf(request: string): string {
  return uuid(`policy for ${request}`);
}

export function approvalAsked(
  about: Terms = {},
  changes: Partial<EventOf<'approval.requested'>['payload']> = {},
  entity: string = ID.approval,
): EventOf<'approval.requested'> {
  const payload: Payload<'approval.requested'> = {
    approval_packet_ref: DIGEST,
    approval_type: 'plan',
    carries: null,
    digest: digestOf(about),
    expires_at: SOON,
    requested_action_ref: ID.exec,
    ...changes,
  };
  return onAttempt('approval.requested', payload, CAST.gate, { entity });
}

type VoteChanges = Partial<EventOf<'vote.cast'>['payload']>;

/** Signed by the person, or what the gate relays of the account. */
export function vote(about: Terms, who: TestKey, by: TestKey = who, changes: VoteChanges = {}): Said {
  const payload: Payload<'vote.cast'> = {
    approval_id: ID.approval,
    choice: 'approve',
    digest: digestOf(about),
    forge: by === who ? null : relayOf(who),
    reason: null,
    ...changes,
  };
  return { by, event: onAttempt('vote.cast', payload, by, { entity: voteOf(who), actor: who.principalId }) };
}

export function voteOf(who: TestKey): string {
  return uuid(`vote of ${who.principalId}`);
}

export function relayOf(who: TestKey): NonNullable<EventOf<'vote.cast'>['payload']['forge']> {
  return {
    body_sha256: DIGEST,
    comment_id: 7,
    issue: 3,
    repository: 1,
    updated_at: null,
    user_id: FORGE_USER[who.principalId] ?? 999,
  };
}

export function withdrawal(who: TestKey, by: TestKey = who, approval: string = ID.approval): EventOf<'vote.withdrawn'> {
  const forge = by === who ? null : relayOf(who);
  return onAttempt('vote.withdrawn', { approval_id: approval, forge }, by, {
    entity: voteOf(who),
    actor: who.principalId,
  });
}

export function denied(who: TestKey, by: TestKey = who): EventOf<'approval.denied'> {
  const forge = by === who ? null : relayOf(who);
  return onAttempt('approval.denied', { because: 'approval_denied', forge }, by, {
    entity: ID.approval,
    actor: who.principalId,
  });
}

export function cancelled(
  who: TestKey,
  by: TestKey = who,
  forge: EventOf<'mission.cancelled'>['payload']['forge'] = by === who ? null : relayOf(who),
): EventOf<'mission.cancelled'> {
  return fact('mission.cancelled', { forge, reason: null }, by, { actor: who.principalId });
}

export function held(
  who: TestKey,
  by: TestKey = who,
  forge: EventOf<'mission.held'>['payload']['forge'] = by === who ? null : relayOf(who),
): EventOf<'mission.held'> {
  return fact('mission.held', { forge, reason: null }, by, { actor: who.principalId });
}

export function unheld(
  who: TestKey,
  by: TestKey = who,
  forge: EventOf<'mission.unheld'>['payload']['forge'] = by === who ? null : relayOf(who),
): EventOf<'mission.unheld'> {
  return fact('mission.unheld', { forge, reason: null }, by, { actor: who.principalId });
}

export function approved(
  about: Terms,
  voters: readonly TestKey[],
  changes: Partial<EventOf<'approval.granted'>['payload']> = {},
  entity: string = ID.approval,
): EventOf<'approval.granted'> {
  const payload = { digest: digestOf(about), self_approved: false, votes: voters.map(voteOf), ...changes };
  return onAttempt('approval.granted', payload, CAST.gate, { entity });
}

/** By whoever settles it, in the same transaction. */
export function approvalReceipt(
  changes: Partial<EventOf<'receipt.issued'>['payload']> = {},
  by: TestKey = CAST.gate,
): EventOf<'receipt.issued'> {
  const subject = changes.subject_ref ?? ID.approval;
  const request = changes.action_request_ref ?? ID.exec;
  const payload: Payload<'receipt.issued'> = {
    action_request_ref: request,
    approval_ref: subject,
    capability_grant_ref: null,
    environment_ref: null,
    input_refs: [],
    output_refs: [],
    policy_result_ref: policyOf(request),
    receipt_class: 'approval_resolution',
    replay_class: 'explain_only',
    result_code: 'succeeded',
    result_summary: 'approved',
    rollback: NO_ROLLBACK,
    subject_ref: subject,
    ...changes,
  };
  return onAttempt('receipt.issued', payload, by, { entity: uuid(`receipt of ${subject}`) });
}

export function grant(
  request: string = ID.exec,
  changes: Partial<EventOf<'grant.issued'>['payload']> = {},
  { by = CAST.gate, entity = ID.execGrant }: { by?: TestKey; entity?: string } = {},
): EventOf<'grant.issued'> {
  const payload: Payload<'grant.issued'> = {
    action_class: 'execute_command',
    action_request_ref: request,
    approval_ref: ID.approval,
    expires_at: SOON,
    issued_to_principal_id: CAST.runner.principalId,
    max_uses: 1,
    policy_result_ref: policyOf(request),
    resource_scope: ['cells/process'],
    ...changes,
  };
  return onAttempt('grant.issued', payload, by, { entity });
}
