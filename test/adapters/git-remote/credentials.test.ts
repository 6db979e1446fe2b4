// Where credentials come from, in which order, and that nobody but the remote ever sees one.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Remote } from '../../../src/ports/remote.ts';
import { openTestRemote } from '../../contract/remote.ts';
import { createBareRepository, startGitHttpServer, type GitHttpServer } from '../../support/http-server.ts';
import { git, personWith, scratch, scratchRepository } from '../../support/repos.ts';
import { nextStep } from '../../support/transactions.ts';

const X = 'refs/heads/lazarus/x';
const TOKEN = 'tok3n-that-nobody-may-see';
const WRONG = 'wr0ng-that-nobody-may-see';

describe('a remote that wants a credential', () => {
  let server: GitHttpServer;
  let local: string;
  let home: string;

  beforeEach(async () => {
    const root = scratch('served');
    server = await startGitHttpServer(root, { password: TOKEN });
    onTestFinished(server.close);
    createBareRepository(root, 'r.git');
    local = scratchRepository();
    home = scratch('home');
  });

  const open = async (env: Record<string, string> = {}, url = server.url('r.git')): Promise<Remote> =>
    openTestRemote({ cwd: local, where: { url }, env: { HOME: home, ...env } });

  const token = (password: string): Record<string, string> => ({
    LAZARUS_TOKEN: password,
    LAZARUS_TOKEN_ORIGIN: server.origin,
  });

  const pushNext = async (remote: Remote): ReturnType<Remote['push']> => {
    const step = nextStep(undefined, 'credential');
    return remote.push({ objects: step.objects, updates: [{ ref: X, old: undefined, next: step.oid }] });
  };

  async function expectWelcome(remote: Remote): Promise<void> {
    expect(await remote.heads([X])).toEqual(new Map());
    expect(await pushNext(remote)).toEqual({ is: 'landed' });
    await remote.fetch([X], 'refs/lazarus/remotes/origin');
  }

  const basic = (user: string, password: string): string =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  /** A credential helper that knows one password and keeps a diary. */
  function installHelper(password: string): () => string {
    const helper = join(home, 'helper');
    const diary = join(home, 'diary');
    writeFileSync(diary, '');
    writeFileSync(
      helper,
      `#!/bin/sh\n{ echo "$1:"; cat; } >> '${diary}'\n[ "$1" = get ] && printf 'username=ana\\npassword=${password}\\n'\nexit 0\n`,
    );
    chmodSync(helper, 0o755);
    writeFileSync(join(home, '.gitconfig'), `[credential]\n\thelper = ${helper}\n`);
    return () => readFileSync(diary, 'utf8');
  }

  const netrc = (password: string): string => {
    const path = join(home, 'netrc');
    writeFileSync(path, `machine 127.0.0.1 login bo password ${password}\n`, { mode: 0o600 });
    return path;
  };

  it('takes LAZARUS_TOKEN, with LAZARUS_USER beside it, and sends it without being asked first', async () => {
    await expectWelcome(await open(token(TOKEN)));
    expect(new Set(server.seen.map((seen) => seen.authorization))).toEqual(new Set([basic('lazarus', TOKEN)]));
    await (await open({ ...token(TOKEN), LAZARUS_USER: 'ci' })).heads([X]);
    expect(server.seen.at(-1)?.authorization).toBe(basic('ci', TOKEN));
  });

  it('sends LAZARUS_TOKEN to no server but the one it is for, whatever remote somebody else made it look at', async () => {
    const diary = installHelper(TOKEN);
    const env = { GIT_CONFIG_GLOBAL: join(home, '.gitconfig'), LAZARUS_TOKEN: WRONG };
    const port = Number(new URL(server.origin).port);
    for (const origin of ['https://forge.invalid', `https://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`]) {
      await (await open({ ...env, LAZARUS_TOKEN_ORIGIN: origin })).heads([X]);
    }
    expect(server.seen.map((seen) => seen.authorization)).not.toContain(basic('lazarus', WRONG));
    expect(diary()).toContain('store:');
  });

  it.each([
    ['is not set', undefined],
    ['is empty', ''],
    ['is a bare name', 'forge.invalid'],
    ['has a path, as if it named one repository', 'https://forge.invalid/team'],
    ['has a login', 'https://ana@forge.invalid'],
    ['is no web address', 'ssh://forge.invalid'],
  ])('refuses to use LAZARUS_TOKEN at all while LAZARUS_TOKEN_ORIGIN %s', async (_, origin) => {
    const env = { LAZARUS_TOKEN: TOKEN, ...(origin === undefined ? {} : { LAZARUS_TOKEN_ORIGIN: origin }) };
    await expect(open(env)).rejects.toMatchObject({ code: 'token_origin_needed' });
    expect(server.seen).toEqual([]);
  });

  it('asks the credential helper, and tells it what became of the answer', async () => {
    const diary = installHelper(TOKEN);
    await expectWelcome(await open({ GIT_CONFIG_GLOBAL: join(home, '.gitconfig') }));
    expect(diary()).toMatch(/^get:\n(?:.*\n)*store:\n/);
    expect(diary()).not.toContain('erase:');
    expect(diary()).toContain(`host=${new URL(server.origin).host}`);
  });

  it('has the helper forget a password that does not fit, and goes on to .netrc', async () => {
    const diary = installHelper(WRONG);
    await expectWelcome(await open({ GIT_CONFIG_GLOBAL: join(home, '.gitconfig'), NETRC: netrc(TOKEN) }));
    expect(diary()).toMatch(/erase:\n(?:.*\n)*password=wr0ng/);
    expect(diary()).not.toContain('store:');
    expect(server.seen.at(-1)?.authorization).toBe(basic('bo', TOKEN));
  });

  it('prefers the environment to the helper, and falls back from it', async () => {
    const diary = installHelper(TOKEN);
    const env = { GIT_CONFIG_GLOBAL: join(home, '.gitconfig') };
    await (await open({ ...env, ...token(TOKEN) })).heads([X]);
    expect(diary()).toBe('');
    await expectWelcome(await open({ ...env, ...token(WRONG) }));
    expect(diary()).toContain('store:');
  });

  it('asks once for two calls that are refused at the same time', async () => {
    const diary = installHelper(TOKEN);
    const remote = await open({ GIT_CONFIG_GLOBAL: join(home, '.gitconfig') });
    await Promise.all([remote.heads([X]), remote.heads([X]), pushNext(remote)]);
    expect(diary().match(/^get:/gm)).toHaveLength(1);
  });

  it('uses the login in a URL and shows it to nobody', async () => {
    const url = server.url('r.git').replace('//', `//ana:${TOKEN}@`);
    const remote = await open({}, url);
    await expectWelcome(remote);
    expect(remote.displayUrl).toBe(server.url('r.git'));
  });

  it('uses a header of the person’s own configuration, and replaces it when a token is given', async () => {
    const key = `http.${server.origin}/.extraheader`;
    await expectWelcome(await open(personWith([key, `AUTHORIZATION: ${basic('ana', TOKEN)}`])));
    const remote = await open({ ...personWith([key, `AUTHORIZATION: ${basic('ana', WRONG)}`]), ...token(TOKEN) });
    await remote.heads([X]);
    expect(server.seen.at(-1)?.authorization).toBe(basic('lazarus', TOKEN));
  });

  it('does not send a header that lies in the repository, whoever put it there', async () => {
    git(local, ['config', `http.${server.origin}/.extraheader`, `AUTHORIZATION: ${basic('ci', TOKEN)}`]);
    await expect((await open()).heads([X])).rejects.toMatchObject({ code: 'authentication_needed' });
    expect(new Set(server.seen.map((seen) => seen.authorization))).toEqual(new Set([undefined]));
  });

  it.each([
    ['a wrong token', async () => open(token(WRONG))],
    ['a wrong login in the URL', async () => open({}, server.url('r.git').replace('//', `//ana:${WRONG}@`))],
    ['a wrong .netrc', async () => open({ NETRC: netrc(WRONG) })],
    ['none at all', async () => open()],
  ])('says that it wants one when there is %s, and shows no credential', async (_case, opened) => {
    const remote = await opened();
    const attempts = [() => remote.heads([X]), () => remote.fetch([X], 'refs/lazarus/o'), () => pushNext(remote)];
    for (const attempt of attempts) {
      const error = await attempt().catch((problem: unknown) => problem);
      expect(error).toMatchObject({ code: 'authentication_needed' });
      expect(everythingIn(error)).not.toMatch(/nobody-may-see|bm9ib2R5/);
    }
  });

  it('shows a credential in no argument of any process while it is in use', async () => {
    const seenArguments: string[] = [];
    server.faults(() => {
      seenArguments.push(argumentsOfAllProcesses());
      return undefined;
    });
    const remote = await open(token(TOKEN));
    await expectWelcome(remote);
    // Proof that the look was taken at the right moment.
    expect(seenArguments.join('\n')).toContain(server.url('r.git'));
    expect(seenArguments.join('\n')).not.toContain(TOKEN);
    expect(seenArguments.join('\n')).not.toContain(Buffer.from(`lazarus:${TOKEN}`).toString('base64'));
  });
});

