// When two missions want the same files. Coarse on purpose: two globs overlap if the literal start of one contains the
// literal start of the other, which never misses a real overlap.

const MAGIC = /[*?[\]{}!()+@]/;

/** The first wanted claim that overlaps a held one, or undefined. */
export function overlappingClaim(held: readonly string[], wanted: readonly string[]): string | undefined {
  return wanted.find((claim) => held.some((other) => overlap(literalPrefix(claim), literalPrefix(other))));
}

function overlap(a: string, b: string): boolean {
  return a.startsWith(b) || b.startsWith(a);
}

function literalPrefix(glob: string): string {
  const magic = glob.search(MAGIC);
  return magic === -1 ? glob : glob.slice(0, magic);
}
