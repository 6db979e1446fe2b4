// What a proposal means under the rules in force: who may run it, what each wish is in typed requests, what policy says,
// and the plan that people see. Pure of side effects: reads, computes, and hands a decision its input.
import { hex, utf8 } from '../../format/bytes.ts';
import type { Crypto } from '../../format/crypto.ts';
import { jcs } from '../../format/jcs.ts';
import { cellsOf } from '../../kernel/cell/evolve.ts';
import { EFFECT_KINDS, EffectKind } from '../../kernel/course/classes.ts';
import { RUN, type PlannedAction } from '../../kernel/decide/plan.ts';
import { targetOf } from '../../kernel/effect/spec.ts';
import { checksOf, type PlanDocument } from '../../kernel/mission/plan-document.ts';
import type { PlanTerms } from '../../kernel/course/plan.ts';
import { evaluatePolicy, strictestOf } from '../../kernel/policy/evaluate.ts';
import { exposureUnder } from '../../kernel/policy/exposure.ts';
import type { Reaching } from '../../kernel/policy/reach.ts';
import { policyTerms } from '../../kernel/policy/terms.ts';
import type { Capability, Proposal } from '../../kernel/proposal/proposal.ts';
import { claimsOf } from '../../kernel/scope/globs.ts';
import { checkUsable } from '../../kernel/scope/usable.ts';
import { missionName } from '../../kernel/values.ts';
import { accept, refuse, type Verdict } from '../../kernel/verdict.ts';
import type { Rules } from './rules.ts';

export type Setting = {
  /** Whether there is a forge to push to and to open pull requests on. */
  readonly forge: { readonly issue: number } | null;
  /** Keys in a forge's CI are good for tiers 0 and 1. */
  readonly tierMax: number;
};

export type Planned = {
  readonly document: PlanDocument;
  readonly terms: Omit<PlanTerms, 'plan' | 'proposal' | 'revision' | 'roster_n'>;
  readonly actions: readonly PlannedAction[];
  readonly votesExpireHours: number;
};

export type PlanInput = {
  readonly mission: string;
  readonly proposal: Proposal;
  readonly base: string;
  readonly rules: Omit<Rules, 'isOtherAtBase'>;
  readonly setting: Setting;
  readonly attemptNo: number;
};

export function computePlan(crypto: Crypto, input: PlanInput): Verdict<Planned> {
  const { mission, proposal, base, rules, setting } = input;
  const usable = checkUsable(proposal.paths, { sacred: rules.sacred, allowances: proposal.allowances });
  if (usable.is === 'refused') return usable;
  const kinds = effectsOf(proposal, setting);
  if (kinds.is === 'refused') return kinds;
  const { profile } = rules.policy;
  const terms = policyTerms(profile, proposal, [
    'execute_command',
    ...kinds.value.map((kind) => EFFECT_KINDS[kind].actionClass),
  ]);
  if (terms.is === 'refused') return terms;
  const { agent, reach, tier, quorum, level, votesExpireHours } = terms.value;
  const { checks, environment, output } = profile;
  const routes = Object.fromEntries(agent.routes.map((name) => [name, profile.routes[name]!]));
  if (tier > setting.tierMax) return refuse('tier_needs_daemon', { tier, tier_max: setting.tierMax });
  const actions = wishesOf(input, kinds.value, reach).map((wish): PlannedAction => {
    const said = strictestOf(
      askedAs(wish, reach).map(({ actionClass, resources }) =>
        evaluatePolicy(rules.policy, { actionClass, resources, reversibility: wish.reversibility, tier }),
      ),
    );
    const { result, riskSummary: risk, reasons, witnessRequired: witness_required } = said;
    return { ...wish, policy: { result, risk, reasons: [...reasons], witness_required } };
  });
  const issue = setting.forge?.issue ?? null;
  return accept({
    document: {
      agent,
      ca_file: profile.ca_file ?? null,
      checks,
      effects: [...kinds.value],
      environment,
      exposed_to: exposureUnder(profile.runner, { isOnForge: setting.forge !== null }),
      issue,
      mission_id: mission,
      output,
      proposal,
      routes,
      schema: 'lazarus.plan.v1',
    },
    terms: {
      asks: actions.map(({ name, action_class, kind }) => ({ action_class, ask: ask(crypto, name), kind })),
      backend: proposal.backend,
      base_commit: base,
      budget_minutes: proposal.budgetMinutes,
      checks: checksOf(proposal).map(({ check }) => check),
      level,
      policy: { digest: rules.policy.version, revision: rules.revision },
      quorum,
      steps: [
        {
          agent: 'name' in proposal.agent ? proposal.agent.name : null,
          depends_on: [],
          footprint: claimsOf(proposal.paths),
          role: 'executor',
        },
      ],
      terms: termsHash(crypto, proposal, { agent, checks, environment, output, routes }),
      tier,
      ttl_minutes: proposal.ttlMinutes,
    },
    actions,
    votesExpireHours,
  });
}

