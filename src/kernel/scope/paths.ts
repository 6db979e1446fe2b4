// Which paths a change may have at all, whoever owns them. A name can be an attack: on the checkout of whoever merges
// it, on the person who reads it, on a file system that folds letters. Knows nothing of ownership.
import { isPlainLine } from '../text.ts';
import { PATH_STEPS_MAX } from './globs.ts';

/** Git itself goes on to 4096 bytes; other people's file systems do not. */
const PATH_CHARACTERS_MAX = 1024;
// `.git` as Windows reads it: trailing dots and blanks fall away, `git~1` is its short name, `:` names a stream of it.
const GIT_FOLDER = /^(?:\.git|git~[0-9]+)[. ]*(?::.*)?$/;

// eslint-disable-next-line no-control-regex -- plain ASCII is what is meant
const ASCII = /^[\u0000-\u007f]*$/;

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
  if (ASCII.test(path)) return path.toLowerCase();
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/**
 * Added paths that a case-insensitive checkout could not tell from another one: the attack puts `Src/hook` beside
 * `src`, and whoever merges on macOS or Windows gets the one written over the other. Folders count like files.
 */
export function caseTwins(kept: Iterable<string>, added: readonly string[]): ReadonlyMap<string, string> {
  const before = new Set<string>();
  for (const path of kept) addWithFolders(before, path);
  const all = new Set(before);
  for (const path of added) addWithFolders(all, path);
  const spellings = new Map<string, string[]>();
  for (const name of all) spellings.set(foldCase(name), [...(spellings.get(foldCase(name)) ?? []), name]);
  const twins = new Map<string, string>();
  for (const path of added) {
    const other = twinOf(path, before, spellings);
    if (other !== undefined) twins.set(path, other);
  }
  return twins;
}

/** Of the path and the folders above it, the first that is new and has another spelling. */
function twinOf(
  path: string,
  before: ReadonlySet<string>,
  spellings: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  const names = new Set<string>();
  addWithFolders(names, path);
  return [...names]
    .filter((name) => !before.has(name))
    .flatMap((name) => spellings.get(foldCase(name))!.filter((spelling) => spelling !== name))
    .sort()[0];
}

function addWithFolders(names: Set<string>, path: string): void {
  // A folder that is known has brought the folders above it along.
  for (let name = path; name !== '' && !names.has(name); name = name.slice(0, Math.max(0, name.lastIndexOf('/'))))
    names.add(name);
}
