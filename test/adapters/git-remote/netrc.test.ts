// What a .netrc file says, and what only looks as if it said it.
import { describe, expect, it } from 'vitest';
import { loginFromNetrc } from '../../../src/adapters/git-remote/netrc.ts';

describe('a .netrc file', () => {
  it.each([
    ['one line', 'machine forge.example login ana password s3cret', 'ana', 's3cret'],
    ['many lines', 'machine forge.example\n  login ana\n\tpassword s3cret\n', 'ana', 's3cret'],
    ['password first', 'machine forge.example password s3cret login ana', 'ana', 's3cret'],
    [
      'other hosts before',
      'machine a login x password y\nmachine forge.example login ana password s3cret',
      'ana',
      's3cret',
    ],
    ['the default', 'machine a login x password y\ndefault login any password body', 'any', 'body'],
    ['an account', 'machine forge.example account z login ana password s3cret', 'ana', 's3cret'],
    ['quotes', 'machine forge.example login ana password "two words \\"q\\""', 'ana', 'two words "q"'],
    [
      'comments',
      '# machine forge.example login x password y\nmachine forge.example login ana password s3cret',
      'ana',
      's3cret',
    ],
    ['no user', 'machine forge.example password s3cret', '', 's3cret'],
  ])('with %s', (_case, text, user, password) => {
    expect(loginFromNetrc(text, 'forge.example')).toEqual({ user, password });
  });

  it.each([
    ['another host', 'machine evil.example login ana password s3cret'],
    ['no password', 'machine forge.example login ana'],
    ['a macro that looks like an entry', 'macdef init\nmachine forge.example login x password y\n\n'],
    ['a host name as somebody’s password', 'machine a login machine password forge.example'],
    ['nothing', ''],
  ])('has no login in %s', (_case, text) => {
    expect(loginFromNetrc(text, 'forge.example')).toBeUndefined();
  });
});
