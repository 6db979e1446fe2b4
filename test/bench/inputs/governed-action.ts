// One governed action, whole: asked for, judged, computed from the work, granted and intended in one durable transaction; then the
// branch is written; then what was seen and its receipt in a second one.
import { nodeCrypto } from '../../../src/adapters/system/node-crypto.ts';
import { drawDocuments } from '../../../src/app/artifacts/documents.ts';
import { branchExecutors } from '../../../src/app/mission/executors.ts';
import { namesFrom } from '../../../src/app/mission/world.ts';
import { EFFECT_KINDS } from '../../../src/kernel/course/classes.ts';
import { inAttempt, underWay, type Drafts } from '../../../src/kernel/decide/about.ts';
import { effectsDigest } from '../../../src/kernel/effect/evolve.ts';
import { effectHash, effectsBytes, targetOf, type EffectSpec } from '../../../src/kernel/effect/spec.ts';
import type { EventOf } from '../../../src/kernel/event.ts';
import { accept } from '../../../src/kernel/verdict.ts';
import { BASE, ID, judged, policyOf, SOON } from '../../support/course/asked.ts';
import { CAST, MISSION } from '../../support/given.ts';
import { FENCE, type Governed } from './governed.ts';
import { taken } from '../../support/taken.ts';

export type Took = {
  /** Both transactions: all that being governed costs. */
  readonly overheadMs: number;
  /** The branch itself: looked for, written, looked for again. */
  readonly effectMs: number;
  readonly events: number;
};

export async function act(governed: Governed, n: number): Promise<Took> {
  const spec = { kind: 'push_branch', branch: `lazarus-work/bench/${n}`, commit: governed.work } as const;
  const from = performance.now();
  const { grant, effect, intended } = await intend(governed, spec);
  const before = performance.now();
  await cause(governed, spec);
  const after = performance.now();
  const settled = await settle(governed, { spec, grant, effect });
  return {
    overheadMs: before - from + performance.now() - after,
    effectMs: after - before,
    events: intended + settled,
  };
}

type Spec = Extract<EffectSpec, { kind: 'push_branch' }>;

async function intend({ bench, kit, desk }: Governed, spec: Spec): Promise<Ids & { readonly intended: number }> {
  const names = namesFrom(bench.parts.ids);
  const [params] = await drawDocuments(bench, kit, [{ content: effectsBytes([spec]), mediaType: 'application/json' }]);
  const { kind } = spec;
  const target = targetOf(spec);
  const [action_class, params_ref] = [EFFECT_KINDS[kind].actionClass, params!.digest];
  const [request, grant, effect] = [names('request'), names('grant'), names('effect')];
  const written = await desk.transact({
    documents: [params!],
    decide: (state) => {
      const at = underWay(state);
      if (at.is === 'refused') return at;
      const { commit } = at.value.course.attempt!.work!;
      const effects = [{ action_request_ref: request, effect: effectHash(nodeCrypto, spec), kind }];
      return accept([
        inAttempt('action.requested', request, at.value, {
          action_class,
          kind,
          params_ref,
          reversibility_hint: 'reversible',
          target_resources: [target],
        }),
        inAttempt('policy.evaluated', policyOf(request), at.value, allowed(request)),
        inAttempt('effects.computed', at.value.attempt, at.value, {
          effects,
          effects_digest: effectsDigest(
            nodeCrypto,
            { mission_id: MISSION, attempt_id: at.value.attempt, commit },
            effects,
          ),
          params_ref,
        }),
        inAttempt('grant.issued', grant, at.value, {
          action_class,
          action_request_ref: request,
          approval_ref: ID.approval,
          expires_at: SOON,
          issued_to_principal_id: CAST.writer.principalId,
          max_uses: 1,
          policy_result_ref: policyOf(request),
          resource_scope: [target],
        }),
        inAttempt('effect.intended', effect, at.value, {
          effect: effectHash(nodeCrypto, spec),
          fence: FENCE,
          grant_id: grant,
          kind,
          params_ref,
          target,
          witness: { base_commit: BASE },
        }),
      ] satisfies Drafts);
    },
  });
  const { head, from } = taken(written).mission;
  return { grant, effect, intended: head.size - from };
}

function allowed(request: string): EventOf<'policy.evaluated'>['payload'] {
  return judged(request, CAST.writer, { reasons: ['branches_may_be_pushed'], result: 'allow', risk: 'low' }).payload;
}

type Ids = { readonly grant: string; readonly effect: string };

async function cause({ bench }: Governed, spec: Spec): Promise<void> {
  const { push_branch: branch } = branchExecutors(bench);
  if ((await branch.observe(spec)).is !== 'absent') throw new Error('the branch is there already');
  await branch.apply(spec);
  if ((await branch.observe(spec)).is !== 'applied') throw new Error('the branch was not written');
}

async function settle({ bench, desk }: Governed, { spec, grant, effect }: Ids & { spec: Spec }): Promise<number> {
  const names = namesFrom(bench.parts.ids);
  const written = await desk.transact({
    decide: (state) => {
      const at = underWay(state);
      if (at.is === 'refused') return at;
      const { params_ref, request } = at.value.course.effects[effect]!;
      return accept([
        inAttempt('effect.observed', effect, at.value, {
          fence: FENCE,
          number: null,
          oid: spec.commit,
          outcome: 'applied',
          reason: 'applied',
        }),
        inAttempt('receipt.issued', names('receipt'), at.value, {
          action_request_ref: request,
          approval_ref: ID.approval,
          capability_grant_ref: grant,
          environment_ref: params_ref,
          input_refs: [params_ref],
          output_refs: [],
          policy_result_ref: at.value.course.requests[request]!.policy!.ref,
          receipt_class: 'publish',
          replay_class: 'observe_only',
          result_code: 'succeeded',
          result_summary: 'applied',
          rollback: EFFECT_KINDS[spec.kind].rollback,
          subject_ref: effect,
        }),
      ] satisfies Drafts);
    },
  });
  const { head, from } = taken(written).mission;
  return head.size - from;
}
