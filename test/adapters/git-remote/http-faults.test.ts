// What a push over HTTP concludes when servers, proxies and connections misbehave; and which remotes are never opened.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Remote } from '../../../src/ports/remote.ts';
import type { Change } from '../../../src/ports/repository.ts';
import { openTestRemote } from '../../contract/remote.ts';
import { createBareRepository, startGitHttpServer, type Fault, type GitHttpServer } from '../../support/http-server.ts';
import { git, personWith, scratch, scratchRepository } from '../../support/repos.ts';
import { nextStep, steps, type Step } from '../../support/transactions.ts';

const X = 'refs/heads/lazarus/x';
const RESULT = 'application/x-git-receive-pack-result';

describe('a push over http', () => {
  const [one, two] = steps(2, 'fault') as [Step, Step];
  const change: Change = { objects: two.objects, updates: [{ ref: X, old: one.oid, next: two.oid }] };
  let server: GitHttpServer;
  let bare: string;
  let local: string;
  let remote: Remote;

  beforeEach(async () => {
    const root = scratch('served');
    server = await startGitHttpServer(root);
    onTestFinished(server.close);
    bare = createBareRepository(root, 'r.git');
    local = scratchRepository();
    remote = await openTestRemote({ cwd: local, where: { url: server.url('r.git') } });
    const created = { objects: one.objects, updates: [{ ref: X, old: undefined, next: one.oid }] };
    expect(await remote.push(created)).toEqual({ is: 'landed' });
    server.seen.length = 0;
  });

  const tip = (): string => git(bare, ['rev-parse', X]);
  const onPush = (fault: Fault): void =>
    server.faults((request) => (request.path.endsWith('/git-receive-pack') ? fault : undefined));

  it('is one request, on a connection that is used again', async () => {
    await remote.push(change);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /r.git/git-receive-pack']);
    expect(server.connections()).toBe(1);
  });

  it('is unknown, not lost, when the answer breaks off after the server has moved', async () => {
    onPush({ do: 'drop_answer' });
    expect(await remote.push(change)).toMatchObject({ is: 'unknown' });
    expect(tip()).toBe(two.oid);
    server.faults(() => undefined);
    expect(await remote.heads([X])).toEqual(new Map([[X, two.oid]]));
  });

  it('is unknown when no answer comes in time', async () => {
    onPush({ do: 'hang' });
    const hasty = await openTestRemote({
      cwd: local,
      where: { url: server.url('r.git') },
      limits: { answerTimeoutMs: 300 },
    });
    expect(await hasty.push(change)).toEqual({ is: 'unknown', why: 'no answer in time' });
  });

  it.each([500, 502, 503, 504, 408, 429])('is unknown when a proxy answers %d', async (status) => {
    onPush({ do: 'answer', status, body: '<html>' });
    expect(await remote.push(change)).toEqual({ is: 'unknown', why: `HTTP ${status}` });
  });

  it('is refused when the server says that it is too large', async () => {
    onPush({ do: 'answer', status: 413 });
    expect(await remote.push(change)).toEqual({ is: 'refused', ref: X, why: 'HTTP 413' });
  });

  it('was certainly not sent when nobody listens', async () => {
    await server.close();
    const late = await openTestRemote({ cwd: local, where: { url: server.url('r.git') } });
    await expect(late.push(change)).rejects.toMatchObject({ code: 'remote_unreachable', retry: 'later' });
    await expect(late.heads([X])).rejects.toMatchObject({ code: 'remote_unreachable', retry: 'later' });
  });

  it.each([
    ['a web page', { body: '<html>please log in</html>', headers: { 'content-type': 'text/html' } }],
    ['the right type and garbage', { body: 'hello', headers: { 'content-type': RESULT } }],
    ['the right type and nothing', { body: '', headers: { 'content-type': RESULT } }],
    ['a packet of 64 KiB that is not there', { body: 'ffffunpack ok', headers: { 'content-type': RESULT } }],
    [
      'yes to another reference',
      { body: '000eunpack ok\n0017ok refs/heads/other0000', headers: { 'content-type': RESULT } },
    ],
    ['another 2xx', { status: 204 }],
  ])('believes nothing of a server that answers with %s', async (_case, answer) => {
    onPush({ do: 'answer', status: 200, ...answer });
    expect(await remote.push(change)).toEqual({ is: 'unknown', why: expect.stringMatching(/^remote_protocol: /) });
  });

  it('stops listening to a server that never ends', async () => {
    onPush({ do: 'endless', chunk: Buffer.from('0009\x02hey\n'.repeat(4096)) });
    expect(await remote.push(change)).toEqual({ is: 'unknown', why: 'remote_protocol: an answer without end' });
  });

  it('follows no redirect, and carries no token to another origin', async () => {
    const root = scratch('elsewhere');
    const elsewhere = await startGitHttpServer(root);
    onTestFinished(elsewhere.close);
    createBareRepository(root, 'r.git');
    server.faults(({ path }) => ({ do: 'answer', status: 307, headers: { location: `${elsewhere.origin}${path}` } }));
    const asAna = await openTestRemote({
      cwd: local,
      where: { url: server.url('r.git') },
      env: { LAZARUS_TOKEN: 'secret', LAZARUS_TOKEN_ORIGIN: server.origin },
    });
    await expect(asAna.push(change)).rejects.toMatchObject({
      code: 'remote_redirected',
      facts: { to: elsewhere.url('r.git') },
    });
    await expect(asAna.heads([X])).rejects.toMatchObject({ code: 'remote_redirected' });
    await expect(asAna.fetch([X], 'refs/lazarus/o')).rejects.toMatchObject({ code: 'remote_redirected' });
    expect(server.seen.length).toBe(3);
    expect(elsewhere.seen).toEqual([]);
  });

  it('goes through git where only git knows the way, such as a proxy; git needs the history before it', async () => {
    const env = personWith(['http.proxy', server.origin]);
    const other = await openTestRemote({ cwd: local, where: { url: server.url('r.git') }, env });
    await expect(other.push(change)).rejects.toMatchObject({ code: 'object_missing' });
    await other.fetch([X], 'refs/lazarus/remotes/origin');
    expect(await other.push(change)).toEqual({ is: 'landed' });
    expect(tip()).toBe(two.oid);
    expect(server.seen.some(({ path }) => path.startsWith('http://'))).toBe(true);
  });

  it.each([
    ['garbage', 'hello', 'remote_protocol'],
    ['an impossible packet', 'fffz', 'remote_protocol'],
    ['half an advertisement', '001e# service=git-upload-pack\n0000', 'remote_unreachable'],
    ['nothing', '', 'remote_protocol'],
  ])('and its reading counterpart name a server that advertises %s', async (_case, body, code) => {
    const headers = { 'content-type': 'application/x-git-upload-pack-advertisement' };
    server.faults(() => ({ do: 'answer', status: 200, body, headers }));
    await expect(remote.heads([X])).rejects.toMatchObject({ code });
    await expect(remote.fetch([X], 'refs/lazarus/o')).rejects.toMatchObject({ code });
  });

  it('gives up on a server that is silent when asked for its heads', async () => {
    server.faults(() => ({ do: 'hang' }));
    const hasty = await openTestRemote({
      cwd: local,
      where: { url: server.url('r.git') },
      timeoutsMs: { heads: 300, fetch: 300 },
    });
    await expect(hasty.heads([X])).rejects.toMatchObject({ code: 'remote_unreachable' });
    await expect(hasty.fetch([X], 'refs/lazarus/o')).rejects.toMatchObject({ code: 'remote_unreachable' });
  });
});

