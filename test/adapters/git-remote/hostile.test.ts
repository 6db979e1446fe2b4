// A repository whose author would like to have a program run, or a token sent to him, when somebody else takes it to a
// remote; and a remote that is only a folder, prepared by him as well. Each attack is made first with plain git, to show
// that it works.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Remote } from '../../../src/ports/remote.ts';
import { openTestRemote } from '../../contract/remote.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { createBareRepository, startGitHttpServer } from '../../support/http-server.ts';
import { git, personWith, scratch, scratchRepository } from '../../support/repos.ts';
import { steps, type Step } from '../../support/transactions.ts';
import { trap, type Trap } from '../../support/trap.ts';

const X = 'refs/heads/lazarus/x';
const Y = 'refs/heads/lazarus/y';
const TOKEN = 'tok3n-that-nobody-may-see';
const SSH = 'ssh://git@forge.invalid/r.git';

type Scene = { readonly local: string; readonly bare: string; readonly trap: Trap };

/** A clone, and the folder it names as `origin`: both somebody else's. */
function scene(): Scene {
  const bare = createBareRepository(scratch('served'), 'r.git');
  const local = scratchRepository();
  git(local, ['commit', '-q', '--allow-empty', '-m', 'one']);
  git(local, ['remote', 'add', 'origin', bare]);
  git(local, ['push', '-q', 'origin', 'HEAD:refs/heads/main']);
  return { local, bare, trap: trap() };
}

/** As a person would type it, in spite of whatever comes of it: the programs of the tests fail on purpose. */
async function plain(folder: string, args: readonly string[]): Promise<void> {
  await new Promise<void>((resolve) => {
    const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' };
    const child = execFile('git', args, { cwd: folder, env }, () => resolve());
    child.stdin?.end();
  });
}

const quietly = async (done: Promise<unknown>): Promise<unknown> => done.catch((error: unknown) => error);

/** Everything that lazarus does with a remote; answers with how the first push ended. */
async function useAll(remote: Remote): Promise<unknown> {
  const [one, two] = steps(2, 'hostile') as [Step, Step];
  await quietly(remote.heads(['refs/heads/*']));
  const pushed = await quietly(
    remote.push({ objects: one.objects, updates: [{ ref: X, old: undefined, next: one.oid }] }),
  );
  await quietly(remote.fetch(['refs/heads/*'], 'refs/lazarus/remotes/origin'));
  await quietly(remote.push({ objects: two.objects, updates: [{ ref: X, old: one.oid, next: two.oid }] }));
  await quietly(remote.pushStored([{ ref: Y, old: undefined, next: two.oid }]));
  await quietly(remote.push({ objects: [], updates: [{ ref: Y, old: two.oid, next: undefined }] }));
  return pushed;
}

const config = (folder: string, ...settings: readonly (readonly [string, string])[]): void => {
  for (const [key, value] of settings) git(folder, ['config', '--add', key, value]);
};

type Attack = {
  readonly what: string;
  readonly prepare: (at: Scene) => void;
  /** What a person would type, and be attacked by. */
  readonly typed: readonly string[];
  /** Where lazarus is pointed at; the folder `origin` unless told. */
  readonly at?: string;
};

const FETCH = ['fetch', '-q', 'origin', 'main:refs/heads/typed'];
const PUSH = ['push', '-q', 'origin', 'HEAD:refs/heads/typed'];
const BY_SSH = { typed: ['ls-remote', SSH], at: SSH };

