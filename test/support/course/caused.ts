// What the writer writes in the course of a mission: the effects computed from the work, their grants, intents, outcomes
// and receipts; and the second approval, for exactly these.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { EFFECT_KINDS } from '../../../src/kernel/course/classes.ts';
import { effectsDigest } from '../../../src/kernel/effect/evolve.ts';
import type { Event, EventOf, EventType } from '../../../src/kernel/event.ts';
import { NO_ROLLBACK } from '../../../src/kernel/receipt/classes.ts';
import { uuid } from '../events.ts';
import { CAST, DIGEST, MISSION } from '../given.ts';
import type { TestKey } from '../people.ts';
import {
  approvalAsked,
  approvalReceipt,
  BASE,
  EFFECTS,
  grant,
  ID,
  judged,
  onAttempt,
  policyOf,
  VIC,
  vote,
  voteOf,
  WORK,
  type Said,
  type Terms,
} from './asked.ts';

type Payload<Type extends EventType> = EventOf<Type>['payload'];
type Kind = (typeof EFFECTS)[number]['kind'];

export function effectRequests(): Event[] {
  return EFFECTS.flatMap(({ kind, target }) => {
    const id = requestOf(kind);
    const payload: Payload<'action.requested'> = {
      action_class: EFFECT_KINDS[kind].actionClass,
      kind,
      params_ref: null,
      reversibility_hint: 'partly_reversible',
      target_resources: [target],
    };
    return [
      onAttempt('action.requested', payload, CAST.writer, { entity: id }),
      judged(id, CAST.writer, { result: 'require_approval' }),
    ];
  });
}

export function effectsComputed(
  changes: Partial<EventOf<'effects.computed'>['payload']> = {},
): EventOf<'effects.computed'> {
  const payload: Payload<'effects.computed'> = {
    effects: effectItems(),
    effects_digest: effectsDigestOf(),
    params_ref: DIGEST,
    ...changes,
  };
  return onAttempt('effects.computed', payload, CAST.writer, { entity: ID.attempt });
}

type Items = EventOf<'effects.computed'>['payload']['effects'];

/** Another set than the walk's, with its digest. */
export function computedAs(effects: Items): EventOf<'effects.computed'> {
  const about = { mission_id: MISSION, attempt_id: ID.attempt, commit: WORK };
  return effectsComputed({ effects, effects_digest: effectsDigest(nodeCrypto, about, effects) });
}

/** An effect of the walk asked for once more, under a request of its own. */
export function once(kind: Kind, name: string) {
  const request = uuid(`request ${name} ${kind}`);
  const [asked] = effectRequests().filter(
    (one) => one.event_type === 'action.requested' && one.payload.kind === kind,
  ) as [EventOf<'action.requested'>];
  const [given] = effectGrants({}).filter(({ payload }) => payload.action_request_ref === requestOf(kind));
  const grantId = uuid(`grant ${name} ${kind}`);
  const effect = uuid(`effect ${name} ${kind}`);
  const policy = { action_request_ref: request, policy_result_ref: policyOf(request) };
  return {
    item: { action_request_ref: request, effect: effectHash(kind), kind },
    asked: { ...asked, entity_id: request },
    judged: judged(request, CAST.writer),
    granted: { ...given!, entity_id: grantId, payload: { ...given!.payload, ...policy } },
    intended: intended(kind, { grant_id: grantId }, effect),
    observed: (changes: Parameters<typeof observed>[1] = {}) => ({ ...observed(kind, changes), entity_id: effect }),
    receipt: (changes: Parameters<typeof receipt>[1] = {}) => ({
      ...receipt(kind, { ...policy, capability_grant_ref: grantId, subject_ref: effect, ...changes }),
      entity_id: uuid(`receipt ${name} ${kind}`),
    }),
  };
}

export function effectsApprovalAsked(
  changes: Partial<EventOf<'approval.requested'>['payload']> = {},
): EventOf<'approval.requested'> {
  const requested_action_ref = requestOf('push_branch');
  const about = { approval_type: 'effects', digest: effectsDigestOf(), requested_action_ref } as const;
  return approvalAsked({}, { ...about, ...changes }, ID.effectsApproval);
}

export function effectsApprovalReceipt(): EventOf<'receipt.issued'> {
  return approvalReceipt({ subject_ref: ID.effectsApproval, action_request_ref: requestOf('push_branch') });
}

export function effectsVote(about: Terms, who: TestKey): Said {
  const { event, by: signer } = vote(about, who, who, { approval_id: ID.effectsApproval, digest: effectsDigestOf() });
  return { by: signer, event: { ...event, entity_id: uuid(`second ${voteOf(who)}`) } };
}

export function effectGrants(about: Terms): EventOf<'grant.issued'>[] {
  return EFFECTS.map(({ kind, target }) =>
    grant(
      requestOf(kind),
      {
        action_class: EFFECT_KINDS[kind].actionClass,
        ...approvalFor(about),
        issued_to_principal_id: CAST.writer.principalId,
        resource_scope: [target],
      },
      { by: CAST.writer, entity: grantOf(kind) },
    ),
  );
}

