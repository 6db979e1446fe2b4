// Paths that no work may change are refused before anybody approves them, and others are not.
import { describe, expect, it } from 'vitest';
import { SHIPPED_SACRED, type Allowance } from '../../../src/kernel/scope/sacred.ts';
import { checkUsable } from '../../../src/kernel/scope/usable.ts';

function check(paths: readonly string[], allowances: readonly Allowance[] = []) {
  return checkUsable(paths, { sacred: SHIPPED_SACRED, allowances });
}

describe('the paths of a proposal', () => {
  it.each([
    ['git’s own folder', '.git/hooks/**', 'names a git folder'],
    ['git’s own folder as Windows reads it', 'src/GIT~1/config', 'names a git folder'],
    ['secrets', '**/.env*', 'environment'],
    ['keys', '**/*.pem', 'private-keys'],
    ['a login file', 'deploy/.netrc', 'login-files'],
    ['the workflows that bound it', '.gitea/**', 'forge-rules'],
    ['authentication, without its allowance', 'src/auth/*.ts', 'authentication'],
  ])('with %s are refused, and which rule it is is said', (_, glob, why) => {
    const refused = check(['docs/**', glob]);
    expect(refused).toMatchObject({ is: 'refused', code: 'scope_unusable', facts: { path: glob } });
    expect(refused.is === 'refused' && refused.facts['why']).toContain(why);
  });

  it.each([
    ['nothing at all', []],
    ['only what is taken away', ['!src/**']],
  ])('that are %s are refused', (_, paths) => {
    expect(check(paths)).toMatchObject({ is: 'refused', code: 'scope_unusable' });
  });

  it.each([
    '**',
    'src/**',
    '*',
    'src/*.env',
    'migrations/**',
    'package.json',
    '**/package.json',
    'a?b/[id].ts',
    'AGENTS.md',
    '.codex/**',
  ])('may be %s: some work can change it', (glob) => expect(check([glob, '!.git/**']).is).toBe('accepted'));

  it('may be what an allowance opens', () => {
    expect(check(['src/auth/**'], ['auth_surface']).is).toBe('accepted');
  });
});
