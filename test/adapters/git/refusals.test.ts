// Repositories and gits that lazarus cannot use: each is refused by name before anything else happens.
import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { gitObject } from '../../../src/format/git/object.ts';
import { collect } from '../../contract/repository.ts';
import { blob, chain, hashes } from '../../support/objects.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

const REAL_PATH = process.env['PATH'] ?? '';

afterEach(() => {
  process.env['PATH'] = REAL_PATH;
});

/** Puts a program called git before the real one, which it may call as "$REAL". */
function shadowGit(script: string): void {
  const folder = scratch('shadow');
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nPATH='${REAL_PATH}'\n${script}\n`);
  chmodSync(join(folder, 'git'), 0o755);
  process.env['PATH'] = folder;
}

describe('openRepository refuses', () => {
  it('a folder outside any repository, and one that is not there', async () => {
    await expect(openRepository(scratch())).rejects.toMatchObject({ code: 'not_a_repository' });
    await expect(openRepository(join(scratch(), 'gone'))).rejects.toMatchObject({ code: 'not_a_repository' });
  });

  it('to work without git', async () => {
    const path = scratchRepository();
    process.env['PATH'] = scratch('empty');
    await expect(openRepository(path)).rejects.toMatchObject({ code: 'git_missing' });
  });

  it.each(['2.31.9', '1.99.0'])('git %s, which is too old', async (version) => {
    const path = scratchRepository();
    shadowGit(`case "$*" in *rev-parse*) exit 129;; esac; echo "git version ${version} (Some Vendor)"`);
    await expect(openRepository(path)).rejects.toMatchObject({
      code: 'git_missing',
      facts: { found: `git version ${version} (Some Vendor)`, needed: '2.32' },
    });
  });

  it.each(['2.32.0', '2.100.1', '3.0.0'])('not git %s', async (version) => {
    const path = scratchRepository();
    shadowGit(`case "$*" in *" version") echo "git version ${version}";; *) exec git "$@";; esac`);
    const repository = await openRepository(path);
    await repository.close();
  });

  it('a SHA-256 repository', async () => {
    const path = scratchRepository('--object-format=sha256');
    await expect(openRepository(path)).rejects.toMatchObject({ code: 'sha256_repository' });
  });

  it('a reference backend that this git cannot read', async () => {
    const path = scratchRepository();
    git(path, ['config', 'core.repositoryformatversion', '1']);
    git(path, ['config', 'extensions.refStorage', 'unheard-of']);
    // Gits that know several backends name the value, older ones the extension.
    await expect(openRepository(path)).rejects.toMatchObject({ code: 'ref_backend_unreadable' });
  });

  it('a repository of another user, as git does', async () => {
    const path = scratchRepository();
    shadowGit('GIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec git "$@"');
    await expect(openRepository(path)).rejects.toMatchObject({ code: 'repository_not_trusted' });
  });
});

describe('assertComplete', () => {
  it('accepts a whole clone', async () => {
    const repository = await openRepository(scratchRepository());
    await expect(repository.assertComplete()).resolves.toBeUndefined();
    await repository.close();
  });

  it('refuses a shallow clone', async () => {
    const { path, clone } = await origin();
    git(path, ['clone', '-q', '--depth=1', '-b', 'lazarus/main', `file://${path}`, clone]);
    const repository = await openRepository(clone);
    await expect(repository.assertComplete()).rejects.toMatchObject({ code: 'shallow_repository' });
    await repository.close();
  });

  it.each([true, false])('refuses a partial clone (its configuration kept: %s)', async (isConfigured) => {
    const { path, clone } = await origin();
    git(path, ['config', 'uploadpack.allowFilter', 'true']);
    git(path, ['clone', '-q', '--no-checkout', '--filter=blob:none', '-b', 'lazarus/main', `file://${path}`, clone]);
    if (!isConfigured) git(clone, ['config', '--remove-section', 'remote.origin']);
    const repository = await openRepository(clone);
    await expect(repository.assertComplete()).rejects.toMatchObject({ code: 'partial_clone' });
    await repository.close();
  });

  async function origin(): Promise<{ path: string; clone: string }> {
    const path = scratchRepository();
    const repository = await openRepository(path);
    const links = chain(3);
    const objects = links.flatMap((link) => link.objects);
    const next = links[2]!.commit.oid;
    await repository.commit({ objects, updates: [{ ref: 'refs/heads/lazarus/main', old: undefined, next }] });
    await repository.close();
    return { path, clone: join(scratch(), 'clone') };
  }
});

