// What a job of seconds has of a branch that people work on: its newest commit and the files it asks for, whatever else
// lies there.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openHttpRemote } from '../../src/adapters/git-remote/open-http-remote.ts';
import { createMemoryRepository } from '../../src/adapters/memory/memory-repository.ts';
import { withBaseParts } from '../../src/app/base-part.ts';
import { FETCHED_REFS, fetchedRef } from '../../src/ledger/names.ts';
import { entryAt } from '../../src/app/tree-entry.ts';
import { createBareRepository, startGitHttpServer } from '../support/http-server.ts';
import { git, scratch } from '../support/repos.ts';

const MAIN = 'refs/heads/main';
const LEDGER = 'refs/heads/lazarus/project';
const POLICY = '.gitea/lazarus/policy.yml';
const FILES = {
  [POLICY]: 'policy',
  '.gitea/lazarus/sacred.yml': 'sacred',
  'films/long/part.mkv': 'x'.repeat(100_000),
  'films/rules/sacred.yml': 'elsewhere',
  'run.sh': 'echo',
};

async function served() {
  const bare = createBareRepository(scratch('root'), 'x.git');
  const work = scratch('work');
  git(work, ['init', '--quiet', '--initial-branch=main']);
  git(work, ['-c', 'user.name=á', '-c', 'user.email=a@b', 'commit', '--quiet', '--allow-empty', '-m', 'before']);
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(work, dirname(path)), { recursive: true });
    writeFileSync(join(work, path), text, { mode: 0o755 });
  }
  git(work, ['add', '.']);
  git(work, [
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    '-c',
    'i18n.commitEncoding=latin1',
    'commit',
    '-qm',
    'caf\u00e9',
  ]);
  git(work, ['push', '--quiet', bare, `HEAD:${MAIN}`, `HEAD~1:${LEDGER}`]);
  const server = await startGitHttpServer(dirname(bare));
  const repository = createMemoryRepository();
  const opened = openHttpRemote({ repository, url: server.url('x.git'), env: {} })!;
  onTestFinished(async () => {
    await opened.close();
    await server.close();
  });
  const { remote, bringFile, bringEntry } = withBaseParts(repository, opened, POLICY);
  const head = git(work, ['rev-parse', 'HEAD']);
  const sizeAt = async (path: string): Promise<number | undefined> => {
    const oid = git(work, ['rev-parse', `HEAD:${path}`]);
    return (await repository.sizes([oid]))[0];
  };
  return { server, repository, remote, bringFile, bringEntry, head, sizeAt };
}

describe('a branch of people', () => {
  it('comes without its history and its files, and with the rules that are asked for first', async () => {
    const { remote, repository, bringFile, head, sizeAt } = await served();
    await remote.fetch([MAIN, LEDGER], FETCHED_REFS);
    expect(await repository.resolve(fetchedRef(MAIN))).toBe(head);
    expect(await repository.resolve(fetchedRef(LEDGER))).toBeDefined();
    await bringFile(head, POLICY);
    expect(await sizeAt(POLICY)).toBe('policy'.length);
    expect(await sizeAt('films/long/part.mkv')).toBeUndefined();
    expect(await sizeAt('run.sh')).toBeUndefined();
  });

  it('is gone into for another file, and brings nothing that lies beside it', async () => {
    const { remote, repository, bringFile, head, sizeAt } = await served();
    await remote.fetch([MAIN], FETCHED_REFS);
    await bringFile(head, 'films/rules/sacred.yml');
    expect(await sizeAt('films/rules/sacred.yml')).toBe('elsewhere'.length);
    expect(await sizeAt('films/long')).toBeUndefined();
    await bringFile(head, 'run.sh');
    expect(await sizeAt('run.sh')).toBe('echo'.length);
    const found = [];
    for await (const { path } of repository.files(head, 'run.sh')) found.push(path);
    expect(found).toEqual(['run.sh']);
  });

  it('says what stands at a path without what is in it, however much that is', async () => {
    const { remote, repository, server, bringEntry, head, sizeAt } = await served();
    await remote.fetch([MAIN], FETCHED_REFS);
    await bringEntry(head, 'films/long/part.mkv');
    expect(await entryAt(repository, head, 'films/long/part.mkv')).toMatchObject({ is: 'file', mode: 0o100755 });
    expect(await sizeAt('films/long/part.mkv')).toBeUndefined();
    const asked = server.seen.length;
    await bringEntry(head, 'films/rules');
    expect(await entryAt(repository, head, 'films/rules')).toMatchObject({ is: 'folder' });
    expect(await sizeAt('films/rules')).toBeUndefined();
    expect(await entryAt(repository, head, 'films/none')).toBeUndefined();
    expect(server.seen.length).toBe(asked);
  });

  it('has no file that is not there, and asks nobody twice', async () => {
    const { remote, repository, server, bringFile, head } = await served();
    await remote.fetch([MAIN], FETCHED_REFS);
    await bringFile(head, POLICY);
    const asked = server.seen.length;
    await bringFile(head, '.gitea/lazarus/none.yml');
    await bringFile(head, 'none/sacred.yml');
    for await (const file of repository.files(head, 'none')) throw new Error(file.path);
    expect(server.seen.length).toBe(asked);
  });

  it('of a server that leaves out what it is asked for is missing by name', async () => {
    const { remote, server, bringFile, head } = await served();
    await remote.fetch([MAIN], FETCHED_REFS);
    await bringFile(head, POLICY);
    const empty = {
      do: 'answer',
      status: 200,
      headers: { 'content-type': 'application/x-git-upload-pack-result' },
    } as const;
    const pack = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex');
    const body = Buffer.concat([Buffer.from('000dpackfile\n'), Buffer.from('0025\x01'), pack, Buffer.from('0000')]);
    server.faults(() => ({ ...empty, body }));
    await expect(bringFile(head, 'films/rules/sacred.yml')).rejects.toMatchObject({ code: 'object_missing' });
  });
});
