// Which paths a change may have at all, whoever owns them. A name can be an attack: on the checkout of whoever merges
// it, on the person who reads it, on a file system that folds letters. Knows nothing of ownership.
import { isPlainLine } from '../text.ts';
import { PATH_STEPS_MAX } from './globs.ts';

/** Git itself goes on to 4096 bytes; other people's file systems do not. */
const PATH_CHARACTERS_MAX = 1024;
// `.git` as Windows reads it: trailing dots and blanks fall away, `git~1` is its short name, `:` names a stream of it.
const GIT_FOLDER = /^(?:\.git|git~[0-9]+)[. ]*(?::.*)?$/;

/** Why a path is refused, or undefined. */
export function pathFault(path: string): string | undefined {
  if (path === '' || path.length > PATH_CHARACTERS_MAX) return 'empty or too long';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'absolute';
  if (path.includes('\\')) return 'backslash';
  if (!isPlainLine(path)) return 'control or invisible character, or not in Unicode form NFC';
  const steps = path.split('/');
  if (steps.length > PATH_STEPS_MAX) return 'too deep';
  if (steps.some((step) => step === '' || step === '.' || step === '..')) return 'empty, . or .. step';
  if (steps.some((step) => GIT_FOLDER.test(foldCase(step)))) return 'names a git folder';
  return undefined;
}

/** One form for all spellings that a case-insensitive file system takes for the same name. Never folds too little. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/**
 * Added paths that a case-insensitive checkout could not tell from another one: the attack puts `Src/hook` beside
 * `src`, and whoever merges on macOS or Windows gets the one written over the other. Folders count like files.
 */
export function caseTwins(kept: Iterable<string>, added: readonly string[]): ReadonlyMap<string, string> {
  const spellings = new Map<string, Set<string>>();
  const before = new Set<string>();
  for (const path of kept) for (const step of prefixes(path)) before.add(step);
  for (const step of before) note(spellings, step);
  for (const path of added) for (const step of prefixes(path)) note(spellings, step);
  const twins = new Map<string, string>();
  for (const path of added) {
    for (const step of prefixes(path)) {
      if (before.has(step)) continue;
      const other = [...spellings.get(foldCase(step))!].sort().find((spelling) => spelling !== step);
      if (other !== undefined) twins.set(path, other);
    }
  }
  return twins;
}

function note(spellings: Map<string, Set<string>>, step: string): void {
  const folded = foldCase(step);
  const known = spellings.get(folded);
  if (known === undefined) spellings.set(folded, new Set([step]));
  else known.add(step);
}

function prefixes(path: string): string[] {
  const steps = path.split('/');
  return steps.map((_, i) => steps.slice(0, i + 1).join('/'));
}
