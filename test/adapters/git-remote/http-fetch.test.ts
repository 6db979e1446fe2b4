// Reading from a remote without git: what comes, what a server is told that we have, and what is believed of one that lies.
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttpRemote } from '../../../src/adapters/git-remote/open-http-remote.ts';
import { pktLine } from '../../../src/adapters/git-remote/pkt-line.ts';
import { encodePack } from '../../../src/adapters/git/pack.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { createMemoryRepository } from '../../../src/adapters/memory/memory-repository.ts';
import { concat, utf8 } from '../../../src/format/bytes.ts';
import type { GitObject } from '../../../src/format/git/object.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import { createBareRepository, startGitHttpServer } from '../../support/http-server.ts';
import { commitOf, hashes } from '../../support/objects.ts';
import { git, scratch } from '../../support/repos.ts';
import { steps } from '../../support/transactions.ts';
import { gitObject } from '../../../src/format/git/object.ts';
import { encodeTree } from '../../../src/format/git/tree.ts';

const X = 'refs/heads/lazarus/x';
const MAIN = 'refs/heads/main';
const INTO = 'refs/lazarus/fetched/';
const HERE = `${INTO}heads/lazarus/x`;
const RESULT = 'application/x-git-upload-pack-result';

async function served(options: { password?: string; env?: Record<string, string>; timeoutMs?: number } = {}) {
  const bare = createBareRepository(scratch('root'), 'x.git');
  const all = steps(6, 'read');
  const origin = await openRepository(bare);
  await origin.commit({
    objects: all.flatMap(({ objects }) => objects),
    updates: [{ ref: X, old: undefined, next: all[2]!.oid }],
  });
  const server = await startGitHttpServer(dirname(bare), options);
  const repository = createMemoryRepository();
  const env = Object.fromEntries(
    Object.entries(options.env ?? {}).map(([name, value]) => [name, value.replace('SERVER', server.origin)]),
  );
  const timeoutsMs = options.timeoutMs === undefined ? {} : { heads: options.timeoutMs, fetch: options.timeoutMs };
  const remote = openHttpRemote({ repository, url: server.url('x.git'), env, timeoutsMs })!;
  onTestFinished(async () => {
    await remote.close();
    await origin.close();
    await server.close();
  });
  return { all, bare, origin, server, repository, remote };
}

async function read(repository: Repository, oid: string): Promise<GitObject> {
  for await (const object of repository.read([oid])) return object;
  throw new Error('nothing was read');
}

