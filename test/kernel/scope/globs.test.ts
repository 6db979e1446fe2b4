import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlappingClaim } from '../../../src/kernel/project/claims.ts';
import { checkGlob, claimsOf, matcher, ownedBy } from '../../../src/kernel/scope/globs.ts';
import { PathGlob } from '../../../src/kernel/values.ts';

const TABLE: readonly (readonly [glob: string, has: readonly string[], hasNot: readonly string[]])[] = [
  ['src/a.ts', ['src/a.ts'], ['src/a.tsx', 'a.ts', 'src/a.ts/b', 'x/src/a.ts']],
  ['src/*.ts', ['src/a.ts', 'src/.ts', 'src/.hidden.ts'], ['src/a/b.ts', 'src/a.js', 'lib/a.ts']],
  ['src/**', ['src/a', 'src/a/b/c'], ['src', 'srcs/a', 'lib/src/a']],
  ['src/', ['src/a', 'src/a/b'], ['src', 'srcx/a']],
  ['**', ['a', 'a/b/c'], []],
  ['**/a.ts', ['a.ts', 'x/a.ts', 'x/y/a.ts'], ['xa.ts', 'a.ts/b']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b', 'a/b/b'], ['a/bb', 'ab', 'a/b/c']],
  ['**/x/**', ['x/a', 'y/x/a', 'x/x'], ['x', 'y/x', 'xa/b']],
  ['a?c', ['abc', 'a💡c'], ['ac', 'abbc', 'a/c']],
  ['*a*b*', ['ab', 'xaxbx', 'aab'], ['ba', 'xbxa']],
  ['app/[id]/page.ts', ['app/[id]/page.ts'], ['app/i/page.ts']],
];

describe('a glob of the files owned', () => {
  it.each(TABLE)('%s has what it says, and nothing else', (glob, has, hasNot) => {
    for (const path of has) expect([path, matcher(glob)(path)]).toEqual([path, true]);
    for (const path of hasNot) expect([path, matcher(glob)(path)]).toEqual([path, false]);
  });

  it.each([
    ['/etc/passwd', 'absolute'],
    ['C:/windows', 'absolute'],
    ['a\\b', 'backslash'],
    ['src/{a,b}.ts', 'braces'],
    ['src/../x', '. or .. step'],
    ['!../x', '. or .. step'],
    ['a**b', 'stand alone'],
    ['', 'empty'],
    ['!', 'empty'],
    ['a//b', 'empty step'],
    ['a\u202eb', 'invisible'],
    ['a\u0000b', 'control'],
    ['e\u0301', 'NFC'],
  ])('%j is refused and told why', (glob, why) => {
    const verdict = checkGlob(glob);
    expect(verdict).toMatchObject({ is: 'refused', code: 'glob_malformed' });
    expect(verdict).toHaveProperty('facts.why', expect.stringContaining(why));
  });

  it('is matched in bounded time however many stars it has', () => {
    const glob = `${'*a'.repeat(90)}*`;
    expect(matcher(glob)('a'.repeat(1000) + 'b')).toBe(true);
    expect(matcher(`${'**/a/'.repeat(20)}b`)(`${'a/'.repeat(1000)}c`)).toBe(false);
  });
});

const step = fc.constantFrom('a', 'b', '.c', 'src');
const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('/'));
const glob = fc
  .array(fc.constantFrom('a', 'b', '.c', 'src', '*', '**', '?', '*c'), { minLength: 1, maxLength: 4 })
  .map((steps) => steps.join('/'));
const globs = fc.array(
  fc.oneof(
    glob,
    glob.map((one) => `!${one}`),
  ),
  { maxLength: 5 },
);
/** A glob that has the path: each of its steps as it is, or a sign that stands for one. */
const globOf = (at: string): fc.Arbitrary<string> =>
  fc
    .tuple(...at.split('/').map((name) => fc.constantFrom(name, '*', '**', `${name[0]}*`)))
    .map((steps) => steps.join('/'));
/** A path, and sets that own it, whatever else they have. */
const ownersOf = (at: string): fc.Arbitrary<readonly string[]> =>
  fc
    .tuple(globOf(at), globs)
    .map(([one, others]) => [one, ...others.filter((glob) => !glob.startsWith('!') || !matcher(glob.slice(1))(at))]);

describe('a set of globs', () => {
  it('says the same in any order', () => {
    fc.assert(
      fc.property(globs, path, (set, at) => {
        expect(ownedBy([...set].reverse())(at)).toBe(ownedBy(set)(at));
      }),
    );
  });

  it('never has a path that a glob with ! takes away', () => {
    fc.assert(
      fc.property(
        globs,
        path.chain((at) => fc.tuple(fc.constant(at), globOf(at))),
        (set, [at, away]) => {
          expect(matcher(away)(at)).toBe(true);
          expect(ownedBy([...set, `!${away}`])(at)).toBe(false);
        },
      ),
    );
  });

  it('agrees with a slow matcher that tries everything', () => {
    fc.assert(
      fc.property(glob, path, (one, at) => {
        expect(matcher(one)(at)).toBe(slow(one.split('/'), at.split('/')));
      }),
      { numRuns: 2000 },
    );
  });

  it('claims what it may change: two sets that own one path always overlap', () => {
    fc.assert(
      fc.property(
        path.chain((at) => fc.tuple(fc.constant(at), ownersOf(at), ownersOf(at))),
        ([at, one, other]) => {
          expect([ownedBy(one)(at), ownedBy(other)(at)]).toEqual([true, true]);
          expect(overlappingClaim(claimsOf(one), claimsOf(other))).toBeDefined();
        },
      ),
    );
  });

  it('claims in the form that a ledger takes', () => {
    expect(claimsOf(['src/', '!src/x', 'a.ts', 'src/**'])).toEqual(['a.ts', 'src/**']);
    for (const claim of claimsOf(['src/', '**/x'])) expect(PathGlob.safeParse(claim).success).toBe(true);
  });
});

function slow(glob: readonly string[], at: readonly string[]): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return at.length === 0;
  if (first !== '**') return at.length > 0 && name(first).test(at[0]!) && slow(rest, at.slice(1));
  if (rest.every((one) => one === '**')) return glob.length === 0 || at.length > 0;
  return at.some((_, i) => slow(rest, at.slice(i)));
}

function name(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`, 'u');
}
