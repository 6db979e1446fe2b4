// When two missions want the same files. Coarse on purpose: two globs overlap if the literal start of one contains the
// literal start of the other, which never misses a real overlap. Letters that a file system may take for others (ASCII of
// either case, anything beyond ASCII) are told apart by nobody: no verdict depends on a table of characters.

/** Wildcards, and whatever is not ASCII. */
// eslint-disable-next-line no-control-regex -- the first half of all characters is meant
const MAGIC = /[*?[\]{}!()+@]|[^\u0000-\u007f]/;

/** The first wanted claim that overlaps a held one, or undefined. */
export function overlappingClaim(held: readonly string[], wanted: readonly string[]): string | undefined {
  return wanted.find((claim) => held.some((other) => overlap(literalPrefix(claim), literalPrefix(other))));
}

const ASCII_CASE = 32;

function overlap(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

function literalPrefix(glob: string): string {
  const magic = glob.search(MAGIC);
  const literal = magic === -1 ? glob : glob.slice(0, magic);
  return literal.replaceAll(/[A-Z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + ASCII_CASE));
}