const IN_THE_CLONE: readonly Attack[] = [
  {
    what: 'core.sshCommand',
    prepare: ({ local, trap }) => config(local, ['core.sshCommand', trap.program]),
    ...BY_SSH,
  },
  {
    what: 'core.sshCommand in a file that is included under a condition',
    prepare: ({ local, trap }) => {
      writeFileSync(join(local, 'more'), `[core]\n\tsshCommand = ${trap.program}\n`);
      config(local, [`includeIf.gitdir:${local}/.path`, join(local, 'more')]);
    },
    ...BY_SSH,
  },
  {
    what: 'core.sshCommand of a single work tree',
    prepare: ({ local, trap }) => {
      config(local, ['extensions.worktreeConfig', 'true']);
      git(local, ['config', '--worktree', 'core.sshCommand', trap.program]);
    },
    ...BY_SSH,
  },
  {
    what: 'remote.*.uploadpack',
    prepare: ({ local, trap }) => config(local, ['remote.origin.uploadpack', trap.program]),
    typed: FETCH,
  },
  {
    what: 'remote.*.receivepack',
    prepare: ({ local, trap }) => config(local, ['remote.origin.receivepack', trap.program]),
    typed: PUSH,
  },
  {
    what: 'core.alternateRefsCommand',
    prepare: ({ local, trap }) => {
      writeFileSync(
        join(local, '.git', 'objects', 'info', 'alternates'),
        `${join(scratchRepository(), '.git', 'objects')}\n`,
      );
      config(local, ['core.alternateRefsCommand', trap.program]);
    },
    typed: FETCH,
  },
  {
    what: 'core.fsmonitor',
    prepare: ({ local, trap }) => config(local, ['core.fsmonitor', trap.program]),
    typed: ['status'],
  },
  {
    what: 'a pre-push hook',
    prepare: ({ local, trap }) => trap.asHook(join(local, '.git', 'hooks'), 'pre-push'),
    typed: PUSH,
  },
  {
    what: 'a reference-transaction hook',
    prepare: ({ local, trap }) => trap.asHook(join(local, '.git', 'hooks'), 'reference-transaction'),
    typed: FETCH,
  },
  {
    what: 'core.hooksPath',
    prepare: ({ local, trap }) => {
      mkdirSync(join(local, 'hooks'));
      trap.asHook(join(local, 'hooks'), 'pre-push');
      config(local, ['core.hooksPath', join(local, 'hooks')]);
    },
    typed: PUSH,
  },
];

const IN_THE_FOLDER: readonly Attack[] = [
  ...['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction'].map((hook) => ({
    what: `its ${hook} hook`,
    prepare: ({ bare, trap }: Scene) => trap.asHook(join(bare, 'hooks'), hook),
    typed: PUSH,
  })),
  {
    what: 'its core.hooksPath',
    prepare: ({ bare, trap }) => {
      mkdirSync(join(bare, 'elsewhere'));
      trap.asHook(join(bare, 'elsewhere'), 'update');
      config(bare, ['core.hooksPath', join(bare, 'elsewhere')]);
    },
    typed: PUSH,
  },
  {
    what: 'its core.alternateRefsCommand',
    prepare: ({ bare, trap }) => {
      writeFileSync(join(bare, 'objects', 'info', 'alternates'), `${join(scratchRepository(), '.git', 'objects')}\n`);
      config(bare, ['core.alternateRefsCommand', trap.program]);
    },
    typed: PUSH,
  },
  {
    what: 'its upkeep',
    prepare: ({ bare, trap }) => {
      trap.asHook(join(bare, 'hooks'), 'pre-auto-gc');
      config(bare, ['gc.auto', '1'], ['gc.autoDetach', 'false']);
      // git counts the files of one folder, and takes it for a sample of all.
      // The repository's own first objects may already lie there.
      mkdirSync(join(bare, 'objects', '17'), { recursive: true });
      for (const digit of ['a', 'b']) writeFileSync(join(bare, 'objects', '17', digit.repeat(38)), '');
    },
    typed: PUSH,
  },
];

