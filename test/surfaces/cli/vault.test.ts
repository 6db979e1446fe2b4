// The vault on the command line: values go in by standard input or a prompt, and come out nowhere.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lazarus, type Ran } from '../../support/cli.ts';
import { git, scratch, scratchRepository } from '../../support/repos.ts';

const KEY = 'sk-canary-0123456789';

function person(cwd = scratch('where')) {
  const home = scratch('home');
  const run = (args: readonly string[], input?: string): Promise<Ran> =>
    lazarus(args, { cwd, env: { HOME: home }, ...(input === undefined ? {} : { input }) });
  return { home, cwd, run, vault: join(home, '.local/share/lazarus/vault') };
}

function silent({ stdout, stderr }: Ran): void {
  expect(stdout + stderr).not.toContain('canary');
}

describe('a key in the vault', () => {
  it('is taken from standard input, listed, replaced and removed, and printed by nothing', async () => {
    const { run, vault } = person();
    const given = await run(['vault', 'set', 'openai', '--from-stdin'], `${KEY}\n`);
    expect(given.code, given.stderr).toBe(0);
    expect(given.stdout).toBe(`vault:openai  for this machine\n  kept in  ${vault}\n`);
    const again = await run(['vault', 'set', 'openai', '--from-stdin'], `${KEY}\n`);
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('lazarus vault rotate')]);
    const before = readFileSync(join(vault, 'openai.asc'), 'utf8');
    expect((await run(['vault', 'rotate', 'openai', '--from-stdin'], 'sk-canary-new-0123456789')).code).toBe(0);
    expect(readFileSync(join(vault, 'openai.asc'), 'utf8')).not.toBe(before);
    const listed = await run(['vault', 'refs']);
    expect(listed.stdout).toBe('openai  this machine  set today  used by no route here\n');
    const json = await run(['vault', 'refs', '--json']);
    expect(JSON.parse(json.stdout)).toMatchObject({ keys: [{ name: 'openai', readers: [], routes: [] }], missing: [] });
    for (const ran of [given, again, listed, json]) silent(ran);
    expect((await run(['vault', 'remove', 'openai'])).code).not.toBe(0);
    expect((await run(['vault', 'remove', 'openai', '--yes'])).code).toBe(0);
    expect((await run(['vault', 'refs'])).stdout).toBe(`no keys in ${vault}\n`);
    expect((await run(['vault', 'rotate', 'openai', '--from-stdin'], KEY)).stderr).toContain('secret_missing');
  });

  it('is no word of the command, and is not repeated when somebody types it there', async () => {
    const { run } = person();
    const typed = await run(['vault', 'set', 'openai', KEY]);
    expect(typed.code).toBe(2);
    silent(typed);
    const alone = await run(['vault', 'set', 'openai']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--from-stdin')]);
  });

  it.each([
    ['nothing', '', 'secret_unusable'],
    ['a login', JSON.stringify({ refresh_token: 'canary' }), 'login_not_a_key'],
    ['a login over many lines', '{\n  "tokens": {"refresh_token": "canary"}}', 'login_not_a_key'],
    ['the token of a subscription', 'sk-ant-oat01-canary-canary-canary', 'login_not_a_key'],
    ['something without end', 'canary'.repeat(1000), 'secret_unusable'],
  ])('is refused where it is none: %s', async (_, input, code) => {
    const { run, vault } = person();
    const ran = await run(['vault', 'set', 'openai', '--from-stdin'], input);
    expect(ran.stderr).toContain(code);
    silent(ran);
    expect((await run(['vault', 'refs'])).stdout).toBe(`no keys in ${vault}\n`);
  });

  it('can be read by people of the roster who have a key to encrypt to, and by no others', async () => {
    const { run } = person(scratchRepository());
    expect((await run(['keys', 'new', 'ana', '--unprotected'])).code).toBe(0);
    expect((await run(['ledger', 'init'])).code).toBe(0);
    const early = await run(['vault', 'set', 'openai', '--for', 'ana', '--from-stdin'], KEY);
    expect(early.stderr).toContain('reader_unknown');
    const { fingerprint } = JSON.parse((await run(['keys', 'encrypt-to', 'ana', '--json'])).stdout);
    expect((await run(['keys', 'export', 'ana', '-o', 'ana.asc'])).code).toBe(0);
    expect((await run(['roster', 'set', 'ana', '--encrypt-to', 'ana.asc', '--yes'])).code).toBe(0);
    const given = await run(['vault', 'set', 'openai', '--for', 'ana', '--from-stdin'], KEY);
    expect(given.code, given.stderr).toBe(0);
    expect((await run(['vault', 'rotate', 'openai', '--from-stdin'], `${KEY}-new`)).code).toBe(0);
    expect(JSON.parse((await run(['vault', 'refs', '--json'])).stdout)).toMatchObject({
      keys: [{ name: 'openai', readers: [{ principal: 'ana', fingerprint }] }],
    });
    expect((await run(['vault', 'set', 'other', '--for', 'ben', '--from-stdin'], KEY)).stderr).toContain(
      'reader_unknown',
    );
  });

  it('is listed with the routes of the policy here, and so is one that they miss', async () => {
    const { run, cwd } = person(scratchRepository());
    mkdirSync(join(cwd, '.gitea/lazarus'), { recursive: true });
    writeFileSync(join(cwd, '.gitea/lazarus/policy.yml'), POLICY);
    git(cwd, ['add', '.']);
    expect((await run(['vault', 'set', 'openai', '--from-stdin'], KEY)).code).toBe(0);
    const { stdout } = await run(['vault', 'refs']);
    expect(stdout).toContain('openai  this machine  set today  used by routes/codex, routes/other');
    expect(stdout).toContain('vault:anthropic is not there, used by routes/claude: lazarus vault set anthropic');
  });
});

const route = (name: string, key: string): string =>
  `  ${name}: { origin: https://api.example.com, key: "${key}", allow: [POST /v1/responses] }`;
const POLICY = [
  readFileSync(new URL('../../../templates/policy.yml', import.meta.url), 'utf8').trimEnd(),
  'routes:',
  route('codex', 'vault:openai'),
  route('other', 'vault:openai'),
  route('claude', 'vault:anthropic'),
  route('plain', 'env:SOME_KEY'),
  '',
].join('\n');
