// What may be asked for, and what it is answered: what the plan was approved with, in exactly that spelling, and nothing else.
import { expect, it } from 'vitest';
import { answerRequest, type Granted } from '../../../src/kernel/port/request.ts';

const GRANTED: Granted = {
  hosts: [
    { host: 'pypi.org', port: 443, range: null },
    { host: 'mirror.example', port: 8080, range: null },
  ],
  routes: ['openai'],
  effects: ['push_branch', 'post_comment'],
};
const asked = (what: string, target?: string) =>
  answerRequest(GRANTED, { what, ...(target === undefined ? {} : { target }) });

it.each([
  ['host', 'pypi.org'],
  ['host', 'pypi.org:443'],
  ['host', 'PyPI.org'],
  ['host', 'mirror.example:8080'],
  ['route', 'openai'],
  ['push_branch', undefined],
  ['post_comment', 'whatever stands here'],
])('%s %s is in the plan', (what, target) => {
  expect(asked(what, target).is).toBe('granted');
});

it('an effect is not for the participant to cause, and it is told so', () => {
  expect(asked('push_branch')).toMatchObject({
    is: 'granted',
    why: expect.stringContaining('after your work was verified'),
  });
});

it.each([
  ['host', 'mirror.example', 'host_not_listed', 'hosts: ["mirror.example"]'],
  ['host', 'pypi.org:8443', 'host_not_listed', 'hosts: ["pypi.org:8443"]'],
  ['host', 'pypi.org.evil.example', 'host_not_listed', 'hosts: ["pypi.org.evil.example"]'],
  ['route', 'anthropic', 'route_unknown', 'routes: [anthropic]'],
  ['open_pull_request', undefined, 'effect_unplanned', 'capabilities: [pr:open]'],
])('%s %s is not, and the words that would allow it are said', (what, target, because, allowing) => {
  expect(asked(what, target)).toMatchObject({ is: 'refused', because, allowing });
});

it.each([
  ['host', undefined, 'name_malformed'],
  ['host', 'https://pypi.org/simple', 'name_malformed'],
  ['host', 'pypi.org"]\nhosts: ["evil.example', 'name_malformed'],
  ['host', 'рypi.org', 'name_malformed'],
  ['route', '../openai', 'name_malformed'],
  ['route', 'a]\nagents: {}', 'name_malformed'],
  ['write_local_branch', undefined, 'effect_unplanned'],
  ['policy_override', undefined, 'unknown'],
  ['constructor', '__proto__', 'unknown'],
])('%s %s is refused without any words for policy', (what, target, because) => {
  const answer = asked(what, target);
  expect(answer).toMatchObject({ is: 'refused', because });
  expect(answer).not.toHaveProperty('allowing');
});
