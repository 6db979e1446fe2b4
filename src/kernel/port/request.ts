// What a participant is answered that asks for more: granted is what its plan was approved with, and nothing else. An answer
// opens nothing: hosts and routes are open already or stay closed, effects happen after verification or not at all.
import { EFFECT_KINDS, EffectKind } from '../course/classes.ts';
import { lineFor } from '../network/decide.ts';
import { hostAllowed, HTTPS_PORT, RouteName, type AllowedHost } from '../network/hosts.ts';
import { readTunnelTarget, type Target } from '../network/target.ts';
import type { Answer, Request } from './said.ts';

export type Granted = {
  readonly hosts: readonly AllowedHost[];
  readonly routes: readonly string[];
  readonly effects: readonly EffectKind[];
};

type Answered = Extract<Answer, { is: 'granted' | 'refused' }>;

export function answerRequest(granted: Granted, { what, target = '' }: Request): Answered {
  if (what === 'host') return aboutHost(granted, target);
  if (what === 'route') return aboutRoute(granted, target);
  const kind = EffectKind.safeParse(what);
  if (kind.success) return aboutEffect(granted, kind.data);
  return refused('unknown', 'There are hosts, routes and the effects of a plan, and nothing else can be asked for.');
}

function aboutHost({ hosts }: Granted, target: string): Answered {
  const host = askedHost(target);
  if (host === undefined) return refused('name_malformed', 'A host is asked for as name:port, in one plain spelling.');
  if (lineFor(hosts, host) !== undefined) return yes('It is open already, through the proxy at 127.0.0.1:3128.');
  const why = 'The plan does not name this host. People can let policy name it, and approve another plan.';
  return refused('host_not_listed', why, hostAllowed(host));
}

/** Undefined for what is no host in its one spelling. */
export function askedHost(target: string): Target | undefined {
  return readTunnelTarget(target.includes(':') ? target : `${target}:${HTTPS_PORT}`);
}

function aboutRoute({ routes }: Granted, target: string): Answered {
  if (routes.includes(target)) return yes(`It is open already: http://127.0.0.1:3128/_route/${target}/`);
  const isName = RouteName.safeParse(target).success;
  if (!isName) return refused('name_malformed', 'A route is asked for by its name in policy.');
  const why =
    'The plan does not name this route. People can let policy give it to this agent, and approve another plan.';
  return refused('route_unknown', why, `routes: [${target}]`);
}

function aboutEffect({ effects }: Granted, kind: EffectKind): Answered {
  if (effects.includes(kind))
    return yes('It is in the plan: it happens after your work was verified, by whoever writes for this mission.');
  const { capability } = EFFECT_KINDS[kind];
  const why = 'The plan does not have this effect. Another mission can ask for it, and be approved with it.';
  return refused('effect_unplanned', why, capability === null ? undefined : `capabilities: [${capability}]`);
}

function yes(why: string): Answered {
  return { is: 'granted', why };
}

function refused(because: string, why: string, allowing?: string): Answered {
  return { is: 'refused', because, why, ...(allowing === undefined ? {} : { allowing }) };
}