describe('reading over http', () => {
  it('brings history into memory in two requests on one connection, and then only what is new', async () => {
    const { all, bare, server, repository, remote } = await served();
    await remote.fetch([X], INTO);
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array.from({ length: 2 }, () => 'POST /x.git/git-upload-pack'),
    );
    expect(server.connections()).toBe(1);
    expect(await repository.resolve(HERE)).toBe(all[2]!.oid);
    for (const step of all.slice(0, 3))
      for (const { oid, body } of step.objects) expect((await read(repository, oid)).body).toEqual(body);
    git(bare, ['update-ref', X, all[5]!.oid]);
    await remote.fetch([X], INTO);
    expect(await repository.resolve(HERE)).toBe(all[5]!.oid);
    expect((await read(repository, all[5]!.oid)).oid).toBe(all[5]!.oid);
  });

  it('asks nothing twice of what was told a moment ago', async () => {
    const { all, server, repository, remote } = await served();
    await remote.fetch([X], INTO, await remote.heads([X]));
    expect(server.seen.length).toBe(2);
    await remote.fetch([X], INTO, new Map([[X, all[2]!.oid]]));
    expect(server.seen.length).toBe(2);
    expect(await repository.resolve(HERE)).toBe(all[2]!.oid);
  });

  it('never says that it has what it knows a part of', async () => {
    const { all, origin, repository, remote } = await served();
    // The attack: a file of a ledger that also lies on the branch. A server that believes us to have the branch leaves it
    // out, and the ledger can no longer be read.
    const shared = all[0]!.objects[0]!;
    const tree = gitObject(hashes, 'tree', encodeTree([{ mode: '100644', name: 'copy', oid: shared.oid }]));
    const commit = commitOf(tree.oid, [], 'a branch of people');
    await origin.commit({ objects: [tree, commit], updates: [{ ref: MAIN, old: undefined, next: commit.oid }] });
    await remote.fetchPart({ wants: [MAIN], commitsMax: 1, treeDepth: 1 }, INTO);
    await expect(read(repository, shared.oid)).rejects.toMatchObject({ code: 'object_missing' });
    await remote.fetch([X], INTO);
    expect((await read(repository, shared.oid)).body).toEqual(shared.body);
  });

  it('goes with the credential of the job, and without one says so', async () => {
    const token = { LAZARUS_TOKEN: 'secret', LAZARUS_TOKEN_ORIGIN: 'SERVER' };
    const { all, remote } = await served({ password: 'secret', env: token });
    expect(await remote.heads([X])).toEqual(new Map([[X, all[2]!.oid]]));
    for (const env of [{}, { ...token, LAZARUS_TOKEN: 'old' }]) {
      const { remote: refused } = await served({ password: 'secret', env });
      await expect(refused.heads([X])).rejects.toMatchObject({ code: 'authentication_needed' });
      await expect(refused.fetch([X], INTO)).rejects.toMatchObject({ code: 'authentication_needed' });
    }
  });

  it('carries no token to where a redirect points', async () => {
    const { remote, server } = await served({ env: { LAZARUS_TOKEN: 'secret', LAZARUS_TOKEN_ORIGIN: 'SERVER' } });
    const elsewhere = await served();
    server.faults(({ path }) => ({
      do: 'answer',
      status: 307,
      headers: { location: `${elsewhere.server.origin}${path}` },
    }));
    const failure = { code: 'remote_redirected', facts: { to: elsewhere.server.url('x.git') } };
    await expect(remote.heads([X])).rejects.toMatchObject(failure);
    await expect(remote.fetch([X], INTO)).rejects.toMatchObject(failure);
    expect(elsewhere.server.seen).toEqual([]);
  });

  it('gives up on a server that is silent, and on one that is gone', async () => {
    const { remote, server } = await served({ timeoutMs: 300 });
    server.faults(() => ({ do: 'hang' }));
    await expect(remote.heads([X])).rejects.toMatchObject({ code: 'remote_unreachable', retry: 'later' });
    await server.close();
    await expect(remote.fetch([X], INTO)).rejects.toMatchObject({ code: 'remote_unreachable', retry: 'later' });
  });

  it.each(['https_proxy', 'HTTP_PROXY', 'GIT_SSL_NO_VERIFY'])(
    'is not for a job with %s: git knows that way',
    (name) => {
      const options = { repository: createMemoryRepository(), url: 'http://127.0.0.1:1/x.git' };
      expect(openHttpRemote({ ...options, env: { [name]: '1' } })).toBeUndefined();
    },
  );
});

