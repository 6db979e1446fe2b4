// Which addresses are remotes, which are attacks, and which may see a credential.
import { describe, expect, it } from 'vitest';
import { parseAddress } from '../../../src/adapters/git-remote/address.ts';

describe('a remote address', () => {
  it.each([
    ['https://forge.example/ana/r.git', 'http'],
    ['HTTPS://forge.example/ana/r.git', 'http'],
    ['http://127.0.0.1:3000/r.git', 'http'],
    ['ssh://git@forge.example:22/ana/r.git', 'ssh'],
    ['git@forge.example:ana/r.git', 'ssh'],
    ['forge.example:r.git', 'ssh'],
    ['file:///srv/r.git', 'file'],
    ['/srv/r.git', 'file'],
    ['../r.git', 'file'],
    ['./odd:name.git', 'file'],
  ])('reads %s as %s, as git does', (text, is) => {
    expect(parseAddress(text).is).toBe(is);
  });

  it.each([
    ['ext::sh -c touch% /tmp/pwned', 'ext::'],
    ['EXT::sh -c id', 'EXT::'],
    ['fd::17', 'fd::'],
    ['git-remote-evil::x', 'git-remote-evil::'],
    ['git://forge.example/r.git', 'git://'],
    ['ftp://forge.example/r.git', 'ftp://'],
    ['--upload-pack=touch /tmp/pwned', 'dash'],
    ['-oProxyCommand=touch pwned:r.git', 'dash'],
    ['ssh://-oProxyCommand=touch%20pwned/r.git', ''],
    ['ssh://-oProxyCommand=id@forge.example/r.git', 'dash'],
    ['ana@-oProxyCommand=id:r.git', 'dash'],
    ['https://forge.example/r.git\nhost=evil.example', 'control'],
    ['https://forge.example/%zz?x=1', 'query'],
    ['https://', 'well-formed'],
    ['', 'empty'],
    [`https://forge.example/${'a'.repeat(5000)}`, 'longer'],
  ])('refuses %s', (text, why) => {
    expect(() => parseAddress(text)).toThrow(
      expect.objectContaining({ code: 'remote_url_refused', facts: { why: expect.stringContaining(why) } }),
    );
  });

  it('takes the login out of the URL, so that nothing that shows the URL shows it', () => {
    const address = parseAddress('https://ana:s%3Acret@forge.example/r.git/');
    expect(address.url).toBe('https://forge.example/r.git');
    expect(address.login).toEqual({ user: 'ana', password: 's:cret' });
    expect(parseAddress('ssh://git:secret@forge.example/r.git').url).toBe('ssh://git@forge.example/r.git');
  });

  it('does not quote a malformed URL, for its password would be in the message', () => {
    const parse = () => parseAddress('https://ana:secret@[bad/r.git');
    expect(parse).toThrow(expect.objectContaining({ message: expect.not.stringContaining('secret') }));
    expect(parse).not.toThrow(expect.objectContaining({ cause: expect.anything() }));
  });

  it.each([
    ['https://forge.example/r.git', true],
    ['http://localhost:3000/r.git', true],
    ['http://127.8.9.1/r.git', true],
    ['http://[::1]:3000/r.git', true],
    ['http://forge.example/r.git', false],
    ['http://127.0.0.1.evil.example/r.git', false],
    ['http://localhost.evil.example/r.git', false],
    ['http://10.0.0.1/r.git', false],
    ['http://localhost@evil.example/r.git', false],
  ])('%s may see a credential: %s', (url, may) => {
    expect(parseAddress(url).isConfidential).toBe(may);
  });
});