describe('a remote over plain http elsewhere', () => {
  const url = 'http://forge.invalid/r.git';
  const change = { objects: [], updates: [{ ref: X, old: 'a'.repeat(40), next: undefined }] };

  it.each([
    ['a token', async () => ({ LAZARUS_TOKEN: TOKEN, LAZARUS_TOKEN_ORIGIN: 'http://forge.invalid' }), url],
    ['a login in the URL', async () => ({}), `http://ana:${TOKEN}@forge.invalid/r.git`],
    ['a .netrc entry, which git would send by itself', async () => netrcHome(), url],
  ])('is not even called when there is %s that it could overhear', async (_case, env, at) => {
    const remote = await openTestRemote({ cwd: scratchRepository(), where: { url: at }, env: await env() });
    await expect(remote.heads([X])).rejects.toMatchObject({ code: 'insecure_transport' });
    await expect(remote.push(change)).rejects.toMatchObject({ code: 'insecure_transport' });
    await expect(remote.fetch([X], 'refs/lazarus/o')).rejects.toMatchObject({ code: 'insecure_transport' });
  });

  function netrcHome(): Record<string, string> {
    const home = scratch('home');
    writeFileSync(join(home, '.netrc'), `machine forge.invalid login ana password ${TOKEN}\n`, { mode: 0o600 });
    return { HOME: home };
  }
});

/** A process may end between being listed and being read. */
function argumentsOfAllProcesses(): string {
  if (!existsSync('/proc/self/cmdline')) return execFileSync('ps', ['-axww', '-o', 'args='], { encoding: 'utf8' });
  const read = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(read)
    .join('\n');
}

/** The message, the stack, the facts and every cause: whatever a log could print. */
function everythingIn(error: unknown): string {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? '';
  return [error.message, error.stack, JSON.stringify(error), everythingIn(error.cause)].join('\n');
}