describe('a server that lies', () => {
  const line = (text: string | Uint8Array): Uint8Array => pktLine(typeof text === 'string' ? utf8(text) : text);
  const [FLUSH, DELIMITER] = [utf8('0000'), utf8('0001')];
  const [step, other] = steps(2, 'lie');
  const oid = step!.oid;
  const band = (n: number, bytes: Uint8Array): Uint8Array => line(concat([Uint8Array.of(n), bytes]));
  const packOf = (objects: readonly GitObject[]): Uint8Array => encodePack(objects, { thin: false });

  async function answered(body: Uint8Array | string, type = RESULT) {
    const all = await served();
    all.server.faults(() => ({ do: 'answer', status: 200, body, headers: { 'content-type': type } }));
    return all;
  }

  it.each<[string, Uint8Array | string, string?]>([
    ['a web page', '<html>please log in</html>', 'text/html'],
    ['the right bytes and the wrong type', concat([line(`${oid} ${X}\n`), FLUSH]), 'text/plain'],
    ['garbage', 'hello'],
    ['nothing', ''],
    ['an impossible packet', 'fffz'],
    ['a packet that is not there', 'ffffabc'],
    ['a list without end', line(`${oid} ${X}\n`)],
    ['an end, and more', concat([FLUSH, line(`${oid} ${X}\n`), FLUSH])],
    ['a name that is none', concat([line(`${'g'.repeat(40)} ${X}\n`), FLUSH])],
    ['one reference twice', concat([line(`${oid} ${X}\n`), line(`${other!.oid} ${X}\n`), FLUSH])],
    ['words instead', concat([line('ERR \u001b[31mgo away'), FLUSH])],
  ])('about its references is not believed: %s', async (_, body, type) => {
    const { remote } = await answered(body, type);
    const failure: unknown = await remote.heads([X]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'remote_protocol', retry: 'later' });
    expect(String(failure)).not.toMatch(/\p{Cc}/u);
  });

  it.each(['refs/heads/lazarus/a\u0007b', 'refs/heads/lazarus/../../x', 'refs/heads/lazarus/x.lock'])(
    'about the name of a reference is not believed: %j',
    async (ref) => {
      const { remote, repository } = await answered(concat([line(`${oid} ${ref}\n`), FLUSH]));
      await expect(remote.fetch(['refs/heads/lazarus/*'], INTO)).rejects.toMatchObject({ code: 'remote_protocol' });
      expect(await repository.list(INTO)).toEqual([]);
    },
  );

  it('tells of references that nobody asked for, which are left out', async () => {
    const { remote } = await answered(concat([line(`${oid} ${X}\n`), line(`${oid} refs/heads/lazarus/xy\n`), FLUSH]));
    expect(await remote.heads([X])).toEqual(new Map([[X, oid]]));
  });

  const header = line('packfile\n');
  const good = packOf(step!.objects);
  it.each<[string, Uint8Array | string, string?]>([
    ['an empty answer', ''],
    ['only an end', FLUSH],
    ['an unknown part', concat([line('wanted-refs\n'), FLUSH])],
    ['no bands', concat([header, line(good.subarray(4, 60)), FLUSH])],
    ['a pack that breaks off', concat([header, band(1, good.subarray(0, 90)), FLUSH])],
    ['an answer that breaks off', concat([header, band(1, good)])],
    ['more behind its end', concat([header, band(1, good), FLUSH, FLUSH])],
    ['a delimiter in a pack', concat([header, band(1, good), DELIMITER, FLUSH])],
    [
      'a pack with a byte changed',
      concat([
        header,
        band(
          1,
          good.map((byte, i) => (i === 50 ? byte ^ 1 : byte)),
        ),
        FLUSH,
      ]),
    ],
    ['the words of a failure', concat([header, band(3, utf8('\u001b[2Jout of memory')), FLUSH])],
    ['a pack as a page', concat([header, band(1, good), FLUSH]), 'text/html'],
  ])('about objects is not believed: %s', async (_, body, type) => {
    const { remote, repository } = await answered(body, type);
    const known = new Map([[X, oid]]);
    const failure: unknown = await remote.fetch([X], INTO, known).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'remote_protocol', retry: 'later' });
    expect(String(failure)).not.toMatch(/\p{Cc}/u);
    expect(await repository.resolve(HERE)).toBeUndefined();
  });

  it('cannot pass one object off as another, nor leave out what was asked for', async () => {
    for (const objects of [other!.objects.slice(0, 1), []]) {
      const { remote, repository } = await answered(concat([header, band(1, packOf(objects)), FLUSH]));
      await expect(remote.fetch([X], INTO, new Map([[X, oid]]))).rejects.toMatchObject({
        code: 'object_missing',
        facts: { oid },
      });
      await expect(remote.fetchPart({ wants: [oid], treeDepth: 0 }, INTO)).rejects.toMatchObject({
        code: 'object_missing',
      });
      expect(await repository.resolve(HERE)).toBeUndefined();
    }
  });

  it('that leaves out an object further down is found out by whoever reads it', async () => {
    const commit = step!.objects.find((one) => one.oid === oid)!;
    const { remote, repository } = await answered(concat([header, band(1, packOf([commit])), FLUSH]));
    await remote.fetch([X], INTO, new Map([[X, oid]]));
    await expect(read(repository, step!.tree.oid)).rejects.toMatchObject({ code: 'object_missing' });
  });

  it('without end is heard no further than anything may be long', async () => {
    const { remote, server } = await served();
    server.faults(() => ({ do: 'endless', chunk: Buffer.alloc(1 << 20, '0009\u0002hey\n') }));
    await expect(remote.heads([X])).rejects.toMatchObject({ code: 'object_too_large' });
    await expect(remote.fetch([X], INTO, new Map([[X, oid]]))).rejects.toMatchObject({ code: 'object_too_large' });
  });

  it.each([500, 502, 503, 429])('or breaks (%d) is asked later', async (status) => {
    const { remote, server } = await served();
    server.faults(() => ({ do: 'answer', status, body: '<html>' }));
    await expect(remote.heads([X])).rejects.toMatchObject({ code: 'remote_unreachable', retry: 'later' });
  });
});
