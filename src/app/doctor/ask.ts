// One cheap call through the routes of an agent, because somebody asked for it: whether the provider takes the key. Never by
// itself: a call may be counted, and somebody pays for it.
import { Failure } from '../../failure.ts';
import { keyLine } from './agents.ts';
import { missing, missingFor, ok, warn, type Finding } from './finding.ts';
import type { CallMade, Here } from './here.ts';

export async function askThrough(here: Here, name: string): Promise<readonly Finding[]> {
  const about = { item: 'ask', title: `call of ${name}` };
  const profile = await here.profile();
  const agent = profile?.agents[name];
  if (profile === undefined || agent === undefined)
    return [missing(about, 'the policy here has no agent of this name', `lazarus policy add-agent ${name}`)];
  if (agent.routes.length === 0) return [ok(about, 'it has no route, and calls nobody')];
  return Promise.all(
    agent.routes.map(async (routeName) => {
      const route = profile.routes[routeName];
      // What is wrong with either is told where agents and routes are looked at.
      if (route === undefined) return missing(about, `no route ${routeName}`, 'lazarus policy check');
      try {
        const secret = await here.secrets.resolve(route.key);
        return judgeCall(about, route, await here.call({ ...route, name: routeName, secret }, profile.ca_file));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return missingFor(about, error, keyLine(route.key, error.code));
      }
    }),
  );
}

/** An empty question is wrong, and whoever says so has looked at the key first. */
function judgeCall(
  about: Pick<Finding, 'item' | 'title'>,
  { key, origin }: { readonly key: string; readonly origin: string },
  { call, status, denied }: CallMade,
): Finding {
  const answered = `${origin} answered ${status} to ${call}`;
  if (denied !== undefined) return missing(about, `${origin} cannot be asked: ${denied}`, `curl -sS ${origin}`);
  if (status === 401 || status === 403)
    return missing(about, `${answered}: it does not take ${key}`, keyLine(key, 'secret_unusable'));
  if (status === 429 || status >= 500) return warn(about, `${answered}: not now`, 'the same command in a moment');
  return ok(about, `${answered}: it takes ${key}`);
}
