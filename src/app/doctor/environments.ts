// What the project's commands and an agent's program are prepared from: toolchains of this machine, files of the tree, and
// whether it was done already. Prepares nothing: the first mission that needs it does.
import { Failure } from '../../failure.ts';
import type { Environment } from '../../kernel/policy/environment.ts';
import type { WantedEnvironment } from '../../ports/environments.ts';
import { POLICY_PATH } from '../init/policy-files.ts';
import type { Workbench } from '../workbench.ts';
import { missing, missingFor, ok, type Finding } from './finding.ts';
import type { Here } from './here.ts';
import { word } from './typed.ts';

type About = Pick<Finding, 'item' | 'title'>;
type Named = Pick<WantedEnvironment, 'name' | 'environment' | 'at'>;

const CACHE = { item: 'cache', title: 'prepared environments' };

export async function lookAtEnvironments(here: Here): Promise<readonly Finding[]> {
  const profile = await here.profile();
  return Promise.all(
    Object.entries(profile?.environment ?? {}).map(([name, environment]) => {
      const about = { item: 'environment', title: `environment ${name}` };
      return standing(here, about, { name, environment, at: 'project' });
    }),
  );
}

export async function lookAtCache({ environments }: Here): Promise<readonly Finding[]> {
  const entries = await environments.list();
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  return [ok(CACHE, entries.length === 0 ? 'none yet' : `${entries.length}, ${Math.ceil(bytes / 1e6)} MB`)];
}

/** Of one environment, whatever it is for. */
export async function standing(here: Here, about: About, { name, environment, at }: Named): Promise<Finding> {
  const { host, environments, folders, opened, head } = here;
  for (const tool of environment.tools)
    if ((await host.at(tool)) !== 'folder')
      return missing(about, `${tool} is not on this machine`, `install it there, or ${correcting('tools')}`);
  // Both are there where a policy was read.
  const [bench, commit] = [(await opened())!, (await head())!];
  const gone = await goneFrom(bench, commit, environment);
  if (gone !== undefined)
    return missing(about, `${gone} is not committed`, `git add -- ${word(gone)}; git commit -- ${word(gone)}`);
  try {
    const caFile = (await here.profile())?.ca_file ?? null;
    const project = { repository: folders.repository(bench), commit };
    const { isReady } = await environments.find({ name, environment, project, origin: 'base', caFile, at });
    if (environment.makes.length === 0)
      return ok(about, `nothing to prepare; ${environment.tools.join(', ') || 'no tools'}`);
    return ok(about, isReady ? 'prepared' : 'not prepared yet: the first mission that needs it does that');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return missingFor(about, error);
  }
}

async function goneFrom({ parts }: Workbench, commit: string, { files }: Environment): Promise<string | undefined> {
  for (const path of files) {
    let isThere = false;
    for await (const file of parts.repository.files(commit, path)) isThere ||= file.path === path;
    if (!isThere) return path;
  }
  return undefined;
}

function correcting(key: string): string {
  return `correct \`${key}\` in ${POLICY_PATH}, then: lazarus policy check`;
}
