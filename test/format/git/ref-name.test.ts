// Names of references against `git check-ref-format`: nothing passes here that git refuses.
import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefName } from '../../../src/format/git/ref-name.ts';

const piece = fc.constantFrom(
  'a',
  'main',
  'é',
  '.',
  '..',
  '/',
  '@',
  '{',
  '@{',
  '-',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  '\\',
  ' ',
  '\n',
  '\x7f',
  '.lock',
);

describe('isRefName', () => {
  it('accepts only what git accepts', () => {
    const names = fc
      .sample(fc.array(piece, { minLength: 1, maxLength: 4 }), 400)
      .map((parts) => `refs/heads/${parts.join('')}`);
    expect(names.filter((name) => isRefName(name) && !isAcceptedByGit(name))).toEqual([]);
  });

  it.each(['refs/heads/lazarus/m-1', 'refs/lazarus/cosign/project', 'refs/heads/a.b', 'refs/heads/@', 'refs/heads/é'])(
    'accepts %s',
    (name) => expect(isRefName(name) && isAcceptedByGit(name)).toBe(true),
  );

  it.each(['main', 'HEAD', 'refs', 'refs/', '/refs/heads/x', '../refs/heads/x', 'a'.repeat(40)])(
    'refuses %s',
    (name) => {
      expect(isRefName(name)).toBe(false);
    },
  );
});

function isAcceptedByGit(name: string): boolean {
  try {
    execFileSync('git', ['check-ref-format', name], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