describe('a clone and its remote that somebody prepared', () => {
  it.each([...IN_THE_CLONE, ...IN_THE_FOLDER])('do not get a program run by $what', async (attack) => {
    const { typed, prepare, at } = attack;
    const all = scene();
    prepare(all);
    await plain(all.local, typed);
    // The attack: plain git runs it.
    expect(all.trap.hasRun()).toBe(true);
    all.trap.forget();
    const remote = await openTestRemote({ cwd: all.local, where: at === undefined ? { name: 'origin' } : { url: at } });
    const pushed = await useAll(remote);
    expect(all.trap.hasRun()).toBe(false);
    // And it is not that nothing was done.
    expect(pushed).toMatchObject(at === undefined ? { is: 'landed' } : { code: 'remote_unreachable' });
    if (at === undefined)
      expect(git(all.local, ['rev-parse', `refs/lazarus/remotes/origin/${X.slice(5)}`])).toMatch(/^[0-9a-f]{40}$/);
  });

  it('get no file of a work tree written by a push, since filters would run', async () => {
    const { local, trap } = scene();
    const far = scratchRepository();
    git(far, ['commit', '-q', '--allow-empty', '-m', 'far']);
    git(far, ['checkout', '-q', '--orphan', 'lazarus/x']);
    config(far, ['receive.denyCurrentBranch', 'updateInstead'], ['filter.f.smudge', trap.program]);
    mkdirSync(join(far, '.git', 'info'), { recursive: true });
    writeFileSync(join(far, '.git', 'info', 'attributes'), '* filter=f\n');
    writeFileSync(join(local, 'file'), 'content');
    git(local, ['add', 'file']);
    git(local, ['commit', '-q', '-m', 'two']);
    await plain(local, ['push', '-q', far, 'HEAD:refs/heads/lazarus/x']);
    expect(trap.hasRun()).toBe(true);
    trap.forget();
    git(far, ['update-ref', '-d', X]);
    await useAll(await openTestRemote({ cwd: local, where: { url: far } }));
    expect(trap.hasRun()).toBe(false);
  });

  it('get nothing fetched that the folder says others will give it', async () => {
    const { local, bare, trap } = scene();
    config(
      bare,
      ['core.repositoryformatversion', '1'],
      ['extensions.partialClone', 'evil'],
      ['remote.evil.promisor', 'true'],
    );
    config(bare, ['remote.evil.url', SSH], ['core.sshCommand', trap.program]);
    git(bare, ['config', '--replace-all', 'core.repositoryformatversion', '1']);
    const absent = 'd'.repeat(40);
    await plain(bare, ['cat-file', '-e', absent]);
    expect(trap.hasRun()).toBe(true);
    trap.forget();
    writeFileSync(join(bare, 'refs', 'heads', 'gone'), `${absent}\n`);
    await useAll(await openTestRemote({ cwd: local, where: { name: 'origin' } }));
    expect(trap.hasRun()).toBe(false);
  });
});

describe('a remote that wants a credential, named by a clone that somebody prepared', () => {
  const served = async (tls?: { key: string; cert: string }) => {
    const root = scratch('served');
    const [forge, evil] = await Promise.all([
      startGitHttpServer(root, { password: TOKEN, ...(tls === undefined ? {} : { tls }) }),
      startGitHttpServer(root),
    ]);
    onTestFinished(async () => {
      await Promise.all([forge.close(), evil.close()]);
    });
    createBareRepository(root, 'r.git');
    const local = scratchRepository();
    git(local, ['remote', 'add', 'origin', forge.url('r.git')]);
    const env = { LAZARUS_TOKEN: TOKEN, LAZARUS_TOKEN_ORIGIN: forge.origin };
    return { forge, evil, local, env };
  };

  it.each(['credential.helper', 'credential.<url>.helper', 'core.askPass'])(
    'asks no program for it that %s of the repository names',
    async (key) => {
      const { forge, local } = await served();
      const { program, hasRun, forget } = trap();
      config(local, [key.replace('<url>', forge.origin), program]);
      await plain(local, ['ls-remote', 'origin']);
      expect(hasRun()).toBe(true);
      forget();
      expect(await useAll(await openTestRemote({ cwd: local, where: { name: 'origin' } }))).toMatchObject({
        code: 'authentication_needed',
      });
      expect(hasRun()).toBe(false);
    },
  );

  it.each(['http.proxy', 'http.<url>.proxy', 'remote.origin.proxy'])(
    'sends it through no proxy that %s of the repository names',
    async (key) => {
      const { forge, evil, local, env } = await served();
      config(local, [key.replace('<url>', forge.origin), evil.origin]);
      await plain(local, ['-c', `http.extraHeader=Authorization: Basic ${TOKEN}`, 'ls-remote', 'origin']);
      expect(evil.seen.some(({ authorization }) => authorization?.includes(TOKEN))).toBe(true);
      evil.seen.length = 0;
      const pushed = await useAll(await openTestRemote({ cwd: local, where: { name: 'origin' }, env }));
      expect(pushed).toEqual({ is: 'landed' });
      expect(evil.seen).toEqual([]);
    },
  );

  it.each<[string, (certificate: string) => string]>([
    ['http.sslVerify', () => 'false'],
    ['http.sslCAInfo', (certificate) => certificate],
  ])('trusts no certificate because of %s of the repository', async (key, value) => {
    const tls = selfSignedCertificate();
    const { forge, local, env } = await served(tls);
    const certificate = join(local, 'certificate');
    writeFileSync(certificate, tls.cert);
    config(local, [key, value(certificate)]);
    await plain(local, ['-c', `http.extraHeader=Authorization: Basic ${TOKEN}`, 'ls-remote', 'origin']);
    expect(forge.seen.some(({ authorization }) => authorization?.includes(TOKEN))).toBe(true);
    forge.seen.length = 0;
    const pushed = await useAll(await openTestRemote({ cwd: local, where: { name: 'origin' }, env }));
    expect(pushed).toMatchObject({ code: 'certificate_refused' });
    expect(forge.seen).toEqual([]);
  });

  it('sends it to no address that the repository puts in place of the one that was typed', async () => {
    const { forge, evil, local } = await served();
    config(local, [`url.${evil.origin}/.insteadOf`, `${forge.origin}/`]);
    await plain(local, ['-c', `http.extraHeader=Authorization: Basic ${TOKEN}`, 'ls-remote', forge.url('r.git')]);
    expect(evil.seen.some(({ authorization }) => authorization?.includes(TOKEN))).toBe(true);
    evil.seen.length = 0;
    await expect(openTestRemote({ cwd: local, where: { url: forge.url('r.git') } })).rejects.toMatchObject({
      code: 'remote_rewritten',
    });
    expect(evil.seen).toEqual([]);
  });
});

