// A `.git` that somebody else prepared: to run programs while it is read, to reach the network, or to show another
// history than its objects tell. Each test makes the trap first.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collect } from '../../contract/repository.ts';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { openWorkTree } from '../../../src/adapters/git/work-tree.ts';
import { chain } from '../../support/objects.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';
import { trap } from '../../support/trap.ts';
import { append, opened } from './opened.ts';

/** More commits than are read one by one: git walks the rest of them. */
const LONG = 40;

describe('a repository that somebody prepared', () => {
  it('runs no hook and no configured program while it is read and written', async () => {
    const path = scratchRepository();
    const { program, hasRun, asHook } = trap();
    for (const hook of ['reference-transaction', 'post-index-change', 'pre-auto-gc', 'fsmonitor-watchman'])
      asHook(join(path, '.git', 'hooks'), hook);
    mkdirSync(join(path, 'hooks'));
    asHook(join(path, 'hooks'), 'reference-transaction');
    for (const [key, value] of [
      ['core.hooksPath', join(path, 'hooks')],
      ['core.fsmonitor', program],
      ['core.pager', program],
      ['core.editor', program],
      ['core.sshCommand', program],
      ['core.gitProxy', program],
      ['core.alternateRefsCommand', program],
      ['credential.helper', program],
      ['gpg.program', program],
      ['diff.external', program],
      ['gc.auto', '1'],
    ] as const) {
      git(path, ['config', key, value]);
    }
    const repository = await openRepository(path);
    const links = chain(70);
    await append(repository, links);
    await collect(repository.history(links[69]!.commit.oid));
    await collect(repository.files(links[69]!.commit.oid));
    await collect(repository.read(links.flatMap((link) => link.objects.map((object) => object.oid))));
    await repository.list('refs/heads/lazarus/');
    await repository.assertComplete();
    await repository.close();
    expect(hasRun()).toBe(false);
  });

  it('fetches nothing that a partial clone promises: absent is absent', async () => {
    const path = scratchRepository();
    const { program, hasRun } = trap();
    for (const [key, value] of [
      ['core.repositoryformatversion', '1'],
      ['extensions.partialclone', 'evil'],
      ['remote.evil.promisor', 'true'],
      ['remote.evil.url', 'ssh://example.invalid/x'],
      ['core.sshCommand', program],
      ['protocol.allow', 'always'],
      ['protocol.ssh.allow', 'always'],
    ] as const) {
      git(path, ['config', key, value]);
    }
    const repository = await opened(path);
    const absent = 'd'.repeat(40);
    await expect(collect(repository.read([absent]))).rejects.toMatchObject({ code: 'object_missing' });
    await expect(collect(repository.history(absent))).rejects.toMatchObject({ code: 'object_missing' });
    await expect(collect(repository.files(absent))).rejects.toMatchObject({ code: 'object_missing' });
    expect(hasRun()).toBe(false);
  });

  it('has no signature looked at by a program that it names, when the versions of a file are told', async () => {
    const path = scratchRepository();
    const { program, hasRun, forget } = trap();
    writeFileSync(join(path, 'file'), 'content');
    git(path, ['add', 'file']);
    const who = 'a <a@example.invalid> 1 +0000';
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----';
    const commit = `tree ${git(path, ['write-tree'])}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nsigned\n`;
    git(path, ['update-ref', 'HEAD', git(path, ['hash-object', '-t', 'commit', '-w', '--stdin'], commit)]);
    git(path, ['config', 'log.showSignature', 'true']);
    git(path, ['config', 'gpg.program', program]);
    git(path, ['log']);
    // The attack: plain git runs it.
    expect(hasRun()).toBe(true);
    forget();
    expect(await (await openWorkTree(path)).versions('file')).toHaveLength(1);
    expect(hasRun()).toBe(false);
  });

  it('does not have files written outside of it', async () => {
    const outside = scratch('outside');
    const path = join(outside, 'repository');
    git(outside, ['init', '-q', path]);
    git(path, ['config', 'core.worktree', outside]);
    // The attack: to git, the files lie there.
    expect(git(path, ['rev-parse', '--show-toplevel'])).toBe(outside);
    await expect(openWorkTree(path)).rejects.toMatchObject({ code: 'no_work_tree' });
  });

  it('shows the history that the objects tell, whatever replace references, grafts and graph files say', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    const links = chain(LONG);
    await append(repository, links);
    const [first, second, third] = links.map((link) => link.commit.oid);
    git(path, ['replace', third!, first!]);
    writeFileSync(join(path, '.git', 'info', 'grafts'), `${second!}\n`);
    const fresh = await opened(path);
    const history = await collect(fresh.history(links.at(-1)!.commit.oid));
    expect(history.map((commit) => commit.oid)).toEqual(links.toReversed().map((link) => link.commit.oid));
    expect(history.map((commit) => Buffer.from(commit.body).toString())).toEqual(
      links.toReversed().map((link) => Buffer.from(link.commit.body).toString()),
    );
    expect(await fresh.countBetween(first!, links.at(-1)!.commit.oid)).toBe(LONG - 1);
  });

  it('does not believe a commit graph that cuts history short', async () => {
    const path = scratchRepository();
    const repository = await opened(path);
    const links = chain(LONG);
    await append(repository, links);
    git(path, ['commit-graph', 'write', '--reachable']);
    cutEveryParent(join(path, '.git', 'objects', 'info', 'commit-graph'));
    const head = links.at(-1)!.commit.oid;
    expect(git(path, ['rev-list', '--count', head])).toBe('1');
    const fresh = await opened(path);
    expect(await collect(fresh.history(head))).toHaveLength(LONG);
    expect(await fresh.isAncestor(links[0]!.commit.oid, head)).toBe(true);
  });

  it('is the one around the folder, not the one that a surrounding hook set for itself', async () => {
    const [path, other] = [scratchRepository(), scratchRepository()];
    for (const name of ['GIT_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_INDEX_FILE', 'GIT_WORK_TREE', 'GIT_COMMON_DIR']) {
      process.env[name] = join(other, '.git');
      onTestFinished(() => void delete process.env[name]);
    }
    expect((await opened(path)).stateDir).toBe(join(path, '.git', 'lazarus'));
  });
});

/** Tells git that no commit has a parent: the chunk CDAT holds, per commit, a tree and the rows of its parents. */
function cutEveryParent(graph: string): void {
  const bytes = readFileSync(graph);
  const chunks = Array.from({ length: bytes[6]! + 1 }, (_, i) => 8 + 12 * i);
  const at = chunks.findIndex((chunk) => bytes.toString('latin1', chunk, chunk + 4) === 'CDAT');
  const [from, to] = [chunks[at]!, chunks[at + 1]!].map((chunk) => Number(bytes.readBigUInt64BE(chunk + 4)));
  for (let row = from!; row < to!; row += 36) bytes.writeUInt32BE(0x70000000, row + 20);
  chmodSync(graph, 0o644);
  writeFileSync(graph, bytes);
}
