// `lazarus ledger append --cold` as a person or a job without a checkout types it.
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { lazarus, type Ran } from '../../support/cli.ts';
import { startGitHttpServer } from '../../support/http-server.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

const NOTE = JSON.stringify({ bytes: 1, digest: `sha256:${'5a'.repeat(32)}`, media_type: 'text/plain' });

/** A mission behind a server, and an empty folder far from it whose owner holds the key. */
async function job() {
  const home = scratchRepository();
  for (const args of [
    ['keys', 'new', 'ana', '--unprotected'],
    ['ledger', 'init'],
    ['ledger', 'init', '--mission'],
  ])
    expect(await lazarus(args, { cwd: home })).toMatchObject({ code: 0 });
  const name = git(home, ['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/heads/lazarus/m-*']);
  for (const key of ['http.receivepack', 'uploadpack.allowFilter', 'uploadpack.allowAnySHA1InWant'])
    git(home, ['config', key, 'true']);
  const server = await startGitHttpServer(dirname(home), { password: 'sesame' });
  onTestFinished(server.close);
  const cwd = scratch('elsewhere');
  const temporary = scratch('tmp');
  const token = { LAZARUS_TOKEN: 'sesame', LAZARUS_TOKEN_ORIGIN: server.origin };
  const env = { HOME: home, XDG_STATE_HOME: cwd, TMPDIR: temporary, ...token };
  const url = server.url(`${basename(home)}/.git`);
  const append = (...args: string[]): Promise<Ran> =>
    lazarus(['ledger', 'append', ...args, '--cold', url], { cwd, env });
  return { home, name, cwd, temporary, append };
}

describe('ledger append --cold', () => {
  it('appends from a folder that is no repository, says when it has to verify everything, and leaves only pins', async () => {
    const { home, name, cwd, temporary, append } = await job();
    const first = await append(name, 'note.recorded', '--payload', NOTE);
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('appended 1 event from index 1') as string,
    });
    expect(first.stderr).toContain('fetching and verifying the whole ledger');
    const second = await append(name, 'note.recorded', '--payload', NOTE, '--json');
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(second.stdout)).toMatchObject({ events: 1, head: { size: 3 }, transactions: [{ from: 2 }] });
    expect(await lazarus(['verify', name], { cwd: home })).toMatchObject({ code: 0 });
    const [remote] = readdirSync(join(cwd, 'lazarus', 'remotes'));
    expect(remote).toMatch(/^[0-9a-f]{16}$/);
    expect(existsSync(join(cwd, 'lazarus', 'remotes', remote!, 'pins', `${name}.json`))).toBe(true);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('refuses as the ledger would, with its exit code, and leaves nothing behind either', async () => {
    const { name, temporary, append } = await job();
    const ran = await append(name, 'note.recorded', '--payload', NOTE, '--expect-size', '7');
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(ran.stderr).toContain('head_moved:');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.each([
    ['the beginning of a name', (name: string) => [name.slice(0, 6)]],
    ['a second remote', (name: string) => [name, '--remote', 'origin']],
  ])('does not take %s', async (_, args) => {
    const { name, append } = await job();
    const [ledger, ...more] = args(name);
    expect(await append(ledger!, 'note.recorded', '--payload', NOTE, ...more)).toMatchObject({ code: 2 });
  });
});
