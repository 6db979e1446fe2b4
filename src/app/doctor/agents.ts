// The agents that policy names: whether what each one starts is to be had in a cell here, and whether the keys of its routes
// are. A key is looked for as a mission does it, and forgotten at once.
import { Failure } from '../../failure.ts';
import type { Agent } from '../../kernel/policy/agent.ts';
import type { PolicyProfile } from '../../kernel/policy/profile.ts';
import type { ReasonCode } from '../../reasons.ts';
import { POLICY_PATH } from '../init/policy-files.ts';
import { standing } from './environments.ts';
import { missing, missingFor, ok, type Finding } from './finding.ts';
import { isSupervised, type Here } from './here.ts';
import { word } from './typed.ts';

type About = Pick<Finding, 'item' | 'title'>;

/** Where cells look for programs, which they share with this machine. */
const SHARED = ['/usr/local/bin', '/usr/bin', '/bin'];
const CORRECT = `correct it in ${POLICY_PATH}, then: lazarus policy check`;

export async function lookAtAgents(here: Here): Promise<readonly Finding[]> {
  const profile = await here.profile();
  if (profile === undefined) return [];
  return Promise.all(
    Object.entries(profile.agents).map(async ([name, agent]) => {
      const about = { item: 'agent', title: `agent ${name}` };
      return (
        unknownRoute(about, agent, profile) ??
        (agent.install === undefined
          ? await programOf(here, about, agent, profile)
          : await standing(here, about, { name, environment: agent.install, at: 'agent' }))
      );
    }),
  );
}

function unknownRoute(about: About, { routes }: Agent, profile: PolicyProfile): Finding | undefined {
  const unknown = routes.find((route) => profile.routes[route] === undefined);
  return unknown === undefined
    ? undefined
    : missing(about, `uses the route ${unknown}, which the policy does not have`, CORRECT);
}

async function programOf({ host }: Here, about: About, agent: Agent, profile: PolicyProfile): Promise<Finding> {
  const program = agent.command[0]!;
  const environments = Object.values(profile.environment);
  // What the tree or a preparation brings is there when the cell is.
  const isOfTheCell = program.startsWith('/cell/') || (program.includes('/') && !program.startsWith('/'));
  if (isOfTheCell) return ok(about, `${program}, of the cell`);
  const paths = environments.flatMap(({ path }) => path);
  const places = program.startsWith('/')
    ? [program]
    : [...paths.filter((step) => step.startsWith('/')), ...SHARED].map((folder) => `${folder}/${program}`);
  for (const place of places) if ((await host.at(place)) === 'program') return ok(about, place);
  if (!program.startsWith('/') && paths.some((step) => !step.startsWith('/')))
    return ok(about, `${program}, which an environment may bring`);
  const next = `install ${word(program)} in /usr/local/bin of this machine, or ${CORRECT}`;
  return missing(about, `${program} is not where cells find programs`, next);
}

export async function lookAtRoutes(here: Here): Promise<readonly Finding[]> {
  const [routes, isKept] = await Promise.all([usedRoutes(here), isSupervised(here)]);
  return Promise.all(
    routes.map(async ({ name, key, origin }) => {
      const about = { item: 'route', title: `route ${name}` };
      if (isKept) return ok(about, `${key} is the supervisor’s to have, for ${origin}`);
      try {
        await here.secrets.resolve(key);
        return ok(about, `${key} is there, for ${origin}`);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return missingFor(about, error, keyLine(key, error.code));
      }
    }),
  );
}

export async function usedRoutes(here: Here) {
  const profile = await here.profile();
  if (profile === undefined) return [];
  const names = new Set(Object.values(profile.agents).flatMap(({ routes }) => routes));
  return [...names].flatMap((name) => {
    const route = profile.routes[name];
    return route === undefined ? [] : [{ ...route, name }];
  });
}

/** What puts a key where its reference looks for it, without a key in any argument or history. */
export function keyLine(reference: string, code: ReasonCode): string {
  const [, kind, where = ''] = /^(env|file|vault):(.*)$/s.exec(reference) ?? [];
  if (kind === 'env') return `read -rs ${where}; export ${where}`;
  if (kind === 'vault') return `lazarus vault ${code === 'secret_missing' ? 'set' : 'rotate'} ${where}`;
  return code === 'secret_exposed' ? `chmod 600 ${word(where)}` : `install -m 600 /dev/stdin ${word(where)}`;
}
