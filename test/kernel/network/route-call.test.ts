// What a route lets through is decided on one spelling of a path, and whatever has two is nobody's.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowed, readRouteCall, redirectWithin } from '../../../src/kernel/network/route-call.ts';

const ALLOW = ['POST /v1/responses', 'GET /v1/models/*', 'GET /v1/models', 'DELETE /v1/files/f*'];

describe('a call', () => {
  it('has a route, a path and a query', () => {
    expect(readRouteCall('/_route/open.ai/v1/x:y@2~z?a=%41&b')).toEqual({
      name: 'open.ai',
      path: '/v1/x:y@2~z',
      query: '?a=%41&b',
    });
    expect(readRouteCall('/_route/model/')).toEqual({ name: 'model', path: '/', query: '' });
  });

  it.each(['/_routes/model/x', '/_route', '/', '', 'http://127.0.0.1:3128/_route/model/x', '*', '//_route/model/x'])(
    'is none: %s',
    (target) => expect(readRouteCall(target)).toBeUndefined(),
  );

  it.each(['?a=#b', '?a=%', '?a=%0', '?a=%zz', '?a=<b>', '?a="b"', '?a=\\', '?a=\u00e9'])(
    'has no query that a server could read in another way: %s',
    (query) => expect(readRouteCall(`/_route/model/x${query}`)).toBe('path_malformed'),
  );

  it('leads nowhere else, whatever a server makes of it by the rules for addresses', () => {
    const piece = fc.constantFrom(
      '.',
      '..',
      '/',
      '//',
      '%2e',
      '%2F',
      ';',
      '\\',
      'a',
      'v1',
      '~',
      ':',
      '@',
      '#',
      '?',
      ' ',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const call = readRouteCall(`/_route/model/v1/${pieces.join('')}`);
        if (typeof call !== 'object') return;
        const read = new URL(`http://origin.example${call.path}${call.query}`);
        expect([read.host, read.pathname, read.hash]).toEqual(['origin.example', call.path, '']);
        expect(decodeURIComponent(call.path)).toBe(call.path);
      }),
    );
  });
});

describe('a route allows', () => {
  it.each([
    ['POST', '/v1/responses', true],
    ['GET', '/v1/models', true],
    ['GET', '/v1/models/', true],
    ['GET', '/v1/models/x/y', true],
    ['DELETE', '/v1/files/f1', true],
    ['post', '/v1/responses', false],
    ['PUT', '/v1/responses', false],
    ['POST', '/v1/responses/', false],
    ['POST', '/v1/responses2', false],
    ['GET', '/v1/modelsx', false],
    ['DELETE', '/v1/files/g1', false],
    ['POST', '/V1/responses', false],
  ])('%s %s: %s', (method, path, allowed) => expect(isAllowed(ALLOW, method, path)).toBe(allowed));
});

describe('a redirect', () => {
  const call = { name: 'model', path: '/v1/a/b', query: '?q' };

  it.each([
    ['/v2/c', '/_route/model/v2/c'],
    ['c?x=1', '/_route/model/v1/a/c?x=1'],
    ['https://api.example.com/v2', '/_route/model/v2'],
    ['https://api.example.com:443/v2', '/_route/model/v2'],
    // Read as the origin would read it: what is left decides.
    ['../../../v3', '/_route/model/v3'],
  ])('stays: %s', (location, within) => expect(redirectWithin('https://api.example.com', call, location)).toBe(within));

  it.each([
    'http://api.example.com/v2',
    'https://api.example.com:8443/v2',
    'https://api.example.com.evil.example/v2',
    'https://api.example.com@evil.example/v2',
    'https://me@api.example.com/v2',
    '//evil.example/v2',
    '/\\evil.example/v2',
    'data:text/plain,x',
    '/v2/a%2fb',
    'https://[',
  ])('leaves: %s', (location) => expect(redirectWithin('https://api.example.com', call, location)).toBeUndefined());
});
