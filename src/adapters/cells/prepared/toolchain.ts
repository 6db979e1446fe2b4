// What stands for the programs that a preparation runs: where each one really lies, its size, and when it was changed. An
// upgraded Node is another one, at the same path as well. Runs no program to ask it for its version.
import { closeSync, lstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../../../failure.ts';
import type { Environment } from '../../../kernel/policy/environment.ts';
import type { ToolPrint } from '../../../kernel/policy/environment-key.ts';

const SYSTEM_PATH = ['/usr/local/bin', '/usr/bin', '/bin'];
/** A script's first line names what runs it, which may be a script again. */
const INTERPRETERS_MAX = 4;
const FIRST_LINE_BYTES = 256;

export function toolchainOf({ tools, path, prepare, offline }: Environment): readonly ToolPrint[] {
  const folders = [...path.filter((step) => step.startsWith('/')), ...SYSTEM_PATH];
  const prints = new Map<string, string>([['machine', `${process.platform}-${process.arch}`]]);
  for (const folder of tools) {
    const about = lstatSync(folder, { throwIfNoEntry: false });
    if (about === undefined) throw new Failure('environment_tool_missing', { tool: folder });
    // What is bound is the folder itself: a link would lead to whatever it names when a cell starts.
    if (!about.isDirectory()) throw new Failure('environment_tool_missing', { tool: folder, why: 'is no folder' });
    prints.set(folder, 'folder');
  }
  for (const [program] of [...prepare, ...offline]) addProgram(prints, program!, folders, INTERPRETERS_MAX);
  return [...prints].map(([name, print]) => ({ name, print })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function addProgram(prints: Map<string, string>, program: string, folders: readonly string[], more: number): void {
  // Below the project: what an earlier command makes, and what that is follows from the rest.
  if (prints.has(program) || (program.includes('/') && !program.startsWith('/'))) return;
  const places = program.startsWith('/') ? [program] : folders.map((folder) => join(folder, program));
  const found = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
  if (found === undefined) {
    // A folder of the tree stands in front of the search path: it may bring the program.
    prints.set(program, 'of the project');
    return;
  }
  const real = realpathSync(found);
  const { size, mtimeMs } = statSync(real);
  prints.set(program, `${real} ${size} ${Math.round(mtimeMs)}`);
  const interpreter = interpreterOf(real);
  if (interpreter !== undefined && more > 0) addProgram(prints, interpreter, folders, more - 1);
}

/** `#!/usr/bin/env node` and `#!/usr/bin/python3 -I`: npm is a script, and what matters is the Node that runs it. */
function interpreterOf(path: string): string | undefined {
  const line = Buffer.alloc(FIRST_LINE_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, line);
  } finally {
    closeSync(file);
  }
  const words = /^#!\s*(?<words>[^\n\0]+)/.exec(line.toString('latin1'))?.groups?.['words']?.trim().split(/\s+/);
  if (words === undefined) return undefined;
  return basename(words[0]!) === 'env' ? words.slice(1).find((word) => !word.startsWith('-')) : words[0];
}