describe('opening a remote', () => {
  it('finds it by its configured name', async () => {
    const root = scratch('served');
    const bare = createBareRepository(root, 'r.git');
    const local = scratchRepository();
    git(local, ['remote', 'add', 'origin', bare]);
    const remote = await openTestRemote({ cwd: local, where: { name: 'origin' } });
    const step = nextStep(undefined, 'named');
    expect(await remote.push({ objects: step.objects, updates: [{ ref: X, old: undefined, next: step.oid }] })).toEqual(
      { is: 'landed' },
    );
    expect(await remote.heads([X])).toEqual(new Map([[X, step.oid]]));
  });

  it.each(['nobody', '--upload-pack=x', ''])('says that there is no remote named "%s"', async (name) => {
    await expect(openTestRemote({ cwd: scratchRepository(), where: { name } })).rejects.toMatchObject({
      code: 'no_remote',
    });
  });

  it.each([
    ['given', (pwned: string) => ({ url: `ext::sh -c touch% ${pwned}` })],
    ['a dash', (pwned: string) => ({ url: `--upload-pack=touch ${pwned}` })],
  ])('refuses an address that would run a program: %s', async (_case, where) => {
    const local = scratchRepository();
    const pwned = join(local, 'pwned');
    await expect(openTestRemote({ cwd: local, where: where(pwned) })).rejects.toMatchObject({
      code: 'remote_url_refused',
    });
    expect(existsSync(pwned)).toBe(false);
  });

  it('refuses it too when the repository’s configuration smuggles it in', async () => {
    const local = scratchRepository();
    const pwned = join(local, 'pwned');
    git(local, ['config', 'remote.evil.url', `ext::sh -c touch% ${pwned}`]);
    git(local, ['config', `url.ext::sh -c touch% ${pwned} .insteadOf`, 'https://forge.invalid/']);
    await expect(openTestRemote({ cwd: local, where: { name: 'evil' } })).rejects.toMatchObject({
      code: 'remote_url_refused',
    });
    const where = { url: 'https://forge.invalid/r.git' };
    await expect(openTestRemote({ cwd: local, where })).rejects.toMatchObject({ code: 'remote_rewritten' });
    expect(existsSync(pwned)).toBe(false);
  });

  it('follows the rules of the person’s own configuration, once, wherever a second one would lead', async () => {
    const [here, there] = [scratch('here'), scratch('there')];
    for (const folder of [here, there]) createBareRepository(folder, 'r.git');
    const step = nextStep(undefined, 'once');
    const env = personWith([`url.${here}/.insteadOf`, 'forge:'], [`url.${there}/.insteadOf`, `${here}/`]);
    const remote = await openTestRemote({ cwd: scratchRepository(), where: { url: 'forge:r.git' }, env });
    expect(await remote.push({ objects: step.objects, updates: [{ ref: X, old: undefined, next: step.oid }] })).toEqual(
      { is: 'landed' },
    );
    expect(await remote.heads([X])).toEqual(new Map([[X, step.oid]]));
    await remote.fetch([X], 'refs/lazarus/o');
    expect(git(join(there, 'r.git'), ['for-each-ref'])).toBe('');
  });

  it.each([
    ['fetches', 'insteadOf'],
    ['pushes', 'pushInsteadOf'],
  ])('refuses an address that the repository itself would have changed for %s', async (_, kind) => {
    const local = scratchRepository();
    git(local, ['remote', 'add', 'origin', 'https://forge.invalid/r.git']);
    git(local, ['config', `url.https://elsewhere.invalid/.${kind}`, 'https://forge.invalid/']);
    await expect(openTestRemote({ cwd: local, where: { name: 'origin' } })).rejects.toMatchObject({
      code: 'remote_rewritten',
    });
  });

  it('finds a relative path from where git would: the files for a name, the folder for an argument', async () => {
    const root = scratch('root');
    const bare = createBareRepository(root, 'r.git');
    const local = join(root, 'local');
    const below = join(local, 'below');
    git(root, ['init', '-q', 'local']);
    mkdirSync(below);
    git(local, ['remote', 'add', 'origin', '../r.git']);
    for (const where of [{ name: 'origin' }, { url: '../../r.git' }]) {
      const remote = await openTestRemote({ cwd: below, where });
      expect(remote.displayUrl).toBe(bare);
      expect(await remote.heads([X])).toEqual(new Map());
    }
  });
});
