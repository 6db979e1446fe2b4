// Within which terms policy takes a proposal at all: tier, quorum, agent, backend and limits. Raises the tier, never
// lowers it; refuses what is above a ceiling instead of cutting it down, because people approve what they read.
import type { ActionClass } from '../course/classes.ts';
import type { Proposal } from '../proposal/proposal.ts';
import { accept, refuse, type Refused, type Verdict } from '../verdict.ts';
import type { PolicyProfile } from './profile.ts';
import { TIER_OF_CLASS } from './risk.ts';

export type PolicyTerms = {
  readonly tier: number;
  readonly quorum: number;
  readonly argv: readonly string[];
  /** The isolation that must be reached, or more. */
  readonly level: number;
  readonly votesExpireHours: number;
};

export function policyTerms(
  profile: PolicyProfile,
  proposal: Proposal,
  asked: readonly ActionClass[],
): Verdict<PolicyTerms> {
  const argv = agentCommand(profile, proposal);
  if (argv.is === 'refused') return argv;
  // No gate is run yet. Letting one be asked for and skipped would open what only its verdict may open.
  if (proposal.auditGates.length > 0) return no('audit_gate_unavailable', { gates: proposal.auditGates });
  const level = profile.backends[proposal.backend];
  if (level === undefined) return no('backend_not_allowed', { backend: proposal.backend });
  if (proposal.budgetMinutes > profile.budget_minutes_max)
    return no('budget_too_large', { asked: proposal.budgetMinutes, most: profile.budget_minutes_max });
  if (proposal.ttlMinutes > profile.ttl_minutes_max)
    return no('ttl_too_large', { asked: proposal.ttlMinutes, most: profile.ttl_minutes_max });
  const tier = Math.max(proposal.tier, profile.tier_floor, ...asked.map((one) => TIER_OF_CLASS[one]));
  return accept({
    tier,
    quorum: profile.quorum[tier]!,
    argv: argv.value,
    level,
    votesExpireHours: profile.votes_expire_hours,
  });
}

function agentCommand(profile: PolicyProfile, { agent }: Proposal): Verdict<readonly string[]> {
  if ('argv' in agent) return profile.own_commands ? accept(agent.argv) : no('own_command_not_allowed', {});
  // A profile is data that people wrote: an agent called `constructor` must not be found.
  const argv = Object.hasOwn(profile.agents, agent.name) ? profile.agents[agent.name] : undefined;
  return argv === undefined
    ? no('agent_unknown', { agent: agent.name, known: Object.keys(profile.agents).sort() })
    : accept(argv);
}

function no(rule: string, facts: Refused['facts']): Refused {
  return refuse('policy_refused', { rule, ...facts });
}
