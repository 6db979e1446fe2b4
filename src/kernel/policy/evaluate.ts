// What policy answers to one request. The strictest rule that speaks decides, in whatever order they stand; where none
// speaks the answer is no. The answer names the rules it follows from.
import { ActionClass } from '../course/classes.ts';
import { ownedBy } from '../scope/globs.ts';
import type { Policy, PolicyRule } from './profile.ts';
import { riskBand, type Reversibility, type RiskBand } from './risk.ts';

export type PolicyRequest = {
  /** Any word: one that is no action class is denied. */
  readonly actionClass: string;
  readonly resources: readonly string[];
  readonly reversibility: Reversibility;
  readonly tier: number;
};

export type PolicyResult = {
  readonly result: PolicyRule['answer'];
  /** What was asked, in a few fixed words. */
  readonly actionSummary: string;
  readonly riskSummary: RiskBand;
  readonly profileVersion: string;
  readonly affectedResources: readonly string[];
  /** Names of rules: the profile's, and our own where it does not decide. */
  readonly reasons: readonly string[];
  readonly witnessRequired: boolean;
  /** Of a downgrade: what may be asked for instead. It has to be asked for; nothing of it is allowed yet. */
  readonly rewritten: PolicyRequest | null;
};

const STRICTNESS: readonly PolicyRule['answer'][] = ['allow', 'require_approval', 'downgrade', 'deny'];
/** As many as an event can name. */
const REASONS_MAX = 16;

/** What may have changed between an approval and its use, and so is looked at again. */
const WITNESSED: readonly ActionClass[] = [
  'write_local',
  'delete_local',
  'vcs_mutation',
  'network_write',
  'credentialed_api_call',
  'publication',
  'rollback',
];

export function evaluatePolicy(policy: Policy, request: PolicyRequest): PolicyResult {
  const known = ActionClass.safeParse(request.actionClass);
  const { profile, version } = policy;
  const about = {
    actionSummary: `${known.success ? known.data : 'unknown action'} on ${request.resources.length} resources`,
    profileVersion: version,
    affectedResources: request.resources,
  };
  if (!known.success)
    return { ...about, ...denied('action_class_unknown'), riskSummary: 'critical', witnessRequired: true };
  const common = {
    ...about,
    riskSummary: riskBand(known.data, request.reversibility, request.tier),
    witnessRequired: WITNESSED.includes(known.data) && !profile.waive_witness.includes(known.data),
  };
  if (known.data === 'payment_or_spending') return { ...common, ...denied('payment_always_denied') };
  const spoken = rulesFor(profile.rules, known.data, request.resources);
  if (spoken === undefined) return { ...common, ...denied('no_rule_allows') };
  const result = strictest(spoken);
  const deciding = spoken.filter(({ answer }) => answer === result);
  const to = lesser(deciding);
  return {
    ...common,
    result,
    reasons: [...new Set(deciding.map(({ name }) => name))].sort().slice(0, REASONS_MAX),
    rewritten: to === undefined ? null : { ...request, actionClass: to },
  };
}

const BANDS = ['low', 'moderate', 'high', 'critical'] as const satisfies readonly RiskBand[];

/** One answer to several requests that stand or fall together: the strictest of them, with the reasons of all. */
export function strictestOf([first, ...others]: readonly PolicyResult[]): PolicyResult {
  return others.reduce((one, other) => {
    const strict = STRICTNESS.indexOf(other.result) > STRICTNESS.indexOf(one.result) ? other : one;
    return {
      ...strict,
      affectedResources: [...one.affectedResources, ...other.affectedResources],
      reasons: [...new Set([...one.reasons, ...other.reasons])].sort().slice(0, REASONS_MAX),
      riskSummary: BANDS[Math.max(BANDS.indexOf(one.riskSummary), BANDS.indexOf(other.riskSummary))]!,
      witnessRequired: one.witnessRequired || other.witnessRequired,
    };
  }, first!);
}

function denied(rule: string): Pick<PolicyResult, 'result' | 'reasons' | 'rewritten'> {
  return { result: 'deny', reasons: [rule], rewritten: null };
}

/** The rules that speak of any of the resources; undefined if there is one of which none speaks. */
function rulesFor(
  rules: readonly PolicyRule[],
  actionClass: ActionClass,
  resources: readonly string[],
): readonly PolicyRule[] | undefined {
  const ofClass = rules
    .filter(({ actions }) => actions.includes(actionClass))
    .map((rule) => ({ rule, covers: ownedBy(rule.resources) }));
  // An action on nothing in particular is an action on anything.
  const targets = resources.length === 0 ? [''] : resources;
  if (targets.some((target) => !ofClass.some(({ covers }) => covers(target)))) return undefined;
  return ofClass.filter(({ covers }) => targets.some(covers)).map(({ rule }) => rule);
}

function strictest(rules: readonly PolicyRule[]): PolicyRule['answer'] {
  return STRICTNESS[Math.max(...rules.map(({ answer }) => STRICTNESS.indexOf(answer)))]!;
}

/** Where downgrades name several lesser actions, the first by name: the answer must not hang on their order. */
function lesser(rules: readonly PolicyRule[]): ActionClass | undefined {
  return rules.flatMap(({ to }) => to ?? []).sort()[0];
}