export function grantOf(kind: Kind): string {
  return uuid(`grant ${kind}`);
}

export function effectOf(kind: Kind): string {
  return uuid(`effect ${kind}`);
}

export function intended(
  kind: Kind,
  changes: Partial<EventOf<'effect.intended'>['payload']> = {},
  entity = effectOf(kind),
): EventOf<'effect.intended'> {
  const payload: Payload<'effect.intended'> = {
    effect: effectHash(kind),
    fence: 2,
    grant_id: grantOf(kind),
    kind,
    params_ref: DIGEST,
    target: EFFECTS.find((one) => one.kind === kind)!.target,
    witness: { base_commit: BASE },
    ...changes,
  };
  return onAttempt('effect.intended', payload, CAST.writer, { entity });
}

export function observed(
  kind: Kind,
  changes: Partial<EventOf<'effect.observed'>['payload']> = {},
): EventOf<'effect.observed'> {
  const payload: Payload<'effect.observed'> = {
    fence: 2,
    number: null,
    oid: WORK,
    outcome: 'applied',
    reason: 'as_intended',
    ...changes,
  };
  return onAttempt('effect.observed', payload, CAST.writer, { entity: effectOf(kind) });
}

/** A person's word on an effect that nobody can observe. */
export function decided(
  kind: Kind,
  changes: Partial<EventOf<'decision.recorded'>['payload']> = {},
  who: TestKey = VIC,
): EventOf<'decision.recorded'> {
  const payload: Payload<'decision.recorded'> = {
    decision_type: 'uncertainty_resolution',
    evidence_refs: [],
    outcome: 'applied',
    rationale: DIGEST,
    reversible: false,
    risk_level: 'high',
    subject_ref: effectOf(kind),
    summary: 'seen_applied',
    ...changes,
  };
  return onAttempt('decision.recorded', payload, who, { entity: decisionOn(kind) });
}

export function decisionOn(kind: Kind): string {
  return uuid(`decision on ${kind}`);
}

export function receipt(
  kind: Kind,
  changes: Partial<EventOf<'receipt.issued'>['payload']> = {},
  who: TestKey = CAST.writer,
): EventOf<'receipt.issued'> {
  const didNothing = changes.result_code === 'refused' || changes.result_code === 'failed';
  const payload: Payload<'receipt.issued'> = {
    action_request_ref: requestOf(kind),
    approval_ref: ID.approval,
    capability_grant_ref: grantOf(kind),
    environment_ref: DIGEST,
    input_refs: [DIGEST],
    output_refs: [],
    policy_result_ref: policyOf(requestOf(kind)),
    receipt_class: 'publish',
    replay_class: 'observe_only',
    result_code: 'succeeded',
    result_summary: 'as_intended',
    rollback: didNothing ? NO_ROLLBACK : EFFECT_KINDS[kind].rollback,
    subject_ref: effectOf(kind),
    ...changes,
  };
  return onAttempt('receipt.issued', payload, who, { entity: receiptIdOf(kind, payload.result_code) });
}

/** Not knowing has a receipt, and finding out another one. */
function receiptIdOf(kind: Kind, result: Payload<'receipt.issued'>['result_code']): string {
  return uuid(result === 'unknown_outcome' ? `receipt ${kind}, unknown` : `receipt ${kind}`);
}

/** What the effects of a mission are granted under. */
export function approvalFor({ tier = 1 }: Terms): { readonly approval_ref: string } {
  return { approval_ref: tier >= 2 ? ID.effectsApproval : ID.approval };
}

/** Of the run that the work came out of. */
export function runReceipt(
  changes: Partial<EventOf<'receipt.issued'>['payload']> = {},
  who: TestKey = CAST.writer,
): EventOf<'receipt.issued'> {
  const payload: Payload<'receipt.issued'> = {
    action_request_ref: ID.exec,
    approval_ref: ID.approval,
    capability_grant_ref: ID.execGrant,
    environment_ref: DIGEST,
    input_refs: [DIGEST],
    output_refs: [DIGEST],
    policy_result_ref: policyOf(ID.exec),
    receipt_class: 'command_execution',
    replay_class: 'explain_only',
    result_code: 'succeeded',
    result_summary: 'verified',
    rollback: NO_ROLLBACK,
    subject_ref: ID.cell,
    ...changes,
  };
  return onAttempt('receipt.issued', payload, who, { entity: uuid('receipt of the run') });
}

export function effectsDigestOf(): string {
  return effectsDigest(nodeCrypto, { mission_id: MISSION, attempt_id: ID.attempt, commit: WORK }, effectItems());
}

export function effectItems(): EventOf<'effects.computed'>['payload']['effects'] {
  return EFFECTS.map(({ kind }) => ({ action_request_ref: requestOf(kind), effect: effectHash(kind), kind }));
}

export function requestOf(kind: Kind): string {
  return uuid(`request ${kind}`);
}

function effectHash(kind: Kind): string {
  return Buffer.from(kind).toString('hex').padEnd(64, 'e').slice(0, 64);
}
