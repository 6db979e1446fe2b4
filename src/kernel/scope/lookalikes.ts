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
export function lookalikeIn(path: string): string | undefined {
  const letter = Array.from(path).find((one) => SIGN_OF.has(one));
  if (letter !== undefined) {
    const point = letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `holds U+${point}, which looks like ${SIGN_OF.get(letter)} and is not`;
  }
  const isMixed = path.split('/').some((step) => MIXED.test(step));
  return isMixed ? 'mixes Latin letters with letters that look like them' : undefined;
}
