// Fetching a part of a history: how much of it comes, and that nothing comes later behind anybody's back.
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRemote } from '../../../src/adapters/git-remote/open-remote.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { bareRepository } from '../../../src/adapters/git/bare-repository.ts';
import type { GitObject } from '../../../src/format/git/object.ts';
import type { Repository } from '../../../src/ports/repository.ts';
import { createBareRepository, startGitHttpServer } from '../../support/http-server.ts';
import { git, scratch } from '../../support/repos.ts';
import { steps, type Step } from '../../support/transactions.ts';

const REF = 'refs/heads/lazarus/x';
const HERE = 'refs/lazarus/fetched/heads/lazarus/x';

/** Ten commits behind a server, and an empty repository before it. */
async function served() {
  const root = scratch('root');
  const bare = createBareRepository(root, 'x.git');
  const all = steps(10, 'part');
  const origin = await openRepository(bare);
  const objects = all.flatMap((step) => step.objects);
  await origin.commit({ objects, updates: [{ ref: REF, old: undefined, next: all.at(-1)!.oid }] });
  await origin.close();
  const server = await startGitHttpServer(dirname(bare));
  const { path, remove } = await bareRepository();
  const repository = await openRepository(path);
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' };
  const remote = await openRemote({ repository, cwd: path, where: { url: server.url('x.git') }, env, isOwn: true });
  onTestFinished(async () => {
    await remote.close();
    await repository.close();
    await remove();
    await server.close();
  });
  return { all, bare, server, repository, remote, path };
}

async function read(repository: Repository, oid: string): Promise<GitObject> {
  for await (const object of repository.read([oid])) return object;
  throw new Error('nothing was read');
}

const blobOf = ({ objects }: Step): GitObject => objects[0]!;

describe('a part of a history', () => {
  it('holds the commits and the depth that were asked for, and nothing else', async () => {
    const { all, remote, repository, path } = await served();
    await remote.fetchPart({ wants: [REF], commitsMax: 3, treeDepth: 1 }, 'refs/lazarus/fetched/');
    const head = all.at(-1)!;
    expect(await repository.resolve(HERE)).toBe(head.oid);
    expect(git(path, ['cat-file', '--batch-all-objects', '--batch-check=%(objecttype)']).split('\n').sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'commit'),
      ...Array.from({ length: 3 }, () => 'tree'),
    ]);
  });

  it('grows by objects that are asked for by name, although a promise to have them is as good to git', async () => {
    const { all, remote, repository } = await served();
    const head = all.at(-1)!;
    await remote.fetchPart({ wants: [REF], commitsMax: 1, treeDepth: 1 }, 'refs/lazarus/fetched/');
    await remote.fetchPart({ wants: [head.tree.oid], treeDepth: 1 }, 'refs/lazarus/fetched/');
    expect((await read(repository, blobOf(head).oid)).body).toEqual(blobOf(head).body);
  });

  it('is all there is: reading what was left out names the object and asks no server', async () => {
    const { all, remote, repository, server, path } = await served();
    await remote.fetchPart({ wants: [REF], commitsMax: 1, treeDepth: 1 }, 'refs/lazarus/fetched/');
    const asked = server.seen.length;
    const { oid } = blobOf(all[0]!);
    await expect(read(repository, oid)).rejects.toMatchObject({ code: 'object_missing', facts: { oid } });
    // The attack: a plain git in there, with the network at hand, would fetch it without asking anybody.
    expect(() => git(path, ['cat-file', '-e', oid])).toThrow();
    expect(server.seen.length).toBe(asked);
  });

  it('follows a reference that was moved back: a rewritten ledger must be seen, not hidden', async () => {
    const { all, bare, remote, repository } = await served();
    const part = { wants: [REF], commitsMax: 1, treeDepth: 2 };
    await remote.fetchPart(part, 'refs/lazarus/fetched/');
    const second = all[1]!;
    git(bare, ['update-ref', REF, second.oid]);
    await remote.fetchPart(part, 'refs/lazarus/fetched/');
    expect(await repository.resolve(HERE)).toBe(second.oid);
    expect((await read(repository, second.tree.oid)).body).toEqual(second.tree.body);
  });

  it('of a reference that is not there is refused by name', async () => {
    const { remote } = await served();
    const part = { wants: ['refs/heads/lazarus/none'], commitsMax: 1, treeDepth: 2 };
    await expect(remote.fetchPart(part, 'refs/lazarus/fetched/')).rejects.toMatchObject({ code: 'remote_ref_missing' });
  });
});
