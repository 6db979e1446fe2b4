// What is shipped as templates, as tests start from it: the example project with its rules, and its mission file.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git } from './repos.ts';

const TEMPLATES = new URL('../../templates/', import.meta.url).pathname;
export const MISSION_FILE = join(TEMPLATES, 'mission.yaml');

export type Rules = { readonly policy: string; readonly sacred: string };
export const RULES: Rules = { policy: template('policy.yml'), sacred: template('sacred.yml') };

function template(file: string): string {
  return readFileSync(join(TEMPLATES, file), 'utf8');
}

/** Commits the example project, with these rules where a project has them, on `main` of a repository made there. */
export function exampleProject(folder: string, rules?: Rules): void {
  cpSync(join(TEMPLATES, 'example'), folder, { recursive: true });
  if (rules !== undefined) {
    mkdirSync(join(folder, '.gitea/lazarus'), { recursive: true });
    writeFileSync(join(folder, '.gitea/lazarus/policy.yml'), rules.policy);
    writeFileSync(join(folder, '.gitea/lazarus/sacred.yml'), rules.sacred);
  }
  git(folder, ['init', '-q', '-b', 'main', '.']);
  git(folder, ['add', '.']);
  git(folder, ['commit', '-qm', 'the example']);
}

/** The mission file with some of its text replaced. */
export function missionText(edits: Readonly<Record<string, string>> = {}): string {
  return Object.entries(edits).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the mission file does not say "${from}"`);
    return text.replace(from, () => to);
  }, template('mission.yaml'));
}
