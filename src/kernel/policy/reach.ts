// What a run reaches outside of its cells, as resources: policy answers about them, the grant names them, and a birth opens
// none that the grant does not name. `hosts/` for the agent, `prepare/` for what prepares its dependencies, `routes/` for
// origins with a key. Opens nothing.
import type { ActionClass } from '../course/classes.ts';
import { hostWord, prepareWord, routeWord } from '../network/hosts.ts';
import type { Agent } from './agent.ts';
import type { Environment } from './environment.ts';

export type Reaching = {
  readonly actionClass: Extract<ActionClass, 'network_read' | 'credentialed_api_call'>;
  readonly resources: readonly string[];
};

/** Everything that one plan's run may reach; nothing at all for an agent that only works on files. */
export function reachOf(agent: Agent, environment: Readonly<Record<string, Environment>>): readonly Reaching[] {
  const prepared = [...Object.values(environment), ...(agent.install === undefined ? [] : [agent.install])];
  const network = [...agentHosts(agent), ...new Set(prepared.flatMap(prepareHosts))];
  const routes = agent.routes.map(routeWord);
  return [
    ...(network.length === 0 ? [] : [{ actionClass: 'network_read' as const, resources: network }]),
    ...(routes.length === 0 ? [] : [{ actionClass: 'credentialed_api_call' as const, resources: routes }]),
  ];
}

/** What the agent's own cell opens. */
export function agentReach(agent: Agent): readonly string[] {
  return [...agentHosts(agent), ...agent.routes.map(routeWord)];
}

export function prepareHosts({ hosts }: Environment): readonly string[] {
  return hosts.map(prepareWord);
}

function agentHosts({ hosts }: Agent): readonly string[] {
  return hosts.map(hostWord);
}
