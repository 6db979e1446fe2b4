// Within which terms policy takes a proposal at all: tier, quorum, agent, backend and limits. Raises the tier, never
// lowers it; refuses what is above a ceiling instead of cutting it down, because people approve what they read.
import type { ActionClass } from '../course/classes.ts';
import { timeFault, type Proposal } from '../proposal/proposal.ts';
import { accept, refuse, type Refused, type Verdict } from '../verdict.ts';
import type { PolicyProfile } from './profile.ts';
import { AgentDefinition, type Agent } from './agent.ts';
import { REACH_MAX } from '../limits.ts';
import { reachOf, type Reaching } from './reach.ts';
import { TIER_OF_CLASS } from './risk.ts';

export type PolicyTerms = {
  readonly tier: number;
  readonly quorum: number;
  readonly agent: Agent;
  /** What its run reaches outside of its cells. */
  readonly reach: readonly Reaching[];
  /** The isolation that must be reached, or more. */
  readonly level: number;
  readonly votesExpireHours: number;
};

export function policyTerms(
  profile: PolicyProfile,
  proposal: Proposal,
  asked: readonly ActionClass[],
): Verdict<PolicyTerms> {
  const agent = agentOf(profile, proposal);
  if (agent.is === 'refused') return agent;
  const reach = reachOf(agent.value, profile.environment);
  const resources = reach.reduce((sum, one) => sum + one.resources.length, 0);
  if (resources > REACH_MAX) return no('reach_too_wide', { asked: resources, most: REACH_MAX });
  // No gate is run yet. Letting one be asked for and skipped would open what only its verdict may open.
  if (proposal.auditGates.length > 0) return no('audit_gate_unavailable', { gates: proposal.auditGates });
  const level = profile.backends[proposal.backend];
  if (level === undefined) return no('backend_not_allowed', { backend: proposal.backend });
  if (proposal.budgetMinutes > profile.budget_minutes_max)
    return no('budget_too_large', { asked: proposal.budgetMinutes, most: profile.budget_minutes_max });
  if (proposal.ttlMinutes > profile.ttl_minutes_max)
    return no('ttl_too_large', { asked: proposal.ttlMinutes, most: profile.ttl_minutes_max });
  const { budgetMinutes, ttlMinutes } = proposal;
  if (timeFault(budgetMinutes, ttlMinutes) !== undefined)
    return no('ttl_too_short', { ttl_minutes: ttlMinutes, budget_minutes: budgetMinutes });
  const classes = [...asked, ...reach.map(({ actionClass }) => actionClass)];
  const tier = Math.max(proposal.tier, profile.tier_floor, ...classes.map((one) => TIER_OF_CLASS[one]));
  return accept({
    tier,
    agent: agent.value,
    reach,
    quorum: profile.quorum[tier]!,
    level,
    votesExpireHours: profile.votes_expire_hours,
  });
}

/** The agent a proposal names, if policy knows it and the routes it goes by. */
function agentOf(profile: PolicyProfile, { agent }: Proposal): Verdict<Agent> {
  if ('argv' in agent)
    return profile.own_commands
      ? accept(AgentDefinition.parse({ command: agent.argv }))
      : no('own_command_not_allowed', {});
  // A profile is data that people wrote: an agent called `constructor` must not be found.
  const known = Object.hasOwn(profile.agents, agent.name) ? profile.agents[agent.name] : undefined;
  if (known === undefined) return no('agent_unknown', { agent: agent.name, known: Object.keys(profile.agents).sort() });
  const missing = known.routes.find((route) => !Object.hasOwn(profile.routes, route));
  return missing === undefined ? accept(known) : no('route_unknown', { agent: agent.name, route: missing });
}

function no(rule: string, facts: Refused['facts']): Refused {
  return refuse('policy_refused', { rule, ...facts });
}
