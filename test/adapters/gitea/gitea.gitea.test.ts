// What only the real server can show: scopes, rules that it keeps only in part, keys with awkward ids, secrets that arrive.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGitea } from '../../../src/adapters/gitea/server.ts';
import { utf8 } from '../../../src/format/bytes.ts';
import { armor } from '../../../src/format/openpgp/armor.ts';
import type { BranchRule, Forge } from '../../../src/ports/forge.ts';
import { startRunner } from '../../support/gitea/runner.ts';
import { startGitea, type Gitea } from '../../support/gitea/server.ts';
import { KEYS_MADE_AT_SECONDS, testKey } from '../../support/people.ts';

type User = Awaited<ReturnType<Gitea['createUser']>>;

const RULE: BranchRule = {
  pattern: 'lazarus/**',
  pushers: [],
  mergers: 'writers',
  requiresSignatures: true,
  protectedFiles: ['.gitea/**'],
  unprotectedFiles: ['**'],
};

describe('the adapter on a real Gitea', () => {
  let gitea: Gitea;
  let ana: User;
  let ben: User;
  let forge: Forge;
  beforeAll(async () => {
    gitea = await startGitea();
    ana = await gitea.createUser('ana');
    ben = await gitea.createUser('ben');
    forge = createGitea({ url: gitea.url, token: ana.token });
  });
  afterAll(async () => gitea?.stop());

  async function repository(name: string) {
    await gitea.createRepository(ana, name);
    return forge.repository({ owner: 'ana', name });
  }

  it('recognises the server', async () => {
    expect(await forge.probe()).toEqual({ software: 'gitea', version: '1.27.3' });
  });

  it('tells who a narrow token belongs to, and which scope it lacks', async () => {
    await repository('scopes');
    const token = await gitea.createToken(ana, ['write:repository']);
    const narrow = createGitea({ url: gitea.url, token });
    expect(await narrow.whoami()).toEqual({ id: ana.id, login: 'ana' });
    const asking = narrow.repository({ owner: 'ana', name: 'scopes' }).createComment(1, 'x');
    await expect(asking).rejects.toMatchObject({ code: 'forge_scope_missing', facts: { scope: 'write:issue' } });
  });

  it('refuses a token that does not count, and acts for nobody without one', async () => {
    const wrong = createGitea({ url: gitea.url, token: '0'.repeat(40) });
    await expect(wrong.whoami()).rejects.toMatchObject({ code: 'authentication_needed' });
    const nobody = createGitea({ url: gitea.url, token: undefined });
    await expect(nobody.whoami()).rejects.toMatchObject({ code: 'authentication_needed' });
  });

  it('notices a pusher that the server drops because the account may not write', async () => {
    const target = await repository('dropped');
    const asking = target.ensureRule({ ...RULE, pushers: ['ben'] });
    await expect(asking).rejects.toMatchObject({
      code: 'forge_rule_dropped',
      facts: { differs: ['push_whitelist_usernames is [], expected [ben]'] },
    });
  });

  it('keeps a pusher who may write', async () => {
    const target = await repository('kept');
    await gitea.as(ana)('PUT', '/repos/ana/kept/collaborators/ben', { permission: 'write' });
    expect(await target.ensureRule({ ...RULE, pushers: ['BEN'] })).toBe('created');
    expect(await target.rules()).toEqual([{ ...RULE, pushers: ['ben'] }]);
  });

  it('names everybody who may write, and nobody who may only read', async () => {
    const target = await repository('writers');
    const share = (login: string, permission: string) =>
      gitea.as(ana)('PUT', `/repos/ana/writers/collaborators/${login}`, { permission });
    await gitea.createUser('rea');
    await gitea.createUser('adi');
    await share('ben', 'write');
    await share('rea', 'read');
    await share('adi', 'admin');
    expect(await target.writers()).toEqual(['adi', 'ana', 'ben']);
  });

  it('reports a rule of the same name that allows more, field by field, and leaves it', async () => {
    const target = await repository('differs');
    const loose = {
      rule_name: 'lazarus/**',
      enable_push: true,
      enable_force_push: true,
      push_whitelist_deploy_keys: true,
    };
    await gitea.as(ana)('POST', '/repos/ana/differs/branch_protections', loose);
    const failure = await target.ensureRule(RULE).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'forge_rule_differs' });
    expect((failure as { facts: { differs: string[] } }).facts.differs).toEqual(
      expect.arrayContaining([
        'enable_force_push is true, expected false',
        'require_signed_commits is false, expected true',
      ]),
    );
  });

  it('tells what people asked for in the settings of a rule that no rule of ours does', async () => {
    const target = await repository('asked');
    await target.ensureRule(RULE);
    expect(await target.changesOfRule(RULE)).toEqual([]);
    const asked = { required_approvals: 2, enable_status_check: true, status_check_contexts: ['ci/test'] };
    await gitea.as(ana)('PATCH', '/repos/ana/asked/branch_protections/lazarus%2F**', asked);
    expect(await target.ensureRule(RULE)).toBe('present');
    expect((await target.changesOfRule(RULE))?.toSorted()).toEqual([
      'enable_status_check is true',
      'required_approvals is 2',
      'status_check_contexts is ["ci/test"]',
    ]);
  });

  it('puts its rule before a looser one that matches the same branches', async () => {
    const target = await repository('order');
    const api = gitea.as(ana);
    await api('POST', '/repos/ana/order/branch_protections', { rule_name: '**', enable_push: true, priority: 1 });
    await api('POST', '/repos/ana/order/branches', { new_branch_name: 'lazarus/project', old_ref_name: 'main' });
    await target.ensureRule(RULE);
    const { effective_branch_protection_name: name } = await api('GET', '/repos/ana/order/branches/lazarus%2Fproject');
    expect(name).toBe('lazarus/**');
  });

  it('refuses to call a rule present that a looser one overrides', async () => {
    const target = await repository('shadowed');
    await target.ensureRule(RULE);
    const loose = { rule_name: 'lazarus/p*', enable_push: true, enable_force_push: true, priority: -5 };
    await gitea.as(ana)('POST', '/repos/ana/shadowed/branch_protections', loose);
    await expect(target.ensureRule(RULE)).rejects.toMatchObject({
      code: 'forge_rule_differs',
      facts: { differs: ['the rule lazarus/p* comes first'] },
    });
  });

  it('registers a key whose id begins with a zero', async () => {
    let word = 0;
    while (!/^0.{15}$/.test(testKey('zero', `zero ${word}`).fingerprint.slice(-16))) word++;
    const key = testKey('zero', `zero ${word}`);
    const registered = await forge.registerPublicKey({
      armored: armor('PUBLIC KEY BLOCK', key.publicKey),
      fingerprint: key.fingerprint,
      sign: async (challenge) => armor('SIGNATURE', await key.sign(challenge, KEYS_MADE_AT_SECONDS)),
    });
    expect(registered).toBe('registered');
  });

  it('does not follow a symbolic link where a file is expected', async () => {
    const target = await repository('links');
    const clone = mkdtempSync(join(tmpdir(), 'lazarus-links-'));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', ...args], {
        cwd: clone,
        stdio: 'pipe',
      });
    git('clone', '-q', gitea.url.replace('//', `//ana:${ana.token}@`) + '/ana/links.git', '.');
    symlinkSync('README.md', join(clone, 'policy.yml'));
    git('add', '.');
    git('commit', '-qm', 'link');
    git('push', '-q');
    rmSync(clone, { recursive: true });
    await expect(target.readFile('policy.yml')).rejects.toMatchObject({ code: 'forge_answer_unexpected' });
    await expect(target.readFile('README.md')).resolves.toBeDefined();
  });

  it('does not take the pull request of a fork for ours, though its branch has the same name', async () => {
    const target = await repository('forked');
    await gitea.as(ben)('POST', '/repos/ana/forked/forks', {});
    const theirs = createGitea({ url: gitea.url, token: ben.token }).repository({ owner: 'ben', name: 'forked' });
    await theirs.commitFiles({
      branch: 'work',
      from: 'main',
      message: 'x',
      files: [{ path: 'x', content: utf8('x') }],
    });
    await gitea.as(ben)('POST', '/repos/ana/forked/pulls', { title: 't', head: 'ben:work', base: 'main' });
    expect(await target.findPullRequest('work', 'main')).toBeUndefined();
  });

  it('hands a secret to the jobs of the repository', async () => {
    const runner = await startRunner(gitea);
    try {
      const target = await repository('secrets');
      const value = 'line one\nline "two"\n';
      await target.setSecret('LAZARUS_PROBE', async () => value);
      await target.commitFiles({
        branch: 'main',
        message: 'workflow',
        files: [{ path: '.gitea/workflows/probe.yaml', content: utf8(SECRET_WORKFLOW) }],
      });
      const log = await logOfFirstJob(gitea, ana, 'ana/secrets');
      expect(log).toContain(createHash('sha256').update(value).digest('hex'));
    } finally {
      await runner.stop();
    }
  });
});

const SECRET_WORKFLOW = `name: probe
on: push
jobs:
  probe:
    runs-on: lazarus-gate
    env: {VALUE: "\${{ secrets.LAZARUS_PROBE }}"}
    steps:
      - run: printf %s "$VALUE" | sha256sum
`;

async function logOfFirstJob(gitea: Gitea, user: User, repository: string): Promise<string> {
  for (;;) {
    const { jobs } = await gitea.as(user)('GET', `/repos/${repository}/actions/jobs`);
    if (jobs[0]?.status === 'completed') {
      const headers = { authorization: `token ${user.token}` };
      const answer = await fetch(`${gitea.url}/api/v1/repos/${repository}/actions/jobs/${jobs[0].id}/logs`, {
        headers,
      });
      return answer.text();
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
