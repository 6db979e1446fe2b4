// What a broken, overloaded or hostile server can send, and that each gets its reason code, in time, without the token.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAsk } from '../../../src/adapters/gitea/ask.ts';
import { createGitea } from '../../../src/adapters/gitea/server.ts';
import { Failure } from '../../../src/failure.ts';
import type { Forge, ForgeRepository } from '../../../src/ports/forge.ts';
import type { ReasonCode } from '../../../src/reasons.ts';

const TOKEN = 'f00dfacef00dfacef00dfacef00dfacef00dface';
const LIMITS = { answerTimeoutMs: 300, answerBytesMax: 100_000 };
const USER = { id: 7, login: 'ana', email: 'ana@example.invalid' };
const COMMENT = { id: 3, user: USER, body: 'hello' };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('a Gitea that misbehaves', () => {
  let answer: Answer;
  let seen: IncomingMessage[];
  let close: () => void;
  let url: string;
  let forge: Forge;
  let repository: ForgeRepository;

  beforeEach(async () => {
    seen = [];
    const server = createServer((request, response) => {
      seen.push(request);
      request.resume();
      answer(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = () => {
      server.closeAllConnections();
      server.close();
    };
    forge = createGitea({ url, token: TOKEN, limits: LIMITS });
    repository = forge.repository({ owner: 'ana', name: 'r' });
  });
  afterEach(() => close());

  const json =
    (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
    (_, response) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

  async function fails(asking: Promise<unknown>, code: ReasonCode): Promise<Failure> {
    const failure = await asking.then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(Failure);
    expect((failure as Failure).code).toBe(code);
    expect(everythingIn(failure)).not.toContain(TOKEN);
    return failure as Failure;
  }

  it.each<[string, Answer]>([
    [
      'truncated JSON',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": 3, "bo'),
    ],
    ['a page instead of JSON', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['nothing at all', (_, response) => response.writeHead(200).end()],
    ['null', json(200, null)],
    ['a list', json(200, [])],
    ['an id that is text', json(200, { ...COMMENT, id: '3' })],
    ['an id beyond what numbers can hold', json(200, { ...COMMENT, id: 2 ** 60 })],
    ['an author without id', json(200, { ...COMMENT, user: { login: 'ana' } })],
    ['an error that is no object', json(418, null)],
  ])('refuses %s', async (_, given) => {
    answer = given;
    await fails(repository.comment(3), 'forge_answer_unexpected');
  });

  it('stops reading an answer without end', async () => {
    answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write('[['.repeat(1000)));
      };
      response.on('drain', more).on('error', () => {});
      more();
    };
    await fails(repository.comments(1), 'forge_answer_unexpected');
  });

  it('gives up a list that never ends', async () => {
    const page = Array.from({ length: 50 }, (_, i) => ({ id: i, name: `l${i}`, exclusive: false }));
    answer = (request, response) =>
      json(200, request.url?.includes('/settings/api') ? { max_response_items: 50 } : page)(request, response);
    await fails(repository.ensureLabels([]), 'forge_answer_unexpected');
  });

  it('reads every page of a server that gives fewer items per page than asked for', async () => {
    const labels = Array.from({ length: 7 }, (_, i) => ({ id: i, name: `l${i}`, exclusive: true }));
    answer = (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', url);
      if (pathname.endsWith('/settings/api')) return json(200, { max_response_items: 3 })(request, response);
      const at = (Number(searchParams.get('page')) - 1) * 3;
      return json(200, labels.slice(at, at + 3))(request, response);
    };
    await repository.ensureLabels([{ name: 'l6', color: 'ffffff', description: '', isExclusive: true }]);
    expect(seen.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('asks again after a moment when that can do no harm, and is content with the later answer', async () => {
    answer = (request, response) => json(seen.length < 3 ? 503 : 200, COMMENT)(request, response);
    expect((await repository.comment(3))?.body).toBe('hello');
    expect(seen).toHaveLength(3);
  });

  it('never repeats what would act twice', async () => {
    answer = json(503, { message: 'busy' });
    await fails(repository.createComment(1, 'x'), 'forge_unreachable');
    expect(seen).toHaveLength(1);
  });

  it.each([
    [429, 'forge_unreachable'],
    [500, 'forge_failed'],
    [401, 'authentication_needed'],
    [403, 'forge_refused'],
    [422, 'forge_refused'],
    [409, 'forge_exists'],
    [404, 'forge_not_found'],
  ] as const)('names status %i', async (status, code) => {
    answer = json(status, { message: `no ${TOKEN} \u001b[31m${'x'.repeat(5000)}` });
    const { message } = await fails(repository.createComment(1, 'x'), code);
    expect(message.length).toBeLessThan(700);
    expect(message).not.toContain('\u001b');
  });

  it('names the scope that a token lacks', async () => {
    const words =
      'token does not have at least one of required scope(s), required=[write:issue], token scope=read:user';
    answer = json(403, { message: words });
    expect((await fails(repository.createComment(1, 'x'), 'forge_scope_missing')).facts['scope']).toBe('write:issue');
  });

  it.each<[string, Answer]>([
    ['breaks the connection', (request) => request.socket.destroy()],
    ['says nothing', () => {}],
    [
      'stops in the middle',
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{');
        setTimeout(() => request.socket.destroy(), 20);
      },
    ],
    ['hides behind a proxy that gave up', json(504, { message: 'gateway' })],
  ])('does not know whether a server acted that %s', async (_, given) => {
    answer = given;
    await fails(repository.createComment(1, 'x'), 'forge_answer_lost');
    expect(seen).toHaveLength(1);
  });

  it('knows that a server that cannot be reached did nothing', async () => {
    close();
    await fails(repository.createComment(1, 'x'), 'forge_unreachable');
  });

  it('follows no redirect, so that the token stays with the server it is for', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.end('{}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const location = `http://localhost:${(elsewhere.address() as AddressInfo).port}/api/v1/user?secret=1`;
    for (const status of [301, 302, 307, 308]) {
      answer = json(status, {}, { location });
      const failure = await fails(repository.createComment(1, 'x'), 'forge_redirected');
      expect(failure.message).not.toContain('secret');
    }
    elsewhere.close();
    expect(asked).toEqual([]);
  });

  it('asks nobody but its own server, whatever a question names', async () => {
    const asked: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
    const ask = createAsk(url, TOKEN, { limits: LIMITS });
    for (const route of [`GET ${there}/api/v1/user`, `GET ${url}.example.invalid/api/v1/user`, `GET ${url}/user`])
      await fails(ask(route, {}, z.unknown()), 'forge_redirected');
    // To octokit, a parameter of this name is the server to ask.
    await fails(
      ask((rest) => rest.users.getAuthenticated, { baseUrl: there }, z.unknown()),
      'forge_redirected',
    );
    elsewhere.close();
    expect([...asked, ...seen]).toEqual([]);
  });

  it('fills names into a path as names, so that none leads to another question', async () => {
    answer = json(404, {});
    await forge.repository({ owner: '../../admin', name: 'r?x=' }).issue(1);
    await repository.readFile('../../../../user');
    await repository.branch('a/../../b');
    expect(seen.map((request) => request.url)).toEqual([
      '/api/v1/repos/..%2F..%2Fadmin/r%3Fx%3D/issues/1',
      '/api/v1/repos/ana/r/contents/..%2F..%2F..%2F..%2Fuser',
      '/api/v1/repos/ana/r/branches/a%2F..%2F..%2Fb',
    ]);
  });

  it('sends a secret once, and shows it in no failure', async () => {
    answer = json(500, { message: 'the value "hunter2" is bad' });
    const failure = await fails(
      repository.setSecret('KEY', async () => 'hunter2-and-more'),
      'forge_failed',
    );
    expect(everythingIn(failure)).not.toContain('hunter2-and-more');
  });

  it.each([
    ['1.26.4', 404],
    ['1.9.0', 404],
    ['development', 404],
    ['11.0.2+gitea-1.22.0', 404],
  ])('refuses version %s by name', async (version, tokenStatus) => {
    answer = (request, response) =>
      request.url?.endsWith('/version')
        ? json(200, { version })(request, response)
        : json(tokenStatus, { message: 'not found' })(request, response);
    expect((await fails(forge.probe(), 'forge_too_old')).facts['version']).toBe(version);
  });

  it.each(['1.27.0', '1.28.0+dev-12-gabc', '2.0.1'])(
    'accepts version %s from a job, whose token cannot ask about itself',
    async (version) => {
      answer = (request, response) =>
        request.url?.endsWith('/version')
          ? json(200, { version })(request, response)
          : json(404, {})(request, response);
      expect(await forge.probe()).toEqual({ software: 'gitea', version });
    },
  );

  it('keeps no e-mail address of anybody', async () => {
    answer = json(200, COMMENT);
    expect(JSON.stringify(await repository.comment(3))).not.toContain('example.invalid');
  });
});

describe('the address of a Gitea', () => {
  it.each([
    ['http://git.example.org', 'insecure_transport'],
    ['http://127.0.0.1.example.org/', 'insecure_transport'],
    ['ftp://git.example.org', 'remote_url_refused'],
    ['https://ana:hunter2@git.example.org', 'remote_url_refused'],
    ['https://git.example.org/?token=hunter2', 'remote_url_refused'],
    ['git.example.org hunter2', 'remote_url_refused'],
  ])('%s is refused, without repeating a credential', (url, code) => {
    const open = () => createGitea({ url, token: TOKEN });
    expect(open).toThrow(expect.objectContaining({ code }));
    expect(open).not.toThrow(/hunter2/);
  });

  it.each([
    ['https://git.example.org/', 'https://git.example.org'],
    ['https://example.org:3000/git//', 'https://example.org:3000/git'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
  ])('%s is used as %s', (url, shown) => {
    expect(createGitea({ url, token: TOKEN }).displayUrl).toBe(shown);
  });
});

/** As a logger sees it: message, facts, stack, causes and hidden fields. */
function everythingIn(error: unknown): string {
  const parts: string[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    parts.push(
      at.stack ?? '',
      JSON.stringify(at),
      ...Object.getOwnPropertyNames(at).map((name) => JSON.stringify(at[name as keyof Error]) ?? ''),
    );
  }
  return parts.join('\n');
}
