// Where the programs that a person's shell would start really lie. Runs none of them.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';

type ProgramPlace = { readonly folder: string; readonly path: string };

/** Undefined: below /usr, where every cell has it. Null: nowhere, or in a folder that is none of programs. */
export function programPlace(name: string, searchPath: string): ProgramPlace | undefined | null {
  for (const step of searchPath.split(':').filter((one) => one.startsWith('/'))) {
    const found = join(step, name);
    if (!isProgram(found)) continue;
    const real = realpathSync(found);
    if (/^\/(?:usr|bin)\//.test(real)) return undefined;
    // Of `/opt/node/bin/node` and of `/opt/node/lib/node_modules/npm/bin/npm-cli.js` alike.
    const folder = /^(?<folder>(?:\/[A-Za-z0-9._+-]+){2,}?)\/(?:bin|lib)\//.exec(real)?.groups?.['folder'];
    return folder === undefined ? null : { folder, path: `${folder}/bin` };
  }
  return null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
