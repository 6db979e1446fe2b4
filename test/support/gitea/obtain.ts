// The programs that tests of the real forge need: named by GITEA_BIN and GITEA_RUNNER_BIN, or built into the cache.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from './build.ts';
import { cacheFolder, fillOnce, finished } from './cache.ts';
import { GITEA, RECIPE_VERSION, RUNNER, type Recipe } from './recipe.ts';

export type GiteaPrograms = {
  readonly gitea: string;
  /** Holds the folders that Gitea reads: options, templates, public. */
  readonly staticRoot: string;
  readonly runner: string;
};

export const TO_INCLUDE = 'run `npm run gitea -- build` (needs Go; minutes, once)';

/** What is here already, or undefined: nothing is fetched or built by asking. */
export function giteaPrograms(): GiteaPrograms | undefined {
  const gitea = here('GITEA_BIN', GITEA);
  const runner = here('GITEA_RUNNER_BIN', RUNNER);
  if (gitea === undefined || runner === undefined) return undefined;
  const staticRoot = process.env['GITEA_STATIC_ROOT'] ?? dirname(gitea);
  return { gitea, runner, staticRoot };
}

/** The same, after building what is missing. */
export async function obtainGitea(say: (line: string) => void): Promise<GiteaPrograms> {
  for (const [variable, recipe] of [
    ['GITEA_RUNNER_BIN', RUNNER],
    ['GITEA_BIN', GITEA],
  ] as const) {
    if (here(variable, recipe) !== undefined) continue;
    const folder = builtFolder(recipe);
    await fillOnce(folder, [recipe.program], async (into) => build(recipe, into, say));
  }
  const programs = giteaPrograms();
  if (programs === undefined) throw new Error('the programs were built and are not there');
  return programs;
}

function here(variable: string, recipe: Recipe): string | undefined {
  const named = process.env[variable];
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`${variable} names ${named}, which is not there`);
    return named;
  }
  const folder = builtFolder(recipe);
  return finished(folder) ? join(folder, recipe.program) : undefined;
}

function builtFolder({ program, version }: Recipe): string {
  return join(cacheFolder(), `${program}-${version}-recipe${RECIPE_VERSION}-${process.platform}-${process.arch}`);
}
