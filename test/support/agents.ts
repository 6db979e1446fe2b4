// Real agents for tests: the programs that the shipped presets name, installed once into the cache exactly as policy would
// have them prepared, and the preset as a mission's run hands it to a cell. Whoever cannot install them is told, and fails.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readPolicyFile } from '../../src/documents/policy-file.ts';
import type { Agent } from '../../src/kernel/policy/agent.ts';
import type { Route } from '../../src/kernel/policy/route.ts';
import { cacheFolder, fillOnce } from './gitea/cache.ts';
import { taken } from './taken.ts';

const TEMPLATES = new URL('../../templates/agents/', import.meta.url);
/** Hundreds of megabytes, once. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

export type Preset = { readonly agent: Agent; readonly route: Route };

export function readPreset(name: string): Preset {
  const text = readFileSync(new URL(`${name}.yml`, TEMPLATES), 'utf8');
  const { agents, routes } = taken(readPolicyFile(`version: 1\nprofile: tried\n${text}`, `${name}.yml`));
  return { agent: agents[name]!, route: routes['openai']! };
}

/** The folder that a cell finds as /cell/agent. npm compares every package with the digest in the preset's own lock file. */
export async function installed({ install, version }: Agent): Promise<string> {
  const { given, prepare, makes } = install!;
  const digest = createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 12);
  const folder = join(cacheFolder(), `agent-${version}-${digest}`);
  const program = join(...makes, '.package-lock.json');
  await fillOnce(folder, [program], (into) => {
    for (const [path, text] of Object.entries(given)) writeFileSync(join(into, path), text);
    for (const [command, ...args] of prepare)
      execFileSync(command!, [...args, '--cache', join(into, 'npm-cache')], {
        cwd: into,
        stdio: ['ignore', 'ignore', 'inherit'],
        timeout: INSTALL_TIMEOUT_MS,
      });
    execFileSync('rm', ['-rf', join(into, 'npm-cache')]);
    // Root installs it, and the user of a cell has to read it.
    execFileSync('chmod', ['-R', 'go+rX', into]);
    return Promise.resolve();
  });
  return folder;
}
