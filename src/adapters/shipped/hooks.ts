// The hooks as they ship. Those for clones are told where this program is: a hook may be run by a program whose PATH has
// neither node nor lazarus. Text only; where hooks go is somebody else's business.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Hook } from '../../ports/hook-folder.ts';

/** The same place from the sources and from the build. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, '');

/** `lazarus-work-branch` is none of git's: two of the others start it. It comes first, so that they never miss it. */
const NAMES = ['lazarus-work-branch', 'pre-commit', 'pre-push', 'reference-transaction'] as const;

export async function readClientHooks(): Promise<readonly Hook[]> {
  return Promise.all(
    NAMES.map(async (name) => ({
      name,
      isGits: !name.startsWith('lazarus-'),
      text: placed(await readFile(`${PACKAGE}/hooks/${name}`, 'utf8')),
    })),
  );
}

/** For a server: needs neither. */
export async function readServerHook(): Promise<string> {
  return readFile(`${PACKAGE}/hooks/pre-receive`, 'utf8');
}

function placed(text: string): string {
  return text
    .replace(/^node=''$/m, () => `node=${quoted(process.execPath)}`)
    .replace(/^package=''$/m, () => `package=${quoted(PACKAGE)}`);
}

/** As one word of a shell script, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
