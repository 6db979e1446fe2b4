// Two missions must never both own a file. The rule may refuse too much, never too little: checked against a glob
// matcher that is written out here in the plainest way.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlappingClaim } from '../../src/kernel/project/claims.ts';

describe('two claims', () => {
  it.each([
    ['the same path', 'src/a.ts', 'src/a.ts', true],
    ['a directory and a file in it', 'src', 'src/a.ts', true],
    ['a file and everything below its directory', 'src/a.ts', 'src/**', true],
    ['a directory and everything below it', 'src', 'src/**', true],
    ['neighbours', 'src/a.ts', 'src/b.ts', false],
    ['directories that differ', 'src/**', 'test/**', false],
    ['anything anywhere', '**/*.md', 'src/a.ts', true],
    ['braces', 'src/{a,b}/**', 'src/b/x', true],
    ['a class of characters', 'src/[ab].ts', 'src/b.ts', true],
    ['an extended glob', 'src/+(a|b)', 'src/ab', true],
    ['a negation', '!src/**', 'docs/a.md', true],
    ['names that differ in case only', 'SRC/Main.ts', 'src/main.ts', true],
    ['names that some file systems take for one', 'docs/\u00e9t\u00e9.md', 'docs/e\u0301te\u0301.md', true],
    ['a name beyond ASCII and its neighbour', 'docs/\u00e9', 'docs/z', true],
    ['neighbours of a name beyond ASCII', 'docs/\u00e9', 'src/z', false],
    ['names with one start, which the coarse rule takes for an overlap', 'src/a', 'src/ab', true],
  ])('on %s: %s and %s', (_, one, other, overlap) => {
    expect(overlappingClaim([one], [other]) !== undefined).toBe(overlap);
    expect(overlappingClaim([other], [one]) !== undefined).toBe(overlap);
  });

  it('are told apart: the answer is the wanted claim that is taken', () => {
    expect(overlappingClaim(['docs/**', 'src/**'], ['test/a', 'src/a', 'docs/a'])).toBe('src/a');
    expect(overlappingClaim([], ['src/a'])).toBeUndefined();
    expect(overlappingClaim(['src/a'], [])).toBeUndefined();
  });

  it('that both match one path always overlap', () => {
    const step = fc.stringMatching(/^[ab]{1,2}$/);
    const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.join('/'));
    let met = 0;
    const twoGlobsOnOnePath = path.chain((name) => fc.tuple(globFor(name), globFor(name), fc.constant(name)));
    fc.assert(
      fc.property(twoGlobsOnOnePath, ([one, other, name]) => {
        fc.pre(matches(one, name) && matches(other, name));
        met += 1;
        expect(overlappingClaim([one], [other])).toBe(other);
      }),
      { numRuns: 3000 },
    );
    expect(met).toBe(3000);
  });
});

/** A glob made from a path by replacing pieces of it, so that it usually still matches. */
function globFor(path: string): fc.Arbitrary<string> {
  const pieces = path.split(/(?<=\/)|(?=\/)|(?<=[ab])(?=[ab])/);
  const replaced = pieces.map((piece) =>
    piece === '/'
      ? fc.constantFrom('/', '/**/')
      : fc.constantFrom(piece, piece, '*', '?', '[ab]', `{${piece},zz}`, `${piece}*`, '**'),
  );
  return fc.tuple(...replaced, fc.constantFrom('', '', '*', '/**')).map((parts) => parts.join(''));
}

/** `**` takes any number of whole steps, and `x/**` also `x` itself, as the widest reading of a claim would have it. */
function matches(glob: string, path: string): boolean {
  const pattern = glob
    .replaceAll(/\/\*\*$/g, '\u0001')
    .replaceAll('/**/', '\u0002')
    .replaceAll('**', '\u0003')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll(/\{(\w),(\w+)\}/g, '(?:$1|$2)')
    .replaceAll('\u0001', '(?:/.*)?')
    .replaceAll('\u0002', '/(?:.*/)?')
    .replaceAll('\u0003', '.*');
  return new RegExp(`^${pattern}$`).test(path);
}
