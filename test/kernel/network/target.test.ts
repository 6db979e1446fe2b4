// Look-alikes of a host that policy lists. Each stands beside a check that people write, which takes it for that host.
import { expect, test } from 'vitest';
import { lineFor } from '../../../src/kernel/network/decide.ts';
import { AllowedHost } from '../../../src/kernel/network/hosts.ts';
import { readPlainTarget, readTunnelTarget } from '../../../src/kernel/network/target.ts';

const LISTED = 'kit.example';
const HOSTS = [AllowedHost.parse(LISTED), AllowedHost.parse('127.0.0.1:443')];

const isListed = (named: string): boolean => {
  const target = readTunnelTarget(named);
  return target !== undefined && lineFor(HOSTS, target) !== undefined;
};
/** What the platform's own reader makes of an authority. */
const parsed = (named: string): string => new URL(`https://${named}`).hostname;
const before = (named: string, what: string): string => named.split(what)[0]!;

test.each<[attack: string, named: string, naive: (named: string) => boolean]>([
  ['another name in front', 'evil-kit.example:443', (named) => named.endsWith(`${LISTED}:443`)],
  ['another name behind', 'kit.example.evil.test:443', (named) => named.startsWith(LISTED)],
  ['a name below', 'cdn.kit.example:443', (named) => named.endsWith(`.${LISTED}:443`)],
  ['the end of a string in C', 'kit.example\0.evil.test:443', (named) => before(named, '\0') === LISTED],
  ['the same, escaped', 'kit.example%00.evil.test:443', (named) => before(decodeURIComponent(named), '\0') === LISTED],
  ['a user in front', 'kit.example@evil.test:443', (named) => before(named, '@') === LISTED],
  ['a user with a password', 'kit.example:443@evil.test:443', (named) => before(named, ':') === LISTED],
  ['a fragment', 'evil.test#.kit.example:443', (named) => named.endsWith(`.${LISTED}:443`)],
  ['a path', 'evil.test/.kit.example:443', (named) => named.endsWith(`.${LISTED}:443`)],
  ['a backslash', 'evil.test\\.kit.example:443', (named) => named.endsWith(`.${LISTED}:443`)],
  ['a line of its own', 'kit.example:443\r\nHost: evil.test', (named) => named.startsWith(`${LISTED}:443`)],
  ['a space', 'kit.example :443', (named) => before(named, ':').trim() === LISTED],
  ['a tab', 'kit.\texample:443', (named) => parsed(named) === LISTED],
  ['a dot at the end', 'kit.example.:443', (named) => before(named, ':').replace(/\.$/, '') === LISTED],
  ['a letter that becomes another', '\u212Ait.example:443', (named) => before(named.toLowerCase(), ':') === LISTED],
  ['a dot of another script', 'kit\u3002example:443', (named) => parsed(named) === LISTED],
  ['a letter of full width', '\uFF4Bit.example:443', (named) => parsed(named) === LISTED],
  ['a soft hyphen', 'k\u00ADit.example:443', (named) => parsed(named) === LISTED],
  ['an escaped letter', '%6Bit.example:443', (named) => parsed(named) === LISTED],
  ['an address in hexadecimal', '0x7f000001:443', (named) => parsed(named) === '127.0.0.1'],
  ['an address as one number', '2130706433:443', (named) => parsed(named) === '127.0.0.1'],
  ['an address in octal', '0177.0.0.1:443', (named) => parsed(named) === '127.0.0.1'],
  ['an address in two parts', '127.1:443', (named) => parsed(named) === '127.0.0.1'],
  ['an address mapped into version 6', '[::ffff:127.0.0.1]:443', (named) => parsed(named).includes('7f00:1')],
  ['another port', 'kit.example:80', (named) => before(named, ':') === LISTED],
  ['no port', 'kit.example', (named) => named === LISTED],
  ['a port that is too large', 'kit.example:65979', (named) => Number(named.split(':')[1]) % 65_536 === 443],
  ['a port that is written longer', 'kit.example:0443', (named) => Number(named.split(':')[1]) === 443],
  ['two ports', 'kit.example:443:25', (named) => named.split(':')[1] === '443'],
  ['a scheme', 'https://kit.example:443', (named) => new URL(named).hostname === LISTED],
])('a tunnel to %s is not to the host that is listed', (_, named, naive) => {
  expect(naive(named), 'the careless check would have let it through').toBe(true);
  expect(isListed(named)).toBe(false);
});

test('a listed host is found by its name and port, in either case', () => {
  expect(isListed('kit.example:443')).toBe(true);
  expect(isListed('KIT.Example:443')).toBe(true);
  expect(isListed('127.0.0.1:443')).toBe(true);
  expect(isListed('127.0.0.2:443')).toBe(false);
});

test.each<[attack: string, url: string, naive: (url: string) => boolean]>([
  ['a user', 'http://kit.example@evil.test/', (url) => url.startsWith('http://kit.example')],
  ['a backslash', 'http://evil.test\\@kit.example/', (url) => before(url.split('@')[1]!, '/') === LISTED],
  ['no slashes', 'http:evil.test/kit.example', (url) => url.endsWith(LISTED)],
  ['a fragment behind the path', 'http://kit.example/#@evil.test', (url) => new URL(url).hostname === LISTED],
  ['another scheme', 'https://kit.example/', (url) => new URL(url).hostname === LISTED],
  ['no scheme', '//kit.example/', (url) => new URL(url, 'http://x').hostname === LISTED],
  ['a control character in the path', 'http://kit.example/\r\nX: y', (url) => new URL(url).hostname === LISTED],
  ['a letter beyond ASCII in the path', 'http://kit.example/\u0120', (url) => new URL(url).hostname === LISTED],
])('a plain request with %s is refused', (_, url, naive) => {
  expect(naive(url), 'the careless check would have let it through').toBe(true);
  expect(readPlainTarget(url)).toBeUndefined();
});

test('a plain request keeps its path and query as they are', () => {
  const at = { host: LISTED, port: 80 };
  expect(readPlainTarget('http://Kit.example/a%2e%2e/b?c=d@e')).toEqual({ ...at, path: '/a%2e%2e/b?c=d@e' });
  expect(readPlainTarget('http://kit.example')).toEqual({ ...at, path: '/' });
  expect(readPlainTarget('http://kit.example?x')).toEqual({ ...at, path: '/?x' });
  expect(readPlainTarget('http://kit.example:8080/')).toEqual({ ...at, port: 8080, path: '/' });
});