describe('what a person says in their own configuration', () => {
  it('still counts: their ssh command runs, and not the one of the repository', async () => {
    const [own, prepared] = [trap(), trap()];
    const local = scratchRepository();
    config(local, ['core.sshCommand', prepared.program]);
    const env = personWith(['core.sshCommand', own.program]);
    await useAll(await openTestRemote({ cwd: local, where: { url: SSH }, env }));
    expect(own.hasRun()).toBe(true);
    expect(prepared.hasRun()).toBe(false);
  });

  it('counts where it is said of the folder that the repository lies in', async () => {
    const own = trap();
    const local = scratchRepository();
    const { GIT_CONFIG_GLOBAL: here } = personWith(['core.sshCommand', own.program]);
    const env = personWith([`includeIf.gitdir:${local}/.path`, here], ['core.sshCommand', '/nowhere/ssh']);
    await useAll(await openTestRemote({ cwd: local, where: { url: SSH }, env }));
    expect(own.hasRun()).toBe(true);
    own.forget();
    await useAll(await openTestRemote({ cwd: scratchRepository(), where: { url: SSH }, env }));
    expect(own.hasRun()).toBe(false);
  });
});

describe('the folder in which git stands', () => {
  it('lets nothing be sent twice, and is gone afterwards', async () => {
    const temporary = scratch('temporary');
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = temporary;
    onTestFinished(() => {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    });
    const bare = createBareRepository(scratch('served'), 'r.git');
    const [writer, reader] = [scratchRepository(), scratchRepository()];
    const all = steps(20, 'stands');
    const far = await openTestRemote({ cwd: writer, where: { url: bare } });
    const near = await openTestRemote({ cwd: reader, where: { url: bare } });
    const send = async (sent: readonly Step[], old: Step | undefined): Promise<void> => {
      const objects = sent.flatMap((step) => step.objects);
      await far.push({ objects, updates: [{ ref: X, old: old?.oid, next: sent.at(-1)!.oid }] });
    };
    const stored = (): number => Number(/^count: (\d+)$/m.exec(git(reader, ['count-objects', '-v']))?.[1]);
    await send(all.slice(0, 19), undefined);
    await near.fetch([X], 'refs/lazarus/remotes/origin');
    const first = stored();
    await send(all.slice(19), all[18]);
    await near.fetch([X], 'refs/lazarus/remotes/origin');
    expect(stored() - first).toBe(all[19]!.objects.length);
    expect(readdirSync(temporary).filter((name) => name.startsWith('lazarus-git-'))).toHaveLength(2);
    await far.close();
    await near.close();
    expect(readdirSync(temporary).filter((name) => name.startsWith('lazarus-git-'))).toEqual([]);
  });
});