/** What the work becomes outside its cell, in the order in which it has to happen. */
function effectsOf({ capabilities, target }: Proposal, { forge }: Setting): Verdict<readonly EffectKind[]> {
  const kindOf = (one: Capability) => EffectKind.options.find((kind) => EFFECT_KINDS[kind].capability === one);
  const unavailable = capabilities.filter((one) => kindOf(one) === undefined);
  if (unavailable.length > 0) return refuse('capability_unavailable', { capabilities: unavailable });
  if (forge === null) {
    if (capabilities.length > 0 || target !== null)
      return refuse('capability_unavailable', { capabilities, forge: false });
    return accept(['write_local_branch']);
  }
  // A pull request needs its branch on the forge, whether that was said or not.
  const wanted = new Set<EffectKind | undefined>(['push_branch', ...capabilities.map(kindOf)]);
  return accept(EffectKind.options.filter((kind) => wanted.has(kind)));
}

type Wish = Omit<PlannedAction, 'policy'>;

function wishesOf(
  { mission, proposal, setting, attemptNo }: PlanInput,
  kinds: readonly EffectKind[],
  reach: readonly Reaching[],
): readonly Wish[] {
  const run: Wish = {
    name: RUN,
    action_class: 'execute_command',
    kind: null,
    targets: [cellsOf(proposal.backend), ...reach.flatMap(({ resources }) => resources)],
    reversibility: 'reversible',
  };
  const branch = workBranch(mission, attemptNo);
  const effects = kinds.map((kind): Wish => ({
    name: kind,
    action_class: EFFECT_KINDS[kind].actionClass,
    kind,
    targets: [targetOf({ kind, branch, base: proposal.base, issue: setting.forge?.issue ?? 0 })],
    reversibility: EFFECT_KINDS[kind].reversibility,
  }));
  return [run, ...effects];
}

/** Running the agent is one request, and all that it reaches is asked about with it. */
function askedAs(
  wish: Wish,
  reach: readonly Reaching[],
): readonly { readonly actionClass: string; readonly resources: readonly string[] }[] {
  if (wish.name !== RUN) return [{ actionClass: wish.action_class, resources: wish.targets }];
  const [cells] = wish.targets;
  return [{ actionClass: wish.action_class, resources: [cells!] }, ...reach];
}

export function workBranch(mission: string, attemptNo: number): string {
  return `lazarus-work/${missionName(mission)}/${attemptNo}`;
}

function ask(crypto: Crypto, name: string): string {
  return hex(crypto.hash('sha256', utf8(`lazarus ask v1\n${name}`)));
}

/** All that must stay the same for a vote to carry over to a plan that asks for less. */
function termsHash(crypto: Crypto, proposal: Proposal, runs: object): string {
  const {
    paths,
    capabilities: _capabilities,
    budgetMinutes: _budget,
    ttlMinutes: _ttl,
    tier: _tier,
    ...rest
  } = proposal;
  // A glob behind `!` that falls away widens what the others let through, and is in no list of claims.
  const except = paths.filter((glob) => glob.startsWith('!'));
  return hex(crypto.hash('sha256', utf8(`lazarus terms v1\n${jcs({ ...runs, except, ...rest })}`)));
}
