// Which paths a mission owns: the whole glob language, in four signs. Plain text is itself; `?` is one character of a
// name, `*` any number of them (a leading dot included), `**` as a whole step any number of steps; `!` in front takes
// away. `dir/` is short for `dir/**`. Brackets are plain text, for files like `[id].ts`. Order never matters.
import { z } from 'zod';
import { accept, refuse, type Verdict } from '../verdict.ts';
import { PathGlob } from '../values.ts';
import { isPlainLine } from '../text.ts';

/** Steps of one path or glob: bounds the matching of `**`, which is quadratic in it. */
export const PATH_STEPS_MAX = 64;

/** A glob that can be used, `!` in front included; the message says what is wrong with another. */
export const Glob = z.string().refine((glob) => checkGlob(glob).is === 'accepted', {
  error: ({ input }) => {
    const checked = checkGlob(String(input));
    return checked.is === 'refused' ? String(checked.facts['why']) : '';
  },
});

export type PathMatcher = (path: string) => boolean;

/** Whether a path is in the set: some glob has it, and no `!` glob has it. */
export function ownedBy(globs: readonly string[]): PathMatcher {
  const owned = globs.filter((glob) => !glob.startsWith('!')).map(matcher);
  const notOwned = globs.filter((glob) => glob.startsWith('!')).map((glob) => matcher(glob.slice(1)));
  return (path) => owned.some((has) => has(path)) && !notOwned.some((has) => has(path));
}

export function matcher(glob: string): PathMatcher {
  const steps = spelledOut(glob)
    .split('/')
    .map((step) => (step === '**' ? ANY_NAMES : nameMatcher(step)));
  return (path) => matchNames(steps, path.split('/'));
}

/** Accepts a glob or names what is wrong with it, so that a typing error costs no agent run. */
export function checkGlob(glob: string): Verdict<string> {
  const plain = spelledOut(glob.startsWith('!') ? glob.slice(1) : glob);
  const why = fault(plain);
  return why === undefined ? accept(glob) : refuse('glob_malformed', { glob: glob.slice(0, 80), why });
}

/** What is claimed for a mission as a whole: the globs without what is taken away from them again, in one spelling. */
export function claimsOf(globs: readonly string[]): string[] {
  return [...new Set(globs.filter((glob) => !glob.startsWith('!')).map(spelledOut))].sort();
}

/** The one spelling of a glob, with or without `!`. */
export function spelledOut(glob: string): string {
  return glob.endsWith('/') && glob !== '/' ? `${glob}**` : glob;
}

/** A letter that no name has: what is said of such a path is said for the signs around it. */
const ANY_NAME = '\ue000';

/** A path that a glob has, which says nothing but what the glob says in letters. */
export function exampleOf(glob: string): string {
  return spelledOut(glob).replaceAll(/\*\*|\*|\?/g, ANY_NAME);
}

function fault(glob: string): string | undefined {
  if (glob.startsWith('/') || /^[A-Za-z]:/.test(glob)) return 'is absolute; paths start at the repository’s root';
  if (/^~[^/]*(?:\/|$)|^\$HOME(?:\/|$)/.test(glob))
    return 'begins at somebody’s home; paths start at the repository’s root';
  if (glob.includes('\\')) return 'has a backslash; steps are separated by /';
  if (/[{}]/.test(glob)) return 'has braces; write one line for each alternative';
  const steps = glob.split('/');
  if (steps.some((step) => step === '..' || step === '.')) return 'has a . or .. step';
  if (steps.some((step) => step.includes('**') && step !== '**')) return '** must stand alone between slashes';
  if (steps.length > PATH_STEPS_MAX) return `has more than ${PATH_STEPS_MAX} steps`;
  if (!isPlainLine(glob)) return 'holds a control or invisible character, or is not in Unicode form NFC';
  const alike = lookalikeIn(glob);
  if (alike !== undefined) return alike;
  return PathGlob.safeParse(glob).success ? undefined : 'is empty, too long or has an empty step';
}

// Both loops remember only the last star: a failed match goes back there, so hostile globs cost a product, not a power.
function matchNames(glob: readonly NamePattern[], path: readonly string[]): boolean {
  let g = 0;
  let p = 0;
  let starAt = -1;
  let starFrom = 0;
  while (p < path.length) {
    if (glob[g] === ANY_NAMES) {
      starAt = g++;
      starFrom = p;
    } else if (glob[g]?.(path[p]!) === true) {
      g++;
      p++;
    } else if (starAt !== -1) {
      g = starAt + 1;
      p = ++starFrom;
    } else return false;
  }
  // `dir/**` is what lies in dir, never a file of dir's own name.
  if (glob[g] === ANY_NAMES && g > 0 && starAt !== g) return false;
  while (glob[g] === ANY_NAMES) g++;
  return g === glob.length;
}

type NamePattern = (name: string) => boolean;
/** Stands for any number of steps; recognised, never called. */
const ANY_NAMES: NamePattern = () => true;

function nameMatcher(glob: string): NamePattern {
  if (!/[*?]/.test(glob)) return (name) => name === glob;
  const signs = Array.from(glob);
  return (name) => matchName(signs, Array.from(name));
}

function matchName(signs: readonly string[], letters: readonly string[]): boolean {
  let g = 0;
  let n = 0;
  let starAt = -1;
  let starFrom = 0;
  while (n < letters.length) {
    if (signs[g] === '*') {
      starAt = g++;
      starFrom = n;
    } else if (g < signs.length && (signs[g] === '?' || signs[g] === letters[n])) {
      g++;
      n++;
    } else if (starAt !== -1) {
      g = starAt + 1;
      n = ++starFrom;
    } else return false;
  }
  while (signs[g] === '*') g++;
  return g === signs.length;
}

// Letters that pass for the signs of a path or glob, or for Latin letters. Whoever approves a list of paths must be able to
// read what it says: `ǃsrc/secrets/**` begins with a click consonant and takes nothing away. Not a complete list of what fonts
// draw alike; a help to people, never a rule of the ledger.
const SIGNS: readonly (readonly [sign: string, lookalikes: string])[] = [
  ['!', '\u01c3\u203c\u2755\u2757\u2762\u2d51\ua71d\ufe15\ufe57\uff01'],
  ['*', '\u066d\u204e\u2055\u2217\u22c6\u2731\u2732\u273b\u273d\ufe61\uff0a'],
  ['/', '\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u2cc6\u2f03\u3033\u31d3\uff0f'],
  ['.', '\u0701\u0702\u2024\u2025\u2027\u2e31\u2e33\ua4f8\ua60e\ufe52\uff0e\uff61'],
];
const SIGN_OF = new Map(SIGNS.flatMap(([sign, alike]) => Array.from(alike, (letter) => [letter, sign] as const)));
const MIXED = /(?=.*\p{Script=Latin}).*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;

/** Why a path could be misread, or undefined. */
function lookalikeIn(path: string): string | undefined {
  const letter = Array.from(path).find((one) => SIGN_OF.has(one));
  if (letter !== undefined) {
    const point = letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `holds U+${point}, which looks like ${SIGN_OF.get(letter)} and is not`;
  }
  const isMixed = path.split('/').some((step) => MIXED.test(step));
  return isMixed ? 'mixes Latin letters with letters that look like them' : undefined;
}
