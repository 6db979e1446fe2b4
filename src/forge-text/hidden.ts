// Characters that make a text read otherwise than it is: controls, bidirectional overrides, zero-width and invisible
// letters. What people type for lazarus may hold none; what lazarus shows of others' text shows them. Knows no form and no
// command.

// Cf holds the bidirectional and zero-width ones; the rest are letters and marks that no font draws.
const HIDDEN =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- refusing them is the point
  /[^\P{Cc}\t\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\u{e0000}-\u{e0fff}]/u;
const ODD_SPACE = /[^\P{Zs} ]/u;

/** The first character that a reader would not see, as its code point; a line feed and a tab are seen. */
export function hiddenCharacter(text: string): string | undefined {
  return named(HIDDEN.exec(text)?.[0]);
}

/** Blanks that look like a space and are none: a shell or a path takes them for letters. */
export function oddSpace(text: string): string | undefined {
  return named(ODD_SPACE.exec(text)?.[0]);
}

/** Two spellings of one word would have two digests and one look. */
export function isComposed(text: string): boolean {
  return text.normalize('NFC') === text;
}

/** One line in which everything is seen: hidden characters as their code points, line ends and tabs as blanks. */
export function visible(text: string): string {
  return text.replaceAll(/\r?\n|\t/g, ' ').replaceAll(new RegExp(HIDDEN, 'gu'), (found) => `[${named(found)}]`);
}

function named(character: string | undefined): string | undefined {
  const point = character?.codePointAt(0);
  return point === undefined ? undefined : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}
