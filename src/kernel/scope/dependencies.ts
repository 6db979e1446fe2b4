// Whether two versions of a package.json bring in the same code: the part of the file that is sacred on its own. What
// cannot be read counts as changed. Knows no package manager and no registry.
import { jcs } from '../../format/jcs.ts';

// Besides the dependencies themselves, what redirects them, and the scripts that run on everybody's machine at install.
const FIELDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bundledDependencies',
  'bundleDependencies',
  'dependenciesMeta',
  'overrides',
  'resolutions',
  'packageManager',
  'workspaces',
  'pnpm',
] as const;
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'] as const;

/** `undefined`: there is no such file before or after. */
export function compareDependencies(before: string | undefined, after: string | undefined): 'same' | 'changed' {
  try {
    return broughtIn(before) === broughtIn(after) ? 'same' : 'changed';
  } catch {
    return 'changed';
  }
}

function broughtIn(text: string | undefined): string {
  const manifest: unknown = text === undefined ? {} : JSON.parse(text);
  const scripts = part(manifest, 'scripts');
  return jcs([
    FIELDS.map((field) => part(manifest, field) ?? null),
    INSTALL_SCRIPTS.map((name) => (scripts === undefined ? null : (part(scripts, name) ?? null))),
  ]);
}

function part(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return (value as Record<string, unknown>)[name];
}