describe('a branch in the way of a ledger', () => {
  it.each([
    ['where its folder should be', 'refs/heads/lazarus'],
    ['below its name', 'refs/heads/lazarus/project/mine'],
  ])('%s is named, and nothing is moved', async (_, name) => {
    const path = scratchRepository();
    const [{ objects, commit }] = chain(1) as [ReturnType<typeof chain>[number]];
    const next = commit.oid;
    const repository = await openRepository(path);
    await repository.commit({ objects, updates: [{ ref: name, old: undefined, next }] });
    const updates = [{ ref: 'refs/heads/lazarus/project', old: undefined, next }];
    for (const packed of [false, true]) {
      if (packed) git(path, ['pack-refs', '--all']);
      await expect(repository.commit({ objects: [], updates })).rejects.toMatchObject({
        code: 'reference_in_the_way',
        facts: { reference: name },
      });
    }
    expect(git(path, ['for-each-ref', '--format=%(refname)'])).toBe(name);
    await repository.close();
  });
});

describe('a damaged repository', () => {
  it.each([
    ['object_missing', 'whose file is not even an object', () => Buffer.from('not zlib')],
    ['object_corrupt', 'whose file ends too early', (whole: Buffer) => whole.subarray(0, -200)],
  ] as const)('gives %s for an object %s, and goes on with others', async (code, _, damage) => {
    const path = scratchRepository();
    const [good, bad] = [blob('good\n'), gitObject(hashes, 'blob', randomBytes(1000))];
    for (const object of [good, bad]) git(path, ['hash-object', '-w', '--stdin'], object.body);
    const file = join(path, '.git', 'objects', bad.oid.slice(0, 2), bad.oid.slice(2));
    chmodSync(file, 0o644);
    writeFileSync(file, damage(readFileSync(file)));
    const repository = await openRepository(path);
    await expect(collect(repository.read([bad.oid]))).rejects.toMatchObject({ code });
    await expect(collect(repository.read(Array<string>(200).fill(bad.oid)))).rejects.toMatchObject({ code });
    expect(await collect(repository.read([good.oid]))).toHaveLength(1);
    await repository.close();
  });

  it('refuses an object that would fill the memory, before it is read', async () => {
    const path = scratchRepository();
    const bytes = 64 * 1024 * 1024 + 1;
    const huge = git(path, ['hash-object', '-w', '--stdin'], new Uint8Array(bytes));
    const repository = await openRepository(path);
    const refusal = { code: 'object_too_large', facts: { oid: huge, bytes } };
    await expect(collect(repository.read([huge]))).rejects.toMatchObject(refusal);
    const few = git(path, ['hash-object', '-w', '--stdin'], 'few');
    expect(await collect(repository.read([few]))).toHaveLength(1);
    await repository.close();
  });

  it('names an object of a kind that no ledger has', async () => {
    const path = scratchRepository();
    const repository = await openRepository(path);
    const tag = git(path, ['mktag'], tagOf(git(path, ['hash-object', '-w', '--stdin'], 'x')));
    await expect(collect(repository.read([tag]))).rejects.toMatchObject({
      code: 'object_corrupt',
      facts: { type: 'tag' },
    });
    await repository.close();
  });
});

function tagOf(oid: string): string {
  return `object ${oid}\ntype blob\ntag t\ntagger t <t@example.invalid> 1700000000 +0000\n\nt\n`;
}
