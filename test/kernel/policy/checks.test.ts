// What checks may write: what policy names and an environment does not make, and output folders of the base's ignore rules.
import { describe, expect, it } from 'vitest';
import { ignoredOutputFolders } from '../../../src/kernel/policy/checks.ts';
import { PolicyProfile } from '../../../src/kernel/policy/profile.ts';

function profile(writable: readonly string[]) {
  return PolicyProfile.safeParse({
    version: 1,
    profile: 'p',
    rules: [],
    checks: { writable },
    environment: { npm: { prepare: [['npm', 'ci']], makes: ['web/node_modules'] } },
  });
}

describe('checks of a policy', () => {
  it.each([['dist'], ['web/dist'], ['web'], ['src/generated', 'coverage']])('may name %s', (...writable) => {
    expect(profile(writable).success).toBe(true);
  });

  it.each(['.git', '.git/hooks', '/tmp', '../x', 'a/../b', 'dist/', 'dist/*', '', '!dist'])(
    'may not name %j, which is no plain path of the tree',
    (path) => {
      expect(profile([path]).success).toBe(false);
    },
  );

  it.each(['web/node_modules', 'web/node_modules/.cache'])('leave %s to the environment that makes it', (path) => {
    const { error } = profile([path]);
    expect(error?.issues).toMatchObject([{ path: ['checks', 'writable'] }]);
    expect(error?.issues[0]?.message).toContain('under `writable` there');
  });
});

describe('ignore rules', () => {
  it.each([
    ['dist\n', ['dist']],
    ['# built\n/target\n.pytest_cache/\r\n', ['.pytest_cache', 'target']],
    ['/build/\ncoverage\n', ['build', 'coverage']],
  ])('%j name output folders', (text, folders) => {
    expect(ignoredOutputFolders(text)).toEqual(folders);
  });

  it.each([
    ['nothing', ''],
    ['a comment', '# dist\n'],
    ['a pattern', 'di*\n*.log\n'],
    ['what is not output', 'src/\ntest/\n.env\n.venv/\nlib/\nnode_modules/\n'],
    ['an output folder elsewhere', 'web/dist\n'],
    ['one that is taken back', 'dist\n!dist/\n'],
    ['one of which a part is taken back', 'dist/\n!dist/kept.js\n'],
  ])('of %s open nothing', (_, text) => {
    expect(ignoredOutputFolders(text)).toEqual([]);
  });
});
