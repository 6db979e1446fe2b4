// Makes a plan's terms again out of its proposal and the policy at its base, as whoever carries it out: a gate's key alone
// cannot have a plan run that asks for less agreement, or does more, than follows from what was proposed. Believes nothing
// of the plan but the base it names.
import { courseOf } from '../../kernel/course/steps.ts';
import { equalBytes } from '../../format/bytes.ts';
import { jcs } from '../../format/jcs.ts';
import { planDocumentBytes } from '../../kernel/mission/plan-document.ts';
import type { MissionState } from '../../kernel/state.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import { planDocumentOf, proposalOf } from './documents.ts';
import { computePlan } from './planning.ts';
import { rulesOf } from './rules.ts';
import type { Acting } from './world.ts';

/** Where it was planned says how high it may go; whether it may be carried out does not depend on that again. */
const TIER_MAX = 3;

export async function recomputePlan(
  { world, ref }: Pick<Acting, 'world' | 'ref'>,
  state: MissionState,
): Promise<Verdict<undefined>> {
  const { course, ledger_id: mission } = state;
  const { plan_digest, ...found } = course!.plan!;
  const document = await planDocumentOf({ world, ref }, state);
  const proposal = await proposalOf(world.bench, ref, course!.proposal);
  const rules = await rulesOf(world, found);
  const { issue } = document;
  const again = computePlan(world.bench.parts.crypto, {
    mission,
    proposal,
    base: found.base_commit,
    rules,
    setting: { forge: issue === null ? null : { issue }, tierMax: TIER_MAX },
    attemptNo: courseOf(state)!.attempt!.no,
  });
  if (again.is === 'refused') return again;
  const { plan, proposal: proposed, revision, roster_n } = found;
  const follows: typeof found = { ...again.value.terms, plan, proposal: proposed, revision, roster_n };
  // Those of both: a term that a gate adds is no better than one that it changes or leaves out.
  const terms = Object.keys({ ...found, ...follows }) as (keyof typeof found)[];
  const differs: string[] = terms.filter((term) => jcs(found[term] ?? null) !== jcs(follows[term] ?? null));
  // The artifact's digest has salt in it: what it holds is compared, not its name.
  if (!equalBytes(planDocumentBytes(document), planDocumentBytes(again.value.document))) differs.push('plan');
  return differs.length === 0
    ? accept(undefined)
    : refuse('plan_not_what_follows', { digest: plan_digest, differs: differs.sort() });
}
